"""The nearest mentions of each mention, within groups, in bounded memory."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.errors import MissingExtra
from corefbench.record import Columns, Longs
from corefbench.resolvers.across.blocking import Blocking
from corefbench.resolvers.across.graph import Found, Search, merged, search, searches
from corefbench.resolvers.across.pairs import all_pairs, split
from corefbench.resolvers.across.vectors import Vectors
from corefbench.resolvers.across.workers import Workers

SMALL = 5_000
"""Groups up to this size are compared whole, a few rows at a time: no graph is quicker."""
_BUNDLE = 20_000
"""Mentions of small groups that are one piece of work."""


class Bundle(Columns, frozen=True, eq=False):
    """Some groups with their vectors, to be searched exactly."""

    members: tuple[Longs, ...]
    vectors: tuple[Vectors, ...]
    count: int


Piece: TypeAlias = Search | Bundle


def chosen_index(blocking: Blocking) -> Blocking:
    """The same with the index that is meant by ``auto``: what is signed is what was done."""
    from importlib.util import find_spec

    if blocking.index == "exact":
        return blocking
    found = find_spec("hnswlib") is not None
    if blocking.index == "hnsw" and not found:
        raise MissingExtra("hnswlib", "scale")
    return replace(blocking, index="hnsw" if found else "exact")


def nearest_within(
    vectors: Vectors,
    groupings: Sequence[tuple[Longs, int]],
    blocking: Blocking,
    workers: Workers,
) -> Iterator[tuple[Longs, Longs]]:
    """Pairs of each mention with the nearest of its group, for groupings and numbers of these."""
    pieces: list[Piece] = []
    for group, count in groupings:
        parts = split(group) if count > 0 else []
        yield _whole([part for part in parts if len(part) <= count + 1])
        small = []
        for part in sorted((p for p in parts if len(p) > count + 1), key=len, reverse=True):
            if blocking.index == "hnsw" and len(part) > SMALL:
                pieces += searches(part, vectors[part], count, blocking.links, blocking.effort)
            else:
                small.append(part)
        pieces += _bundles(small, vectors, count)
    yield from _collected(pieces, workers)


def _collected(pieces: Sequence[Piece], workers: Workers) -> Iterator[tuple[Longs, Longs]]:
    """What the pieces find; that of the graphs of one group is put together."""
    waiting: list[Found] = []
    results = workers.map("candidates", found_by, pieces)
    for piece, result in zip(pieces, results, strict=True):
        if not isinstance(result, Found):
            yield result
            continue
        waiting.append(result)
        if isinstance(piece, Search) and piece.is_last:
            one, other = merged(waiting, piece.count)
            yield piece.members[one], piece.members[other]
            waiting = []


def found_by(piece: Piece) -> "Found | tuple[Longs, Longs]":
    """Search a piece, wherever it was sent."""
    return search(piece) if isinstance(piece, Search) else nearest_of(piece)


def nearest(vectors: Vectors, count: int, at_once: int = 1024) -> tuple[Longs, Longs]:
    """For each row the ``count`` rows with the highest product, exactly, in bounded memory.

    >>> nearest(np.eye(3, dtype=np.float32)[[0, 0, 1]], 1)[1][:2].tolist()
    [1, 0]
    """
    count = min(count, len(vectors) - 1)
    if count <= 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    found = []
    for first in range(0, len(vectors), at_once):
        alike = vectors[first : first + at_once] @ vectors.T
        rows = np.arange(len(alike))
        alike[rows, first + rows] = -np.inf
        found.append(np.argpartition(-alike, count - 1, axis=1)[:, :count])
    return np.repeat(np.arange(len(vectors)), count), np.concatenate(found).reshape(-1)


def nearest_of(bundle: Bundle) -> tuple[Longs, Longs]:
    """The neighbours of all mentions of a bundle."""
    found = [nearest(vectors, bundle.count) for vectors in bundle.vectors]
    sides = zip(bundle.members, found, strict=True)
    both = [(members[one], members[other]) for members, (one, other) in sides]
    return np.concatenate([one for one, _ in both]), np.concatenate([other for _, other in both])


def _whole(parts: Sequence[Longs]) -> tuple[Longs, Longs]:
    """All pairs of groups that have no more than are asked for."""
    members = np.concatenate([np.zeros(0, np.int64), *parts])
    sizes = [len(part) for part in parts]
    one, other = all_pairs(np.repeat(np.arange(len(parts)), sizes))
    return members[one], members[other]


def _bundles(parts: Sequence[Longs], vectors: Vectors, count: int) -> Iterator[Bundle]:
    waiting: list[Longs] = []
    size = 0
    for number, part in enumerate(parts, 1):
        waiting.append(part)
        size += len(part)
        if size >= _BUNDLE or number == len(parts):
            those = tuple(vectors[some] for some in waiting)
            yield Bundle(members=tuple(waiting), vectors=those, count=count)
            waiting, size = [], 0
