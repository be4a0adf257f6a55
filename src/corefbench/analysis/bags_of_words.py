"""Bags of words, and an exact index of documents that share tokens.

The second *the* of a document is another token than the first, so that the intersection of two
multisets is the intersection of two sets: |S₁∩S₂| = Σ_w min(n₁(w), n₂(w)).

If k of the n tokens of a bag must be shared, at least l of any n − k + l of them are (Chaudhuri et
al. 2006 for l = 1, Wang et al. 2012). So only the postings of its rarest tokens are read, and
documents that occur l times are verified. l is as large as costs about twice what l = 1 does.
"""

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.strings import Strings
from corefbench.records import Columns, Flags, Ints, Longs

Bag: TypeAlias = Literal["multiset", "set"]
BAGS: tuple[Bag, ...] = ("multiset", "set")
_CHUNK = 1 << 21
"""Tokens that are sorted together: enough for speed, few enough for memory."""
_FREE_POSTINGS = 256
"""Number of postings whose reading costs next to nothing."""
_SEARCH_RATIO = 32
"""For bags larger than this times the query, binary search is cheaper than a scan."""


class Bags(Columns, frozen=True, eq=False):
    """The bags of many documents, each in ascending order; a smaller number is a rarer token."""

    offsets: Longs
    tokens: Ints
    vocabulary: int
    """Tokens are numbered below this."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Longs:
        return np.diff(self.offsets)

    def of(self, document: int) -> Ints:
        """Return the tokens of one document."""
        return self.tokens[self.offsets[document] : self.offsets[document + 1]]


class _CountedWords(Columns, frozen=True, eq=False):
    """Words by document, and how often each occurred before in its document."""

    offsets: Longs
    words: Ints
    before: Ints


def make_bags(corpora: Sequence[Sequence[Corpus]], *, bag: Bag = "multiset", ignore_case: bool = False) -> list[Bags]:
    """Return the bags of several corpora, each given in pieces, with a common numbering of tokens.

    Empty nodes are not words.

    >>> from corefbench.corpus.builder import CorpusBuilder
    >>> build = CorpusBuilder("x"); build.begin_document("d"); build.sentence(list("abaa"))
    >>> corpus = build.finish()
    >>> [len(make_bags([[corpus]], bag=bag)[0].tokens) for bag in BAGS]
    [4, 2]
    """
    numbers: defaultdict[bytes, int] = defaultdict()
    # A new word gets the next free number.
    numbers.default_factory = numbers.__len__
    counted = [
        _count_words(_join_pieces([_number_words(piece, numbers, ignore_case) for piece in pieces]))
        for pieces in corpora
    ]
    if bag == "set":
        counted = [_keep_first(words) for words in counted]
    max_repeats = np.zeros(len(numbers), np.int64)
    for words in counted:
        last = np.append(words.before[1:] == 0, True)[: len(words.before)]
        np.maximum.at(max_repeats, words.words[last], words.before[last] + 1)
    # The occurrences of a word within a document get consecutive codes.
    first = (np.cumsum(max_repeats) - max_repeats).astype(np.int32)
    frequency = np.zeros(int(max_repeats.sum()), np.int64)
    for words in counted:
        code = words.before
        code += first[words.words]  # in place, to save the memory of a copy
        frequency += np.bincount(code, minlength=len(frequency))
    # The rarest code first, equal ones in order.
    rank = np.empty(len(frequency), np.int32)
    rank[np.argsort(frequency, kind="stable")] = np.arange(len(frequency), dtype=np.int32)
    return [
        Bags(offsets=words.offsets, tokens=_rank_tokens(words.before, rank, words.offsets), vocabulary=len(rank))
        for words in counted
    ]


def _rank_tokens(code: Ints, rank: Ints, offsets: Longs) -> Ints:
    """Replace codes by ranks, sorted within each document, in place."""
    for a, b in _document_runs(offsets):
        run = slice(int(offsets[a]), int(offsets[b]))
        code[run] = _sort_within(rank[code[run]], offsets[a : b + 1])
    return code


def _number_words(corpus: Corpus, numbers: "defaultdict[bytes, int]", ignore_case: bool) -> tuple[Longs, Ints]:
    """Return the document offsets, and the words as numbers."""
    words, offsets, empty = corpus.tokens.words, corpus.tokens.offsets, corpus.tokens.empty
    if words is None:
        words = Strings.of([""] * len(corpus.tokens))
    if empty is not None:
        words = words.take(np.flatnonzero(~empty))
        offsets = np.concatenate(([0], np.cumsum(~empty)))[offsets]
    word_numbers = np.empty(len(words), np.int32)
    for start in range(0, len(words), _CHUNK):
        pieces = _split_words(words, start, min(start + _CHUNK, len(words)))
        if ignore_case:
            pieces = [piece.decode("utf-8", "replace").casefold().encode() for piece in pieces]
        word_numbers[start : start + len(pieces)] = np.fromiter(map(numbers.__getitem__, pieces), np.int32, len(pieces))
    return offsets.astype(np.int64), word_numbers


def _split_words(words: Strings, start: int, stop: int) -> list[bytes]:
    """Return the words from ``start`` to ``stop`` as bytes."""
    # Inserting NULs and splitting there is faster than slicing word by word.
    edges = words.offsets[start : stop + 1]
    block = np.frombuffer(words.blob, np.uint8)[edges[0] : edges[-1]]
    pieces = np.insert(block, edges[1:-1] - edges[0], 0).tobytes().split(b"\0")
    if len(pieces) == stop - start:
        return pieces
    return [words.blob[a:b] for a, b in itertools.pairwise(edges.tolist())]  # a word contains NUL


def _join_pieces(pieces: Sequence[tuple[Longs, Ints]]) -> tuple[Longs, Ints]:
    sizes = [np.diff(offsets) for offsets, _ in pieces]
    words = [words for _, words in pieces]
    return (
        np.concatenate(([0], np.cumsum(np.concatenate([np.zeros(0, np.int64), *sizes])))),
        np.concatenate([np.zeros(0, np.int32), *words]),
    )


def _count_words(numbered: tuple[Longs, Ints]) -> _CountedWords:
    """Sort words within their documents, in place, one run of documents at a time."""
    offsets, words = numbered
    before = np.empty_like(words)
    for a, b in _document_runs(offsets):
        edges, run = offsets[a : b + 1], slice(int(offsets[a]), int(offsets[b]))
        words[run] = ordered = _sort_within(words[run], edges)
        new = np.ones(len(ordered), np.bool_)
        new[1:] = ordered[1:] != ordered[:-1]
        new[(edges[:-1] - edges[0])[np.diff(edges) > 0]] = True
        starts = np.flatnonzero(new)
        lengths = np.diff(np.append(starts, len(ordered)))
        before[run] = np.arange(len(ordered)) - np.repeat(starts, lengths)
    return _CountedWords(offsets=offsets, words=words, before=before)


def _keep_first(counted: _CountedWords) -> _CountedWords:
    first = counted.before == 0
    offsets = np.concatenate(([0], np.cumsum(first)))[counted.offsets]
    return _CountedWords(offsets=offsets, words=counted.words[first], before=counted.before[first])


def _sort_within(values: Ints, offsets: Longs) -> Ints:
    """Sort the values of each document."""
    document = np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), np.diff(offsets))
    # Document in the high and value in the low bits: one sort orders the values within documents.
    document <<= 32
    document |= values
    document.sort()
    return (document & 0xFFFFFFFF).astype(np.int32)


def _document_runs(offsets: Longs) -> Iterator[tuple[int, int]]:
    """Yield runs of documents with about ``_CHUNK`` tokens."""
    first = 0
    while first < len(offsets) - 1:
        after = int(np.searchsorted(offsets, offsets[first] + _CHUNK, "right")) - 1
        last = max(after, first + 1)
        yield first, last
        first = last


class SharedTokens(Columns, frozen=True, eq=False):
    """Documents, and the number of tokens that each shares with a bag."""

    documents: Longs
    tokens: Longs

    def __len__(self) -> int:
        return len(self.documents)

    def only(self, keep: Flags) -> "SharedTokens":
        return SharedTokens(documents=self.documents[keep], tokens=self.tokens[keep])


def required_overlap(size: int, threshold: Fraction) -> int:
    """Return the least number of shared tokens with shared ÷ size > threshold.

    >>> [required_overlap(size, Fraction("0.9")) for size in (1, 9, 10, 11)]
    [1, 9, 10, 10]
    """
    return size * threshold.numerator // threshold.denominator + 1


class Postings:
    """Inverted index of documents by token, filled incrementally."""

    def __init__(self, bags: Bags) -> None:
        capacity = np.bincount(bags.tokens, minlength=bags.vocabulary)
        self.bags = bags
        self._first = np.cumsum(capacity) - capacity
        self._filled = np.zeros(bags.vocabulary, np.int64)
        self._documents = np.empty(len(bags.tokens), np.int32)
        self._overlap = overlap_counter(bags)

    def add(self, document: int) -> None:
        """Add a document to the index."""
        tokens = self.bags.of(document)
        self._documents[self._first[tokens] + self._filled[tokens]] = document
        self._filled[tokens] += 1

    def sharing(self, tokens: Ints, least: int) -> SharedTokens:
        """Return the documents that share at least ``least`` tokens with a bag."""
        size = len(tokens)
        if not size or least > size:
            return count_occurrences(np.zeros(0, np.int32))
        length = self._prefix(tokens, least)
        shared = self._count_hits(tokens[:length])
        shared = shared.only(shared.tokens >= least - (size - length))
        if len(shared) and length < size:
            shared = SharedTokens(documents=shared.documents, tokens=self._overlap(tokens, shared.documents))
            shared = shared.only(shared.tokens >= least)
        return shared

    def _prefix(self, tokens: Ints, least: int) -> int:
        """Return how many of the rarest tokens to look up."""
        cost = np.cumsum(self._filled[tokens])
        shortest = len(tokens) - least + 1
        budget = 2 * cost[shortest - 1] + _FREE_POSTINGS
        return max(shortest, int(np.searchsorted(cost, budget, "right")))

    def _count_hits(self, tokens: Ints) -> SharedTokens:
        counts = self._filled[tokens]
        return count_occurrences(self._documents[ranges(self._first[tokens], counts)])


def count_occurrences(documents: Ints) -> SharedTokens:
    """Count how often each document occurs.

    >>> shared = count_occurrences(np.array([4, 2, 4], np.int32))
    >>> shared.documents.tolist(), shared.tokens.tolist()
    ([2, 4], [1, 2])
    """
    numbers, counts = np.unique(documents, return_counts=True)
    return SharedTokens(documents=numbers.astype(np.int64), tokens=counts)


def overlap_counter(bags: Bags) -> Callable[[Ints, Longs], Longs]:
    """Return a function that counts the tokens that documents share with a bag."""
    marked, sizes = np.zeros(bags.vocabulary, np.bool_), bags.sizes

    def count_overlaps(tokens: Ints, documents: Longs) -> Longs:
        overlaps = np.empty(len(documents), np.int64)
        is_long = sizes[documents] > _SEARCH_RATIO * len(tokens)
        for index in np.flatnonzero(is_long).tolist():
            overlaps[index] = _count_by_search(tokens, bags.of(int(documents[index])))
        short = documents[~is_long]
        if len(short):
            # A table over the vocabulary counts the shared tokens of all documents at once.
            marked[tokens] = True
            rows = ranges(bags.offsets[short], sizes[short])
            edges = np.concatenate(([0], np.cumsum(sizes[short])))
            cumulative = np.concatenate(([0], np.cumsum(marked[bags.tokens[rows]])))
            overlaps[~is_long] = np.diff(cumulative[edges])
            marked[tokens] = False
        return overlaps

    return count_overlaps


def _count_by_search(tokens: Ints, bag: Ints) -> int:
    indices = np.minimum(np.searchsorted(bag, tokens), len(bag) - 1)
    return int(np.count_nonzero(bag[indices] == tokens))
