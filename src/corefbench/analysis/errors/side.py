"""One side of a comparison, with what error analysis asks of every mention."""

from collections.abc import Mapping

import numpy as np

from corefbench.analysis.mention_types import Expressions, expressions
from corefbench.analysis.strata import NO_PRONOUN, binned
from corefbench.model.corpus import Corpus, Tokens
from corefbench.record import Columns, Ints
from corefbench.stats.groups import attribute


class Side(Columns, frozen=True, eq=False):
    """Key or response: mentions by number, in the order in which they begin, longer ones first."""

    corpus: Corpus
    tokens: Tokens
    """Those of the key wherever both sides have the same, because keys have more columns."""
    words: list[str]
    chain: list[int]
    document: list[int]
    sentence: list[int]
    """The sentence in its document, from 0."""
    antecedent: list[int]
    """The closest earlier mention of the chain; -1 for the first."""
    members: list[list[int]]
    """The mentions of every chain."""
    kinds: Expressions
    strata: Mapping[str, list[str]]
    """For every stratum the value of every mention."""

    def __len__(self) -> int:
        return len(self.chain)

    def span(self, mention: int) -> tuple[int, int]:
        """From the first token to past the last, relative to the document."""
        mentions = self.corpus.mentions
        return int(mentions.start[mention]), int(mentions.end[mention])

    def place(self, mention: int) -> tuple[int, int]:
        """The same, counted over all tokens."""
        first = int(self.tokens.offsets[self.document[mention]])
        start, end = self.span(mention)
        return first + start, first + end

    def text(self, mention: int) -> str:
        start, end = self.place(mention)
        return " ".join(self.words[start:end])

    def lead(self, mentions: list[int]) -> int:
        """The earliest that is no pronoun, or of all where all are; of two the shorter."""
        return min([m for m in mentions if not self.is_pronoun(m)] or mentions, key=self.span)

    def is_pronoun(self, mention: int) -> bool:
        return self.kinds.type[mention] in ("pronoun", "zero")


def side_of(corpus: Corpus, tokens: Tokens) -> Side:
    """All that is known of the mentions of one corpus, read off the given tokens."""
    words = [] if tokens.words is None else list(tokens.words)
    mentions = corpus.mentions
    chain, document = mentions.chain.tolist(), mentions.document.tolist()
    begins = tokens.offsets[mentions.document] + mentions.start
    first = np.searchsorted(tokens.sentences, tokens.offsets[mentions.document])
    sentence = np.maximum(np.searchsorted(tokens.sentences, begins, side="right") - 1 - first, 0)
    antecedent = closest(mentions.chain)
    members: list[list[int]] = [[] for _ in range(len(corpus.chains))]
    for mention, number in enumerate(chain):
        members[number].append(mention)
    kinds = expressions(corpus, tokens, words)
    return Side(
        corpus=corpus,
        tokens=tokens,
        words=words,
        chain=chain,
        document=document,
        sentence=sentence.tolist(),
        antecedent=antecedent.tolist(),
        members=members,
        kinds=kinds,
        strata=_strata(corpus, kinds, sentence, antecedent),
    )


def closest(chain: Ints) -> Ints:
    """For every mention the closest earlier one of its chain, or -1.

    >>> closest(np.array([0, 1, 0, 0], np.int32)).tolist()
    [-1, -1, 0, 2]
    """
    order = np.argsort(chain, kind="stable")
    found = np.full(len(chain), -1, np.int32)
    same = chain[order[1:]] == chain[order[:-1]]
    found[order[1:][same]] = order[:-1][same]
    return found


def _strata(
    corpus: Corpus, kinds: Expressions, sentence: np.ndarray, antecedent: Ints
) -> dict[str, list[str]]:
    mentions, linked = corpus.mentions, antecedent >= 0
    number = np.arange(len(mentions))
    sentences = np.where(linked, np.maximum(sentence - sentence[antecedent], 0), -1)
    between = np.where(linked, number - antecedent - 1, -1)
    genre, label = attribute(corpus, "genre"), corpus.documents.labels()
    length = binned("length", corpus.token_counts().tolist())
    document = mentions.document.tolist()
    return {
        "type": list(kinds.type),
        "pronoun": [form or NO_PRONOUN for form in kinds.form],
        "gender": [gender or NO_PRONOUN for gender in kinds.gender],
        "sentences": binned("sentences", sentences.tolist()),
        "mentions": binned("mentions", between.tolist()),
        "genre": [genre[d] for d in document],
        "document": [label[d] for d in document],
        "length": [length[d] for d in document],
        "size": binned("size", corpus.chain_sizes()[mentions.chain].tolist()),
    }
