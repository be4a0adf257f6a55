"""Documents as bags of words: numbers, the rarest first.

The second *the* of a document is another token than the first, so that the intersection of two
multisets is the intersection of two sets: |S₁∩S₂| = Σ_w min(n₁(w), n₂(w)).
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.model.strings import Strings
from corefbench.record import Columns, Ints, Longs

Bag: TypeAlias = Literal["multiset", "set"]
BAGS: tuple[Bag, ...] = ("multiset", "set")

_CHUNK = 1 << 21
"""Tokens that are sorted together: many enough for speed, few for memory."""


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
        """The tokens of one document."""
        return self.tokens[self.offsets[document] : self.offsets[document + 1]]


class _Counted(Columns, frozen=True, eq=False):
    """Words in the order of their documents, and how often each occurred before in its document."""

    offsets: Longs
    words: Ints
    before: Ints


def bags_of(
    corpora: Sequence[Sequence[Corpus]], *, bag: Bag = "multiset", ignore_case: bool = False
) -> list[Bags]:
    """The bags of several corpora, each given in pieces, numbered alike. Empty nodes are no words.

    >>> from corefbench.model.builder import CorpusBuilder
    >>> build = CorpusBuilder("x"); build.begin_document("d"); build.sentence(list("abaa"))
    >>> [len(bags_of([[corpus]], bag=bag)[0].tokens) for corpus in [build.finish()] for bag in BAGS]
    [4, 2]
    """
    numbers: defaultdict[bytes, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    counted = [
        _count(_joined([_numbered(piece, numbers, ignore_case) for piece in pieces]))
        for pieces in corpora
    ]
    if bag == "set":
        counted = [_first_of_each(some) for some in counted]
    most = np.zeros(len(numbers), np.int64)
    for some in counted:
        last = np.append(some.before[1:] == 0, True)[: len(some.before)]
        np.maximum.at(most, some.words[last], some.before[last] + 1)
    first = (np.cumsum(most) - most).astype(np.int32)
    codes = [_coded(some, first) for some in counted]
    rank = _by_rarity(codes, int(most.sum()))
    return [
        Bags(offsets=some.offsets, tokens=_ranked(code, rank, some.offsets), vocabulary=len(rank))
        for some, code in zip(counted, codes, strict=True)
    ]


def _coded(counted: _Counted, first: Ints) -> Ints:
    """A number for each word and how often it was there before; what it is made of is spent."""
    code = counted.before
    code += first[counted.words]
    return code


def _ranked(code: Ints, rank: Ints, offsets: Longs) -> Ints:
    """The ranks of each document in ascending order, in place."""
    for a, b in _runs(offsets):
        some = slice(int(offsets[a]), int(offsets[b]))
        code[some] = _ordered(rank[code[some]], offsets[a : b + 1])
    return code


def _by_rarity(codes: Sequence[Ints], count: int) -> Ints:
    """The rank of each code: rarest first, of equals the one met first."""
    frequency = np.sum([np.bincount(code, minlength=count) for code in codes], axis=0)
    rank = np.empty(count, np.int32)
    rank[np.argsort(frequency, kind="stable")] = np.arange(count, dtype=np.int32)
    return rank


def _numbered(
    corpus: Corpus, numbers: "defaultdict[bytes, int]", ignore_case: bool
) -> tuple[Longs, Ints]:
    """Where documents begin, and their words as numbers."""
    words, offsets, empty = corpus.tokens.words, corpus.tokens.offsets, corpus.tokens.empty
    if words is None:
        words = Strings.of([""] * len(corpus.tokens))
    if empty is not None:
        words = words.take(np.flatnonzero(~empty))
        offsets = np.concatenate(([0], np.cumsum(~empty)))[offsets]
    made = np.empty(len(words), np.int32)
    for start in range(0, len(words), _CHUNK):
        pieces = _split(words, start, min(start + _CHUNK, len(words)))
        if ignore_case:
            pieces = [piece.decode("utf-8", "replace").casefold().encode() for piece in pieces]
        made[start : start + len(pieces)] = np.fromiter(
            map(numbers.__getitem__, pieces), np.int32, len(pieces)
        )
    return offsets.astype(np.int64), made


def _split(words: Strings, start: int, stop: int) -> list[bytes]:
    """The words from ``start`` to ``stop`` as bytes: put apart by NUL, and split there."""
    edges = words.offsets[start : stop + 1]
    block = np.frombuffer(words.blob, np.uint8)[edges[0] : edges[-1]]
    pieces = np.insert(block, edges[1:-1] - edges[0], 0).tobytes().split(b"\0")
    if len(pieces) == stop - start:
        return pieces
    return [words.blob[a:b] for a, b in itertools.pairwise(edges.tolist())]  # a word has a NUL


def _joined(pieces: Sequence[tuple[Longs, Ints]]) -> tuple[Longs, Ints]:
    sizes = [np.diff(offsets) for offsets, _ in pieces]
    words = [words for _, words in pieces]
    return (
        np.concatenate(([0], np.cumsum(np.concatenate([np.zeros(0, np.int64), *sizes])))),
        np.concatenate([np.zeros(0, np.int32), *words]),
    )


def _count(numbered: tuple[Longs, Ints]) -> _Counted:
    """Words sorted within their documents, in place, a run of documents at a time."""
    offsets, words = numbered
    before = np.empty_like(words)
    for a, b in _runs(offsets):
        edges, some = offsets[a : b + 1], slice(int(offsets[a]), int(offsets[b]))
        words[some] = ordered = _ordered(words[some], edges)
        new = np.ones(len(ordered), np.bool_)
        new[1:] = ordered[1:] != ordered[:-1]
        new[(edges[:-1] - edges[0])[np.diff(edges) > 0]] = True
        starts = np.flatnonzero(new)
        lengths = np.diff(np.append(starts, len(ordered)))
        before[some] = np.arange(len(ordered)) - np.repeat(starts, lengths)
    return _Counted(offsets=offsets, words=words, before=before)


def _first_of_each(counted: _Counted) -> _Counted:
    first = counted.before == 0
    offsets = np.concatenate(([0], np.cumsum(first)))[counted.offsets]
    return _Counted(offsets=offsets, words=counted.words[first], before=counted.before[first])


def _ordered(values: Ints, offsets: Longs) -> Ints:
    """The values of each of some documents in ascending order."""
    document = np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), np.diff(offsets))
    document <<= 32
    document |= values
    document.sort()
    return (document & 0xFFFFFFFF).astype(np.int32)


def _runs(offsets: Longs) -> Iterator[tuple[int, int]]:
    """Runs of documents with about as many tokens as are sorted together."""
    first = 0
    while first < len(offsets) - 1:
        after = int(np.searchsorted(offsets, offsets[first] + _CHUNK, "right")) - 1
        last = max(after, first + 1)
        yield first, last
        first = last
