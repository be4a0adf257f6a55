"""Tokens and mentions of a corpus as columns; all positions are numbered over the whole corpus."""

from collections.abc import Sequence

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.preprocess import make
from corefbench.preprocess.documents import CachedPreprocessor, make_input
from corefbench.records import Columns, Flags, Longs
from corefbench.resolvers.cross_document.config import MentionKind

_FUNCTION_TAGS = frozenset({"ADP", "DET", "PUNCT", "CCONJ", "SCONJ", "AUX", "PART"})


class AnalysedTokens(Columns, frozen=True, eq=False):
    """Tokens with lemma, part of speech and dependency."""

    forms: Sequence[str]
    lemmas: Sequence[str]
    """Lower case."""
    tags: Sequence[str]
    """Universal part-of-speech tags."""
    governors: Longs
    """-1 at a root."""
    relations: Sequence[str]
    document: Longs
    sentence: Longs
    sentence_offsets: Longs
    """First token of every sentence, then the number of tokens."""

    def __len__(self) -> int:
        return len(self.forms)


class MentionTable(Columns, frozen=True, eq=False):
    """Positions of mentions."""

    document: Longs
    sentence: Longs
    start: Longs
    end: Longs
    head: Longs
    chain: Longs
    """Equal numbers corefer; all -1 if the chains are unknown."""

    def __len__(self) -> int:
        return len(self.start)

    def spans(self) -> list[tuple[int, int]]:
        """Return (start, end) of every mention."""
        return list(zip(self.start.tolist(), self.end.tolist(), strict=True))


def analyse_corpus(corpus: Corpus, pipeline: str = "en", *, cache: bool = True) -> AnalysedTokens:
    """Analyse the documents, keeping their own tokens and sentences."""
    preprocessor = make(pipeline)
    if cache:
        preprocessor = CachedPreprocessor(preprocessor)
    lemmas, tags, relations, governors = list[str](), list[str](), list[str](), list[int]()
    for analysis in preprocessor.analyse([make_input(document) for document in corpus]):
        offset = len(lemmas)
        lemmas += [lemma.lower() for lemma in analysis.lemmas]
        tags += analysis.upos
        relations += analysis.relations
        governors += [offset + head if head >= 0 else -1 for head in analysis.heads]
    return build_tokens(corpus, lemmas, tags, governors, relations)


def build_tokens(
    corpus: Corpus, lemmas: Sequence[str], tags: Sequence[str], governors: Sequence[int], relations: Sequence[str]
) -> AnalysedTokens:
    """Combine the tokens of a corpus with their analysis."""
    tokens = corpus.tokens
    counts = np.diff(tokens.offsets)
    offsets = np.append(tokens.sentences, len(tokens))
    return AnalysedTokens(
        forms=list(tokens.words or ()),
        lemmas=lemmas,
        tags=tags,
        governors=np.asarray(governors, np.int64),
        relations=relations,
        document=np.repeat(np.arange(len(counts)), counts),
        sentence=np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)),
        sentence_offsets=offsets.astype(np.int64),
    )


def select_kind(corpus: Corpus, kind: MentionKind) -> Flags:
    """Flag the mentions of a kind; all of them if the corpus has no kinds."""
    kinds = corpus.mentions.columns.get("kind")
    if kind == "all" or kinds is None:
        return np.ones(len(corpus.mentions), np.bool_)
    return np.array([value == kind for value in kinds], np.bool_)


def gold_mentions(corpus: Corpus, tokens: AnalysedTokens, kind: MentionKind = "all") -> MentionTable:
    """Return the annotated mentions; chains with the same label are one across documents."""
    rows = np.flatnonzero(select_kind(corpus, kind))
    mentions = corpus.mentions
    offset = corpus.tokens.offsets[mentions.document[rows]]
    _, label = np.unique(corpus.chains.labels, return_inverse=True)
    return build_mention_table(
        tokens,
        offset + mentions.start[rows],
        offset + mentions.end[rows],
        label.reshape(-1)[mentions.chain[rows]].astype(np.int64),
    )


def build_mention_table(tokens: AnalysedTokens, start: Longs, end: Longs, chain: Longs | None = None) -> MentionTable:
    """Build a table from half-open token spans."""
    return MentionTable(
        document=tokens.document[start],
        sentence=tokens.sentence[start],
        start=start,
        end=end,
        head=find_heads(tokens, start, end),
        chain=np.full(len(start), -1, np.int64) if chain is None else chain,
    )


def find_heads(tokens: AnalysedTokens, start: Longs, end: Longs) -> Longs:
    """Return the first content word of each mention that is governed from outside it."""
    heads = []
    for a, b in zip(start.tolist(), end.tolist(), strict=True):
        outside = [t for t in range(a, b) if not a <= tokens.governors[t] < b]
        content = [t for t in outside if tokens.tags[t] not in _FUNCTION_TAGS]
        heads.append((content or outside or [b - 1])[0])
    return np.array(heads, np.int64).reshape(-1)
