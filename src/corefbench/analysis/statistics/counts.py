"""Additive counts of a corpus: sizes, nested and crossing mentions, vocabulary.

All of them are records that add up, over the blocks of a stream, parallel runs and genres.
"""

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

import msgspec
import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import Scope, group_numbers
from corefbench.corpus.spans import last_same_span
from corefbench.records import Additive, Flags, Longs
from corefbench.scoring.matching.zeros import is_zero

LOW_FREQUENCY = 10
"""A word that occurs less often than this in training has low frequency."""

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
    depth, crossing = _nest(start, end)
    # Moved apart by chain, only mentions of one chain meet.
    apart = entity * np.int64(len(corpus.tokens) + 1)
    _, same_chain = _nest(start + apart, end + apart)
    return Overlaps(depths=histogram(depth), crossing_same_chain=same_chain, crossing_other_chain=crossing - same_chain)


def _nest(start: Longs, end: Longs) -> tuple[Longs, int]:
    """Return the depth of every mention, in the order in which they open, and the crossing pairs.

    Counted without looking at pairs, of which n mentions nested in each other have n²/2. Sorted by
    start, longer ones first, the mentions before a mention *b* either contain it, have its span,
    or have a smaller start and a smaller end; of the last, those that end after the start of *b*
    cross it.
    """
    if not len(start):
        return np.zeros(0, np.int64), 0
    order = np.lexsort((-end, start))
    start, end = start[order], end[order]
    number = np.arange(len(start))
    # Mentions of different groups do not meet: a group begins where all before have ended.
    begins = np.append(True, start[1:] >= np.maximum.accumulate(end)[:-1])
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    smaller = count_smaller_before(end, first)
    new_span = np.append(True, (start[1:] != start[:-1]) | (end[1:] != end[:-1]))
    same_span = number - np.flatnonzero(new_span)[np.cumsum(new_span) - 1]
    ended = np.searchsorted(np.sort(end), start, side="right") - first
    return number - first - smaller - same_span, int((smaller - ended).sum())


def count_smaller_before(values: Longs, group: Longs) -> Longs:
    """Count, for each value, the smaller ones before it in its group, in O(n log n).

    Groups are contiguous and their numbers ascend.

    >>> count_smaller_before(np.array([3, 5, 4, 9]), np.array([0, 0, 0, 3])).tolist()
    [0, 1, 1, 0]
    """
    count = np.zeros(len(values), np.int64)
    if not len(values):
        return count
    # Equal values have one rank, counted within the group: small groups need few bits.
    order = np.lexsort((values, group))
    new_group = np.append(True, group[order][1:] != group[order][:-1])
    rank = np.cumsum(np.append(True, values[order][1:] != values[order][:-1]) | new_group)
    rank -= rank[np.flatnonzero(new_group)[np.cumsum(new_group) - 1]]
    bits = int(rank.max()).bit_length()
    code = np.empty(len(values), np.int64)
    code[order] = ((np.cumsum(new_group) - 1) << bits) + rank
    # Two ranks differ first in some bit, above which they agree: there the smaller one has 0.
    for bit in reversed(range(bits)):
        order = np.argsort(code >> (bit + 1), kind="stable")
        prefix, is_one = code[order] >> (bit + 1), (code[order] >> bit) & 1 == 1
        zeros = np.cumsum(~is_one)
        first = np.searchsorted(prefix, prefix[is_one])
        count[order[is_one]] += zeros[is_one] - zeros[first] + ~is_one[first]
    return count


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
