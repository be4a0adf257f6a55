"""What a corpus has that a format may not be able to say, counted."""

from collections.abc import Collection, Mapping

import numpy as np

from corefbench.formats.base import Feature, FormatCard
from corefbench.formats.crossing import crossing_in_chains, crossing_mentions
from corefbench.matching.spans import mention_codes
from corefbench.model.corpus import Corpus
from corefbench.model.strings import Strings
from corefbench.record import Flags

_SPEAKER = "speaker"
_STRUCTURE = frozenset({"id"})
"""Token columns that every writer makes anew: the number of the token in its sentence."""
_NOTHING = np.frombuffer(b"-_*", np.uint8)
"""What column formats write for nothing."""


def features(corpus: Corpus, *, known: Collection[str] = ()) -> dict[Feature, int]:
    """How often each feature occurs; those that do not occur are left out.

    Documents are counted for names, attributes and text; tokens for words, speakers, attributes and
    zeros; mentions for what mentions have; chains for labels and singletons. Of the mentions that
    cross those are counted that must go for the others to nest. ``known`` are token columns that
    are not counted.

    >>> from corefbench.formats.load import load
    >>> found = features(load(b"#begin document (a);\\nAnn (1)\\nleft -\\n\\n#end document\\n"))
    >>> found["words"], found["singletons"], "heads" in found
    (2, 1, False)
    """
    counts = _of_documents(corpus) | _of_tokens(corpus, known) | _of_mentions(corpus)
    relations = corpus.relations
    counts["bridging"] = len(relations.bridging_anaphor)
    counts["split antecedents"] = len(relations.plural)
    return {feature: count for feature, count in counts.items() if count}


def beyond(corpus: Corpus, card: FormatCard) -> dict[Feature, int]:
    """The features of the corpus that a file in the format cannot hold."""
    found = features(corpus, known=card.token_columns)
    held = card.holds if not card.token_columns else card.holds - {"token attributes"}
    return {feature: count for feature, count in found.items() if feature not in held}


def _of_documents(corpus: Corpus) -> dict[Feature, int]:
    documents = corpus.documents
    columns = list(documents.columns.values())
    return {
        "document names": sum(map(bool, documents.names)),
        "document attributes": sum(any(values) for values in zip(*columns, strict=True)),
        "text": len(corpus) if documents.texts is not None else 0,
    }


def _of_tokens(corpus: Corpus, known: Collection[str]) -> dict[Feature, int]:
    tokens = corpus.tokens
    spoken = tokens.columns.get(_SPEAKER)
    others = {
        name: column
        for name, column in tokens.columns.items()
        if name != _SPEAKER and name not in _STRUCTURE and name not in known
    }
    return {
        "words": len(tokens.words) if tokens.words is not None else 0,
        "sentences": len(tokens.sentences),
        "speakers": int(said(spoken).sum()) if spoken is not None else 0,
        "speakers within sentences": _changes(corpus, spoken) if spoken is not None else 0,
        "token attributes": _any_said(others, len(tokens)),
        "zeros": int(tokens.empty.sum()) if tokens.empty is not None else 0,
    }


def _changes(corpus: Corpus, spoken: Strings) -> int:
    """The tokens that are said by another than the first of their sentence."""
    begins = corpus.tokens.sentences
    if not len(begins):
        return 0
    first = np.repeat(begins, np.diff(np.append(begins, len(spoken))))
    if len(first) < len(spoken):  # tokens before the first sentence
        return 0
    where = np.flatnonzero(np.diff(spoken.offsets) + np.diff(spoken.offsets)[first])
    pairs = zip(spoken.take(where), spoken.take(first[where]), strict=True)
    return sum(one != other for one, other in pairs)


def _of_mentions(corpus: Corpus) -> dict[Feature, int]:
    mentions = corpus.mentions
    sizes = corpus.chain_sizes()
    return {
        "chain labels": int((sizes > 0).sum()),
        "singletons": int((sizes == 1).sum()),
        "crossing mentions": int(crossing_mentions(corpus).sum()),
        "crossing mentions of one chain": int(crossing_in_chains(corpus).sum()),
        "repeated mentions": int(repeated_mentions(corpus).sum()),
        "discontinuous mentions": int((np.diff(mentions.parts.offsets) > 1).sum())
        if mentions.parts is not None
        else 0,
        "mentions across sentences": int(across_sentences(corpus).sum()),
        "heads": int((mentions.head >= 0).sum()) if mentions.head is not None else 0,
        "minimal spans": int((np.diff(mentions.minimum.offsets) > 0).sum())
        if mentions.minimum is not None
        else 0,
        "mention attributes": _any_said(mentions.columns, len(mentions)),
        "non-referring mentions": int((~mentions.referring).sum())
        if mentions.referring is not None
        else 0,
    }


def repeated_mentions(corpus: Corpus) -> Flags:
    """The mentions whose words an earlier mention of their chain has."""
    flags = np.ones(len(corpus.mentions), np.bool_)
    code = np.stack([mention_codes(corpus), corpus.mentions.chain.astype(np.int64)], axis=1)
    flags[np.unique(code, axis=0, return_index=True)[1]] = False
    return flags


def across_sentences(corpus: Corpus) -> Flags:
    """The mentions whose first and last token stand in different sentences."""
    mentions, sentences = corpus.mentions, corpus.tokens.sentences
    base = corpus.tokens.offsets[mentions.document]
    first = np.searchsorted(sentences, base + mentions.start, "right")
    return np.asarray(np.searchsorted(sentences, base + mentions.end - 1, "right") != first)


def said(column: Strings) -> Flags:
    """Where a column says something, that is, neither nothing nor ``-``, ``_`` or ``*``."""
    length = np.diff(column.offsets)
    flags = np.asarray(length > 0)
    single = np.flatnonzero(length == 1)
    byte = np.frombuffer(column.blob, np.uint8)[column.offsets[:-1][single]]
    flags[single] = ~np.isin(byte, _NOTHING)
    return flags


def _any_said(columns: Mapping[str, Strings], count: int) -> int:
    flags = np.zeros(count, np.bool_)
    for column in columns.values():
        flags |= said(column)
    return int(flags.sum())
