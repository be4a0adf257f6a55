"""The contingency table where mentions are repeated: one span marked twice on one side.

Without repeats key and response are partitions and |k∩r| is one number. With them a mention may
stand in several chains, or several times in one, and published scorers count differently. This
module counts in every way that one of them does, mention by mention, for the rare files that need
it.
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.records import Columns, Flags, Floats, Ints, Longs
from corefbench.scoring.matching.alignment import Alignment

Last: TypeAlias = Literal["numbered", "completed", "opened"]
"""Which of several chains is the last: by number (the reference scorer), by the first mention that
is completed (coval), or by the first that is opened, longer ones first (CorefUD)."""

Cells: TypeAlias = tuple[Longs, Longs, Longs, Longs, Longs, Longs]
"""Key chain, response chain, and the four counts of ``Contingency``."""

_MAX_LISTED = 4_000
"""Mentions of one side of a document whose links are listed; beyond it repeats are left out."""


class LinkCounts(Columns, frozen=True, eq=False):
    """For some documents the six counts of BLANC: shared, key and response links, coreferent
    first, then separate."""

    document: Longs
    counts: Floats


class RepeatedMentions(Columns, frozen=True, eq=False):
    """An alignment with repeats: every mention with an identity that repeats share."""

    alignment: Alignment
    key: Longs
    """The identity of every key mention …"""
    response: Longs
    """… and of every response mention: that of its twin, or one of its own."""

    @classmethod
    def of(cls, alignment: Alignment) -> "RepeatedMentions | None":
        """None where nothing is repeated."""
        same_key, same_response = alignment.key_identity(), alignment.response_identity()
        if same_key is None and same_response is None:
            return None
        key = _numbers(same_key, len(alignment.key.mentions))
        own = len(key) + _numbers(same_response, len(alignment.response.mentions))
        twin = alignment.twins.key
        response = np.where(twin >= 0, key[twin], own) if len(key) else own
        return cls(alignment=alignment, key=key, response=response)

    def key_found(self) -> Flags:
        """Which key mentions have a twin."""
        return np.isin(self.key, self.response)

    def cells(self, key_chain: Ints, response_chain: Ints, last: Last) -> Cells:
        """All chains that meet, counted in the four ways."""
        width = int(response_chain.max(initial=0)) + 1
        twinned = np.isin(self.response, self.key)
        response, response_chain = self.response[twinned], response_chain[twinned]
        ranks = _ranks(self.alignment.key, last), _ranks(self.alignment.response, last)[twinned]
        count = _meetings(response, response_chain, self.key, key_chain)[:, ::-1]
        key_count = _meetings(self.key, key_chain, response, response_chain)
        indexed = _lasts(response, response_chain, self.key, key_chain, ranks[0])[:, ::-1]
        key_indexed = _lasts(self.key, key_chain, response, response_chain, ranks[1])
        columns = [pair[:, 0].astype(np.int64) * width + pair[:, 1] for pair in
                   (count, indexed, key_count, key_indexed)]  # fmt: skip
        code = np.unique(np.concatenate(columns))
        counts = [np.bincount(np.searchsorted(code, c), minlength=len(code)) for c in columns]
        key_cell, response_cell = np.divmod(code, width)
        return key_cell, response_cell, counts[0], counts[1], counts[2], counts[3]

    def links(self, key_chain: Ints, response_chain: Ints) -> LinkCounts:
        """The links of every document with repeats, as sets of pairs of identities."""
        key, response = self.alignment.key, self.alignment.response
        documents = _with_repeats(self.key, key.mentions.document, self.response, response.mentions.document)
        of_key = _links_by_document(key, self.key, key_chain, documents)
        of_response = _links_by_document(response, self.response, response_chain, documents)
        counts = [_link_counts(k, r) for k, r in zip(of_key, of_response, strict=True)]
        listed = np.array(counts, np.float64).reshape(len(documents), 6)
        return LinkCounts(document=documents, counts=listed)


def _numbers(same: Ints | None, count: int) -> Longs:
    return np.arange(count) if same is None else same.astype(np.int64)


def _ranks(corpus: Corpus, last: Last) -> Longs:
    """For every mention the rank of its chain; the last chain has the highest."""
    mentions = corpus.mentions
    if last == "numbered":
        return mentions.chain.astype(np.int64)
    start, end = mentions.start.astype(np.int64), mentions.end.astype(np.int64)
    width = int(end.max(initial=0))
    # On one token inner mentions are completed before outer ones, longer opened before shorter.
    place = end * width - start if last == "completed" else start * width - end
    first = np.full(len(corpus.chains), np.iinfo(np.int64).max)
    np.minimum.at(first, mentions.chain, place)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[mentions.chain]


def _meetings(identity: Longs, chain: Ints, other: Longs, other_chain: Ints) -> Ints:
    """A row for every mention and every chain of the other side in which it stands."""
    standing = np.unique(np.stack([other, other_chain], axis=1), axis=0)
    first = np.searchsorted(standing[:, 0], identity, "left")
    repeat = np.searchsorted(standing[:, 0], identity, "right") - first
    step = np.arange(repeat.sum()) - np.repeat(np.cumsum(repeat) - repeat, repeat)
    met = standing[np.repeat(first, repeat) + step, 1]
    return np.stack([np.repeat(chain, repeat), met], axis=1)


def _lasts(identity: Longs, chain: Ints, other: Longs, other_chain: Ints, rank: Longs) -> Ints:
    """A row for every mention that the other side has, with the last chain it has it in."""
    order = np.lexsort((rank, other))
    has = np.isin(identity, other)
    at = np.searchsorted(other[order], identity[has], "right") - 1
    return np.stack([chain[has], other_chain[order[at]]], axis=1)


def _with_repeats(key: Longs, key_document: Ints, response: Longs, response_document: Ints) -> Longs:
    some = []
    for identity, document in ((key, key_document), (response, response_document)):
        order = np.argsort(identity, kind="stable")
        again = identity[order][1:] == identity[order][:-1]
        some.append(document[order[1:][again]])
    return np.unique(np.concatenate(some)).astype(np.int64)


def _links_by_document(corpus: Corpus, identity: Longs, chain: Ints, documents: Longs) -> Iterator[tuple[Longs, Longs]]:
    """The links of each of the documents: those inside chains, and those across them."""
    # Mentions stand in the order of documents; to look at all for each would be quadratic.
    edges = (np.searchsorted(corpus.mentions.document, documents + more) for more in (0, 1))
    for first, end in zip(*(side.tolist() for side in edges), strict=True):
        where = np.arange(first, end)
        if len(where) > _MAX_LISTED:
            _, firsts = np.unique(identity[where], return_index=True)
            where = where[np.sort(firsts)][:_MAX_LISTED]
        yield _links(identity[where], chain[where])


def _links(identity: Longs, chain: Ints) -> tuple[Longs, Longs]:
    """The distinct pairs inside chains, and those across them."""
    a, b = np.triu_indices(len(identity), 1)
    low, high = np.minimum(identity[a], identity[b]), np.maximum(identity[a], identity[b])
    code = (low << 32) + high
    inside = chain[a] == chain[b]
    return np.unique(code[inside]), np.unique(code[~inside])


def _link_counts(key: tuple[Longs, Longs], response: tuple[Longs, Longs]) -> list[int]:
    return [
        size
        for ours, theirs in zip(key, response, strict=True)
        for size in (len(np.intersect1d(ours, theirs)), len(ours), len(theirs))
    ]
