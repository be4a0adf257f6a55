"""Average linkage within components, by whoever is free, the largest components first."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Columns, Longs
from corefbench.resolvers.across.clustering import square, tree
from corefbench.resolvers.across.judging import AT_ONCE, Judge
from corefbench.resolvers.across.pairs import all_pairs
from corefbench.resolvers.across.scorer import Chances
from corefbench.resolvers.across.workers import Held, Workers

Merges: TypeAlias = NDArray[np.float64]
Scored: TypeAlias = tuple[Longs, Longs, Chances]
"""Pairs and their chances."""


class Bundle(Columns, frozen=True, eq=False):
    """Some components; with their pairs where all others count as 0."""

    members: tuple[Longs, ...]
    pairs: Scored | None = None
    """Of places in the bundle, component after component."""


class Linking(Columns, frozen=True, eq=False):
    """Makes a tree of merges for each component of a bundle, wherever it was sent."""

    judge: Held[Judge]

    def __call__(self, bundle: Bundle) -> list[Merges]:
        sizes = np.array([len(members) for members in bundle.members])
        part = np.repeat(np.arange(len(sizes)), sizes)
        one, other, score = bundle.pairs or self._all(np.concatenate(bundle.members), part)
        edges = np.searchsorted(part[one], np.arange(len(sizes) + 1))
        first = np.cumsum(sizes) - sizes
        return [
            _tree(size, one[a:b] - at, other[a:b] - at, score[a:b])
            for size, at, a, b in zip(
                sizes.tolist(), first.tolist(), edges[:-1], edges[1:], strict=True
            )
        ]

    def _all(self, members: Longs, part: Longs) -> Scored:
        """All pairs within components: the candidates among them are scored again."""
        one, other = all_pairs(part)
        return one, other, self.judge.value.score(members[one], members[other])


def linked(
    held: Held[Judge], members: Sequence[Longs], pairs: Scored | None, count: int, workers: Workers
) -> list[Merges]:
    """A tree for each component; ``pairs`` are all that is known, else every pair is scored."""
    bundles = list(_bundles(members))
    if pairs is not None:
        bundles = _with_pairs(bundles, pairs, count)
    found = workers.map("linkage", Linking(judge=held), bundles)
    return [merges for some in found for merges in some]


def _bundles(members: Sequence[Longs]) -> Iterator[Bundle]:
    """Components in their order; small ones together, so that pieces are of like cost."""
    waiting: list[Longs] = []
    pairs = 0
    for part in members:
        waiting.append(part)
        pairs += len(part) * (len(part) - 1) // 2
        if pairs >= AT_ONCE:
            yield Bundle(members=tuple(waiting))
            waiting, pairs = [], 0
    if waiting:
        yield Bundle(members=tuple(waiting))


def _with_pairs(bundles: Sequence[Bundle], pairs: Scored, count: int) -> list[Bundle]:
    """Every bundle with the candidates in its components."""
    part, place = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    edges = [0]
    for bundle in bundles:
        flat = np.concatenate(bundle.members)
        place[flat] = np.arange(len(flat))
        for members in bundle.members:
            part[members] = edges[-1]
            edges[-1] += 1
        edges.append(edges[-1])
    one, other, score = pairs
    inside = np.flatnonzero((part[one] == part[other]) & (part[one] >= 0))
    order = inside[np.argsort(part[one[inside]], kind="stable")]
    cuts = np.searchsorted(part[one[order]], [0, *edges[:-1]])
    made = []
    for bundle, first, last in zip(bundles, cuts[:-1], cuts[1:], strict=True):
        rows = order[first:last]
        own = place[one[rows]], place[other[rows]], score[rows]
        made.append(Bundle(members=bundle.members, pairs=own))
    return made


def _tree(size: int, one: Longs, other: Longs, score: Chances) -> Merges:
    if size == 2:  # most components: nothing is to be decided
        return np.array([[0.0, 1.0, max(1.0 - float(score[0]), 0.0), 2.0]])
    return tree(square(size, one, other, score))
