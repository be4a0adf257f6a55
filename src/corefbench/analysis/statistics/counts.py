"""Additive counts of a corpus: sizes, nested and crossing mentions, vocabulary.

All of them are records that add up, over the blocks of a stream, parallel runs and genres.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

import msgspec
import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import Scope, group_numbers
from corefbench.corpus.spans import last_same_span
from corefbench.records import Additive, Flags, Longs
from corefbench.scoring.matching.zeros import is_zero

LOW_FREQUENCY = 10
"""A word that occurs less often than this in training has low frequency."""

_PAIRS_PER_BATCH = 1 << 21

Histogram: TypeAlias = Counter[int]
"""How often each value occurs."""


def histogram(values: np.ndarray) -> Histogram:
    """Count how often each value occurs.

    >>> histogram(np.array([2, 1, 2]))
    Counter({2: 2, 1: 1})
    """
    distinct, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(distinct.tolist(), counts.tolist(), strict=True)))


def mean(values: Histogram) -> float | None:
    """Return Σ value · count ÷ Σ count, or None for an empty histogram.

    >>> mean(Counter({2: 3, 4: 1})), mean(Counter())
    (2.5, None)
    """
    return ratio(sum(value * count for value, count in values.items()), values.total())


def ratio(part: float, total: float) -> float | None:
    """Return part / total, or None if total is 0: no rate, rather than a rate of 0."""
    return part / total if total else None


class Rate(Additive, frozen=True):
    """A rate as two counts, so that rates of documents add up."""

    hits: int = 0
    total: int = 0

    @property
    def value(self) -> float | None:
        """The rate; None if the total is 0."""
        return self.hits / self.total if self.total else None


def entity_numbers(corpus: Corpus, scope: Scope) -> Longs:
    """Number the entity of each mention; chains of one label and one group are one entity."""
    chain = corpus.mentions.chain.astype(np.int64)
    if scope == "document":
        return chain
    _, label = np.unique(corpus.chains.labels, return_inverse=True)
    # One number for each pair of group and label.
    code = group_numbers(corpus, scope)[corpus.chains.document] * (len(corpus.chains) + 1) + label
    _, entity = np.unique(code, return_inverse=True)
    return np.asarray(entity, np.int64)[chain]


class Inventory(Additive, frozen=True):
    """Sizes of one or more documents. ``chain_sizes`` includes singletons."""

    documents: int = 0
    topics: Counter[str] = msgspec.field(default_factory=Counter)
    """Documents by topic, where documents have topics."""
    sentences: int = 0
    tokens: int = 0
    """Words and punctuation; empty nodes are counted separately."""
    empty_nodes: int = 0
    mentions: int = 0
    non_referring: int = 0
    """Markables annotated as non-referring: they are not mentions and are in no chain."""
    coreferent_lengths: Histogram = msgspec.field(default_factory=Counter)
    """Lengths of the mentions in chains of two and more …"""
    singleton_lengths: Histogram = msgspec.field(default_factory=Counter)
    """… and of singletons."""
    chain_sizes: Histogram = msgspec.field(default_factory=Counter)
    discontinuous: int = 0
    zeros: int = 0
    repeated_spans: int = 0
    """Mentions with the span of an earlier mention of the document."""


def count_inventory(corpus: Corpus, entity: Longs, non_referring: int = 0) -> Inventory:
    """Count a corpus; ``entity`` numbers the chain of each mention."""
    sizes = np.bincount(entity) if len(entity) else np.zeros(0, np.int64)
    is_singleton = sizes[entity] == 1
    lengths = mention_lengths(corpus)
    is_empty = corpus.tokens.empty
    empty_nodes = 0 if is_empty is None else int(is_empty.sum())
    last = last_same_span(corpus)
    repeated = 0 if last is None else int(np.count_nonzero(last != np.arange(len(last))))
    return Inventory(
        documents=len(corpus),
        topics=Counter(corpus.documents.columns.get("topic", ())),
        sentences=len(corpus.tokens.sentences),
        tokens=len(corpus.tokens) - empty_nodes,
        empty_nodes=empty_nodes,
        mentions=len(corpus.mentions),
        non_referring=non_referring,
        coreferent_lengths=histogram(lengths[~is_singleton]),
        singleton_lengths=histogram(lengths[is_singleton]),
        chain_sizes=histogram(sizes[sizes > 0]),
        discontinuous=int(np.count_nonzero(is_discontinuous(corpus))),
        zeros=int(np.count_nonzero(is_zero(corpus))),
        repeated_spans=repeated,
    )


def is_discontinuous(corpus: Corpus) -> Flags:
    """Flag the mentions with more than one part."""
    parts = corpus.mentions.parts
    if parts is None:
        return np.zeros(len(corpus.mentions), np.bool_)
    return np.asarray(np.diff(parts.offsets) > 1)


def mention_lengths(corpus: Corpus) -> Longs:
    """Count the tokens of each mention without gaps and empty nodes; a zero has length 0."""
    mentions, offsets = corpus.mentions, corpus.tokens.offsets
    if mentions.parts is None:
        document_start = offsets[mentions.document]
        return _tokens_between(corpus, document_start + mentions.start, document_start + mentions.end)
    parts = mentions.parts
    document_start = np.repeat(offsets[mentions.document], np.diff(parts.offsets))
    lengths = _tokens_between(corpus, document_start + parts.start, document_start + parts.end)
    # The sum over the parts of a mention is a difference of cumulative sums.
    cumulative = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return np.asarray(cumulative[parts.offsets[1:]] - cumulative[parts.offsets[:-1]])


def _tokens_between(corpus: Corpus, start: Longs, end: Longs) -> Longs:
    if corpus.tokens.empty is None:
        return end - start
    cumulative = np.concatenate([np.zeros(1, np.int64), np.cumsum(~corpus.tokens.empty)])
    return np.asarray(cumulative[end] - cumulative[start])


class Overlaps(Additive, frozen=True):
    """Nested mentions and crossing pairs of mentions.

    Of two mentions of a document, with the tokens aₛ … aₑ and bₛ … bₑ (half-open, gaps filled):

        a contains b   aₛ ≤ bₛ and bₑ ≤ aₑ, and the two differ
        a crosses b    aₛ < bₛ < aₑ < bₑ

    The depth of a mention is the number of mentions that contain it, 0 for the outermost. Mentions
    with the same span do not contain each other.
    """

    depths: Histogram = msgspec.field(default_factory=Counter)
    crossing_same_chain: int = 0
    crossing_other_chain: int = 0


def count_overlaps(corpus: Corpus, entity: Longs) -> Overlaps:
    """Count nested mentions and crossing pairs; ``entity`` numbers the chain of each mention."""
    document_start = corpus.tokens.offsets[corpus.mentions.document]
    start, end = document_start + corpus.mentions.start, document_start + corpus.mentions.end
    # Outer mentions first: a mention can only lie in one that starts no later.
    order = np.lexsort((-end, start))
    start, end, entity = start[order], end[order], entity[order]
    depth = np.zeros(len(start), np.int64)
    crossing = same_chain = 0
    for outer, inner in _meeting_pairs(start, end):
        inside = (end[inner] <= end[outer]) & ((start[inner] > start[outer]) | (end[inner] < end[outer]))
        depth += np.bincount(inner[inside], minlength=len(depth))
        crosses = (start[inner] > start[outer]) & (end[inner] > end[outer])
        crossing += int(np.count_nonzero(crosses))
        same_chain += int(np.count_nonzero(crosses & (entity[inner] == entity[outer])))
    return Overlaps(depths=histogram(depth), crossing_same_chain=same_chain, crossing_other_chain=crossing - same_chain)


def _meeting_pairs(start: Longs, end: Longs) -> Iterator[tuple[Longs, Longs]]:
    """Yield all pairs of mentions of which the later starts within the earlier, in batches."""
    number = np.arange(len(start))
    # Mentions are sorted by start, so those that start within a mention directly follow it.
    counts = np.maximum(np.searchsorted(start, end) - number - 1, 0)
    yield from pair_batches(number, number + 1, counts)


def pair_batches(rows: Longs, first: Longs, counts: Longs) -> Iterator[tuple[Longs, Longs]]:
    """Yield the pairs (row, first … first + count − 1) of all rows in batches.

    A batch has about two million pairs, so that memory stays bounded however deep mentions nest.
    """
    # A batch ends where the cumulated number of pairs passes a multiple of its size.
    steps = np.cumsum(counts) // _PAIRS_PER_BATCH
    edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(rows)]
    for a, b in pairwise(edges):
        yield np.repeat(rows[a:b], counts[a:b]), ranges(first[a:b], counts[a:b])


class TrainingVocabulary(Additive, frozen=True):
    """Word frequencies and chain sizes of a training corpus."""

    documents: int = 0
    tokens: int = 0
    words: Counter[str] = msgspec.field(default_factory=Counter)
    chain_sizes: Histogram = msgspec.field(default_factory=Counter)


class Coverage(Additive, frozen=True):
    """Alphabetic tokens of a text, and those that training does not have (Chen et al. 2018, § 3.4).

    For a training set with the vocabulary V and a text with the tokens t₁ … tₙ, tokens with
    non-alphabetic characters ignored,

        OOV rate = |{i : tᵢ ∉ V}| / n

    and the low-frequency rate is the same with V reduced to the words that occur at least 10 times
    in the training set (their footnote 3). Words are compared case-sensitively; n counts the tokens
    that are not ignored.
    """

    alphabetic: int = 0
    unknown: int = 0
    low_frequency: int = 0


def learn_vocabulary(blocks: Iterable[Corpus]) -> TrainingVocabulary:
    """Count the words and chain sizes of a training corpus, block after block."""
    words: Counter[str] = Counter()
    total = TrainingVocabulary()
    for block in blocks:
        block_words = written_words(block)
        # Updated in place: adding the counters of blocks would copy the vocabulary every time.
        words.update(word for word in block_words if word.isalpha())
        sizes = block.chain_sizes()
        total += TrainingVocabulary(
            documents=len(block), tokens=len(block_words), chain_sizes=histogram(sizes[sizes > 0])
        )
    return msgspec.structs.replace(total, words=words)


def count_coverage(corpus: Corpus, known: Counter[str], low_frequency: int = LOW_FREQUENCY) -> Coverage:
    """Count the alphabetic tokens of a text, and those unknown to or rare in training."""
    words = Counter(word for word in written_words(corpus) if word.isalpha())
    return Coverage(
        alphabetic=words.total(),
        unknown=sum(count for word, count in words.items() if word not in known),
        low_frequency=sum(count for word, count in words.items() if known[word] < low_frequency),
    )


def written_words(corpus: Corpus) -> list[str]:
    """Return the words of the corpus without empty nodes."""
    tokens = corpus.tokens
    if tokens.words is None:
        return []
    if tokens.empty is None:
        return list(tokens.words)
    return list(tokens.words.take(np.flatnonzero(~tokens.empty)))
