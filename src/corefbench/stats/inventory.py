"""How much there is: documents, tokens, mentions, chains, and how long and large they are."""

from collections import Counter

import msgspec
import numpy as np

from corefbench.matching.spans import identity
from corefbench.matching.zeros import is_zero
from corefbench.model.corpus import Corpus
from corefbench.record import Flags, Longs
from corefbench.stats.additive import Additive, Histogram, histogram


class Inventory(Additive, frozen=True):
    """Counts of one or more documents. ``chain_sizes`` has the chains of all sizes, 1 too."""

    documents: int = 0
    topics: Counter[str] = msgspec.field(default_factory=Counter)
    """The documents of each topic, where documents have topics."""
    sentences: int = 0
    tokens: int = 0
    """Words and punctuation; empty nodes are counted apart."""
    empty_nodes: int = 0
    mentions: int = 0
    non_referring: int = 0
    """Markables that are marked as not referring: no mentions, and in no chain."""
    coreferent_lengths: Histogram = msgspec.field(default_factory=Counter)
    """The lengths of the mentions in chains of two and more …"""
    singleton_lengths: Histogram = msgspec.field(default_factory=Counter)
    """… and of singletons."""
    chain_sizes: Histogram = msgspec.field(default_factory=Counter)
    discontinuous: int = 0
    zeros: int = 0
    repeated_spans: int = 0
    """Mentions whose span an earlier mention of the document has already."""


def inventory(corpus: Corpus, entity: Longs, non_referring: int = 0) -> Inventory:
    """Count a corpus; ``entity`` numbers the chain, or the joined chain, of each mention."""
    sizes = np.bincount(entity) if len(entity) else np.zeros(0, np.int64)
    alone = sizes[entity] == 1
    lengths = mention_lengths(corpus)
    empty = corpus.tokens.empty
    zeros = 0 if empty is None else int(empty.sum())
    same = identity(corpus)
    return Inventory(
        documents=len(corpus),
        topics=Counter(corpus.documents.columns.get("topic", ())),
        sentences=len(corpus.tokens.sentences),
        tokens=len(corpus.tokens) - zeros,
        empty_nodes=zeros,
        mentions=len(corpus.mentions),
        non_referring=non_referring,
        coreferent_lengths=histogram(lengths[~alone]),
        singleton_lengths=histogram(lengths[alone]),
        chain_sizes=histogram(sizes[sizes > 0]),
        discontinuous=int(np.count_nonzero(is_discontinuous(corpus))),
        zeros=int(np.count_nonzero(is_zero(corpus))),
        repeated_spans=0 if same is None else int(np.count_nonzero(same != np.arange(len(same)))),
    )


def is_discontinuous(corpus: Corpus) -> Flags:
    """Which mentions have more than one part."""
    parts = corpus.mentions.parts
    if parts is None:
        return np.zeros(len(corpus.mentions), np.bool_)
    return np.asarray(np.diff(parts.offsets) > 1)


def mention_lengths(corpus: Corpus) -> Longs:
    """The tokens of each mention: gaps are left out, and so are empty nodes (a zero has 0)."""
    mentions, offsets = corpus.mentions, corpus.tokens.offsets
    if mentions.parts is None:
        first = offsets[mentions.document]
        return _tokens_between(corpus, first + mentions.start, first + mentions.end)
    parts = mentions.parts
    first = np.repeat(offsets[mentions.document], np.diff(parts.offsets))
    each = _tokens_between(corpus, first + parts.start, first + parts.end)
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(each)])
    return np.asarray(before[parts.offsets[1:]] - before[parts.offsets[:-1]])


def _tokens_between(corpus: Corpus, start: Longs, end: Longs) -> Longs:
    if corpus.tokens.empty is None:
        return end - start
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(~corpus.tokens.empty)])
    return np.asarray(before[end] - before[start])
