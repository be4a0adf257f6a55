"""From the scores of pairs to clusters of mentions, however many there are."""

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Columns, Longs
from corefbench.resolvers.across.clustering import cut, numbered, square, tree
from corefbench.resolvers.across.pairs import split


class Forest(Columns, frozen=True, eq=False):
    """A tree of merges for every group of mentions: one serves all thresholds above the floor."""

    members: tuple[Longs, ...]
    trees: tuple[NDArray[np.float64], ...]
    count: int

    def clusters(self, threshold: float) -> Longs:
        """The cluster of each mention; one of no part is a cluster by itself."""
        parts = [
            (members, cut(merges, threshold, len(members)))
            for members, merges in zip(self.members, self.trees, strict=True)
        ]
        made = numbered(parts, self.count)
        alone = np.ones(self.count, np.bool_)
        for members in self.members:
            alone[members] = False
        made[alone] = int(made[~alone].max(initial=-1)) + 1 + np.arange(int(alone.sum()))
        return made


def forest(group: Longs, one: Longs, other: Longs, score: NDArray[np.float32]) -> Forest:
    """Average linkage within groups, of all their pairs."""
    members = split(group)
    members.sort(key=lambda part: int(part[0]))
    trees = _trees(members, len(group), one, other, score)
    return Forest(members=tuple(members), trees=tuple(trees), count=len(group))


def components(
    count: int,
    one: Longs,
    other: Longs,
    score: NDArray[np.float32],
    floor: float,
    largest: int,
    step: float = 0.05,
) -> list[Longs]:
    """What pairs above the ``floor`` join; a part that is too large is cut by a higher one."""
    members: list[Longs] = []
    work = [(np.arange(count), floor)]
    while work:
        some, least = work.pop()
        inside = _inside(count, some, one, other) & (score > least)
        for part in _components(some, one[inside], other[inside]):
            if len(part) > largest and least < 0.95:
                work.append((part, least + step))
            else:
                members.append(part)
    return members


def _trees(
    members: list[Longs], count: int, one: Longs, other: Longs, score: NDArray[np.float32]
) -> list[NDArray[np.float64]]:
    """Average linkage in each part, of the pairs that lie in it."""
    part, place = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for number, some in enumerate(members):
        part[some], place[some] = number, np.arange(len(some))
    inside = np.flatnonzero(part[one] == part[other])
    order = inside[np.argsort(part[one[inside]], kind="stable")]
    edges = np.searchsorted(part[one[order]], np.arange(len(members) + 1))
    made = []
    for number, some in enumerate(members):
        rows = order[edges[number] : edges[number + 1]]
        made.append(tree(square(len(some), place[one[rows]], place[other[rows]], score[rows])))
    return made


def _inside(count: int, some: Longs, one: Longs, other: Longs) -> NDArray[np.bool_]:
    flags = np.zeros(count, np.bool_)
    flags[some] = True
    return flags[one] & flags[other]


def _components(some: Longs, one: Longs, other: Longs) -> list[Longs]:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(one), np.bool_)
    a, b = np.searchsorted(some, one), np.searchsorted(some, other)
    graph = coo_matrix((ones, (a, b)), shape=(len(some), len(some)))
    return [some[part] for part in split(connected_components(graph, directed=False)[1])]
