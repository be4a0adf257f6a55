"""Drop documents that nearly repeat another one (Chen et al. 2018)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import numpy as np

from corefbench.analysis.bags_of_words import (
    BAGS,
    Bag,
    Bags,
    Postings,
    SharedTokens,
    count_occurrences,
    make_bags,
    overlap_counter,
    required_overlap,
)
from corefbench.corpus.arrays import ranges
from corefbench.corpus.combine import concatenate, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Strictness
from corefbench.errors import UsageError
from corefbench.formats import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.formats.sharding import ShardRunner
from corefbench.records import Columns, Flags, Ints, Longs, Record

_Match: TypeAlias = tuple[int, int, int]
"""A document to be dropped, the document that it duplicates, and how many tokens they share."""
_MAX_PREFIX_HITS = 5
"""A shorter document is verified once this many of its rarest tokens are in the bag."""


class Duplicate(Record, frozen=True):
    """A dropped document and the document that it duplicates."""

    document: str
    duplicate_of: str
    ratio: float
    """|S₁∩S₂| ÷ the smaller of |S₁| and |S₂|."""
    shared: int
    words: int
    other_words: int
    index: int
    """The number of the document in its corpus …"""
    other_index: int
    """… and of the other one in its."""


class Deduplication(Columns, frozen=True, eq=False):
    """The corpus without its duplicates, and the duplicates."""

    name: str
    pieces: tuple[Corpus, ...]
    """The kept documents, in blocks as they were read."""
    dropped: tuple[Duplicate, ...]
    """In the order of the corpus."""
    documents: int
    """The number of documents before."""
    threshold: float
    bag: Bag
    between: str = ""
    """The name of the other corpus, if documents were compared with another one."""

    @property
    def corpus(self) -> Corpus:
        """The kept documents as one corpus."""
        return concatenate(self.name, self.pieces)


def deduplicate(
    corpus: CorpusSource,
    *,
    between: CorpusSource | None = None,
    threshold: float | str | Fraction = 0.9,
    bag: Bag = "multiset",
    ignore_case: bool = False,
    format: str | None = None,
    strictness: Strictness = Strictness(),
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Deduplication:
    """Drop documents that nearly repeat another one, and keep the longer (Chen et al. 2018)::

        max(|S₁∩S₂| ÷ |S₁|, |S₁∩S₂| ÷ |S₂|) > threshold

    S₁ and S₂ are the multisets of the documents' words. Each document is compared with the kept
    ones, so that at least 9 tenths of whatever is dropped are in a document that is kept. With
    ``between``, documents that duplicate one of another corpus are dropped instead, whichever is
    longer. A document without words duplicates none. The search is exact: no pair is missed.

    ``begin`` is called with the number of documents, ``advance`` after each of them. ``jobs``
    workers of an ``engine`` share the reading of large corpora.

    >>> def text(name, words):
    ...     rows = "".join(f"{name} 0 {n} {word} -\\n" for n, word in enumerate(words))
    ...     return f"#begin document ({name}); part 000\\n{rows}\\n#end document\\n"
    >>> both = (text("a", "to be or not to be".split()) + text("b", "to be or".split())).encode()
    >>> [(d.document, d.duplicate_of, d.ratio) for d in deduplicate(both).dropped]
    [('b_0', 'a_0', 1.0)]
    """
    limit = _parse_threshold(threshold)
    if bag not in BAGS:
        raise UsageError(f"unknown bag {bag!r}", expected=", ".join(BAGS))
    shards = ShardRunner(format=format, engine=engine, jobs=jobs)
    pieces = _CorpusPieces.of(corpus, shards, strictness)
    if begin is not None:
        begin(len(pieces.labels))
    if between is None:
        other_pieces = pieces
        bags = other_bags = make_bags([pieces.pieces], bag=bag, ignore_case=ignore_case)[0]
        matches = list(duplicates_within(bags, limit, advance))
    else:
        other_pieces = _CorpusPieces.of(between, shards, strictness)
        both = [pieces.pieces, other_pieces.pieces]
        bags, other_bags = make_bags(both, bag=bag, ignore_case=ignore_case)
        matches = list(duplicates_between(bags, other_bags, limit, advance))
    return Deduplication(
        name=pieces.name,
        pieces=pieces.without([document for document, _, _ in matches]),
        dropped=_describe_matches(matches, pieces.labels, other_pieces.labels, bags, other_bags),
        documents=len(pieces.labels),
        threshold=float(limit),
        bag=bag,
        between="" if between is None else other_pieces.name,
    )


class _CorpusPieces(Columns, frozen=True, eq=False):
    """A corpus as it was read, block by block.

    Documents are dropped from small pieces: cutting a large corpus as a whole takes several times
    its memory.
    """

    name: str
    pieces: tuple[Corpus, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, source: CorpusSource, shards: ShardRunner, strictness: Strictness) -> "_CorpusPieces":
        reading = Reading(strictness=strictness)
        read = shards.map_sum(list, source)
        pieces = tuple(read or stream(source, format=shards.format, reading=reading))
        name = "memory" if isinstance(source, bytes) else Path(str(source)).stem
        return cls(
            name=pieces[0].name if len(pieces) == 1 else name,
            pieces=pieces,
            labels=tuple(label for piece in pieces for label in piece.documents.labels()),
        )

    def without(self, dropped: Sequence[int]) -> tuple[Corpus, ...]:
        """Return the pieces without some documents."""
        keep: Flags = np.ones(len(self.labels), np.bool_)
        keep[list(dropped)] = False
        ends = np.cumsum([len(piece) for piece in self.pieces])
        return tuple(
            take_documents(piece, np.flatnonzero(keep[end - len(piece) : end]))
            for piece, end in zip(self.pieces, ends.tolist(), strict=True)
        )


def _parse_threshold(threshold: float | str | Fraction) -> Fraction:
    """Read the threshold as it is written: 9 shared words of 10 are not more than 0.9."""
    try:
        limit = Fraction(str(threshold))
    except ValueError:
        limit = Fraction(-1)
    if not 0 <= limit < 1:
        raise UsageError("invalid threshold", found=str(threshold), expected="from 0 to below 1")
    return limit


def _describe_matches(
    matches: Sequence[_Match], labels: Sequence[str], other_labels: Sequence[str], bags: Bags, other_bags: Bags
) -> tuple[Duplicate, ...]:
    sizes, other_sizes = bags.sizes.tolist(), other_bags.sizes.tolist()
    return tuple(
        Duplicate(
            document=labels[document],
            duplicate_of=other_labels[other],
            ratio=shared / min(sizes[document], other_sizes[other]),
            shared=shared,
            words=sizes[document],
            other_words=other_sizes[other],
            index=document,
            other_index=other,
        )
        for document, other, shared in sorted(matches)
    )


def duplicates_within(
    bags: Bags, threshold: Fraction, advance: Callable[[int], None] | None = None
) -> Iterator[_Match]:
    """Yield the documents to drop, the longest first.

    Documents are visited from the longest to the shortest, equal ones in the order of the corpus.
    One that duplicates a kept document is dropped, and never compared with again: whatever is
    dropped is nearly all in a document that stays. Of several originals the one that shares most is
    named, then the longest, then the first.
    """
    order = longest_first(bags.sizes)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    kept = Postings(bags)
    for document in order.tolist():
        tokens = bags.of(document)
        shared = kept.sharing(tokens, required_overlap(len(tokens), threshold))
        if len(shared):
            best = int(np.lexsort((rank[shared.documents], -shared.tokens))[0])
            yield document, int(shared.documents[best]), int(shared.tokens[best])
        else:
            kept.add(document)
        if advance is not None:
            advance(1)


def duplicates_between(
    bags: Bags, others: Bags, threshold: Fraction, advance: Callable[[int], None] | None = None
) -> Iterator[_Match]:
    """Yield the documents of the first corpus that duplicate one of the second, longer or shorter.

    Of several originals the one with the largest ratio is named, then the longest.
    """
    full, prefixes = Postings(others), _RarePrefixes(others, threshold)
    for other in range(len(others)):
        full.add(other)
    sizes = others.sizes
    rank = np.empty(len(others), np.int64)
    rank[longest_first(sizes)] = np.arange(len(others))
    for document in longest_first(bags.sizes).tolist():
        tokens = bags.of(document)
        # A longer original has most of this document's tokens; of a shorter one this document has
        # most.
        longer = full.sharing(tokens, required_overlap(len(tokens), threshold))
        longer = longer.only(sizes[longer.documents] >= len(tokens))
        shorter = prefixes.within(tokens)
        shared = SharedTokens(
            documents=np.concatenate((longer.documents, shorter.documents)),
            tokens=np.concatenate((longer.tokens, shorter.tokens)),
        )
        if len(shared):
            ratio = shared.tokens / np.minimum(len(tokens), sizes[shared.documents])
            best = int(np.lexsort((rank[shared.documents], -ratio))[0])
            yield document, int(shared.documents[best]), int(shared.tokens[best])
        if advance is not None:
            advance(1)


def longest_first(sizes: Longs) -> Longs:
    """Return document numbers by decreasing size, equal ones in order.

    >>> longest_first(np.array([3, 5, 3])).tolist()
    [1, 0, 2]
    """
    return np.argsort(-sizes, kind="stable")


class _RarePrefixes:
    """Index of the rarest tokens of documents: a bag that contains a document must have some."""

    def __init__(self, bags: Bags, threshold: Fraction) -> None:
        self._sizes = bags.sizes
        self._needed = np.array([required_overlap(size, threshold) for size in self._sizes.tolist()], np.int64)
        self._met = np.minimum(self._needed, _MAX_PREFIX_HITS)
        # If k of n tokens must be shared, at least l of any n − k + l of them are.
        lengths = np.minimum(self._sizes - self._needed + self._met, self._sizes)
        lengths[self._needed > self._sizes] = 0
        tokens = bags.tokens[ranges(bags.offsets[:-1], lengths)]
        counts = np.bincount(tokens, minlength=bags.vocabulary)
        self._first, self._counts = np.cumsum(counts) - counts, counts
        owners = np.repeat(np.arange(len(bags), dtype=np.int32), lengths)
        self._owners: Ints = owners[np.argsort(tokens, kind="stable")]
        self._overlap: Callable[[Ints, Longs], Longs] = overlap_counter(bags)

    def within(self, tokens: Ints) -> SharedTokens:
        """Return the documents that duplicate a longer bag."""
        hits = count_occurrences(self._owners[ranges(self._first[tokens], self._counts[tokens])])
        enough = hits.tokens >= self._met[hits.documents]
        hits = hits.only(enough & (self._sizes[hits.documents] < len(tokens)))
        shared = self._overlap(tokens, hits.documents)
        verified = SharedTokens(documents=hits.documents, tokens=shared)
        return verified.only(shared >= self._needed[hits.documents])
