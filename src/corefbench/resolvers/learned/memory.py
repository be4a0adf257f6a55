"""Memory-based learning: IB1 with weighted overlap, k nearest *distances*, majority voting.

    Δ(X, Y) = Σᵢ wᵢ δ(xᵢ, yᵢ),   δ = 0 where the values are equal, else 1

Neighbours are *all* instances at the k smallest distances that occur. On a tie one distance more is
asked; if that does not settle it, the tied class that is most frequent in training wins, then the
one met first: the rules of TiMBL (Daelemans et al. 2010).

Exact, and fast through counting. Two features have very many values (the words), the others few
values together. Instances that agree in the others form a group; of each group it is known how many
instances of each class have a given first word, a given second word, or both. A group thus falls
into four cells, each at one distance from the instance to classify, and no instance is looked at.
"""

from collections.abc import Iterator
from math import prod

import numpy as np

from corefbench.record import Columns, Floats
from corefbench.resolvers.learned.gain_ratio import gain_ratios
from corefbench.resolvers.learned.postings import Postings

_DECIMALS = 12
"""Distances that are equal to so many decimals are one."""


class Votes(Columns, frozen=True, eq=False):
    """The answer for every instance."""

    label: np.ndarray
    counts: np.ndarray
    """Instances × classes: the neighbours that voted."""
    distance: Floats
    """To the nearest neighbour."""


class Memory:
    """The instances remembered, as counts.

    ``codes`` are instances × features, each value a number from 0; ``labels`` are numbers from 0
    too. A value that training did not have is -1, and equals none.

    >>> codes = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 1], [1, 0, 1]])
    >>> memory = Memory(codes, np.array([0, 0, 1, 1]), k=1)
    >>> memory.classify(np.array([[1, 5, 1]])).label.tolist()
    [1]
    """

    def __init__(self, codes: np.ndarray, labels: np.ndarray, *, k: int = 3) -> None:
        self.k = k
        self.classes = int(labels.max()) + 1
        self.weights = gain_ratios(codes, labels)
        self.preference = _preference(labels, self.classes)
        values = codes.max(axis=0).astype(np.int64) + 1
        # The two features with the most values, the others in their order.
        self.first, self.second = sorted(np.argsort(-values, kind="stable")[:2].tolist())
        self.others = [i for i in range(len(values)) if i not in (self.first, self.second)]
        self.groups, group = _distinct(codes[:, self.others])
        self.totals = _counts(group, labels, len(self.groups), self.classes)
        first, second = codes[:, self.first], codes[:, self.second]
        self.wide = int(values[self.second])
        many = len(self.groups)
        self.by_first = Postings.of(first, group, labels, many, self.classes)
        self.by_second = Postings.of(second, group, labels, many, self.classes)
        both = first.astype(np.int64) * self.wide + second
        self.by_both = Postings.of(both, group, labels, many, self.classes)

    def classify(self, codes: np.ndarray) -> Votes:
        """Vote on every instance; equal ones are voted on once."""
        order = [*self.others, self.first, self.second]
        distinct, back = _distinct(codes[:, order])
        made = list(self._answers(distinct))
        return Votes(
            label=np.array([label for label, _, _ in made], np.int64)[back],
            counts=np.array([counts for _, counts, _ in made], np.int64).reshape(-1, self.classes)[
                back
            ],
            distance=np.array([distance for _, _, distance in made], np.float64)[back],
        )

    def _answers(self, rows: np.ndarray) -> Iterator[tuple[int, np.ndarray, float]]:
        """One answer a row; rows that agree in all but the words stand together."""
        pattern: bytes | None = None
        weights = self.weights[self.others]
        for row in rows:
            others, first, second = row[:-2], int(row[-2]), int(row[-1])
            if others.tobytes() != pattern:
                pattern = others.tobytes()
                # Not by BLAS, whose threads cost more here than they save.
                base = np.where(self.groups != others, weights, 0.0).sum(axis=1)
                order = np.argsort(base, kind="stable")
                ranked = base[order]
            yield self._vote(*self._neighbours(base, order, ranked, first, second))

    def _neighbours(
        self, base: Floats, order: np.ndarray, ranked: Floats, first: int, second: int
    ) -> tuple[Floats, np.ndarray]:
        """The nearest distances that occur, k + 1 of them or all, with the counts at each."""
        both_known = first >= 0 and second >= 0
        a, of_a = self.by_first[first]
        b, of_b = self.by_second[second]
        ab, of_ab = self.by_both[first * self.wide + second if both_known else -1]
        alone_a, alone_b = _without(a, of_a, ab, of_ab), _without(b, of_b, ab, of_ab)
        w_first, w_second = self.weights[self.first], self.weights[self.second]
        near = [(base[ab], of_ab), (base[a] + w_second, alone_a), (base[b] + w_first, alone_b)]
        reach = 8
        while True:
            # The cells where neither word matches, from the nearest groups outwards.
            some = order[:reach]
            rest = self.totals[some] - _of(some, a, of_a) - _of(some, b, alone_b)
            cells = [*near, (base[some] + (w_first + w_second), rest)]
            distances, counts = _gathered(cells, self.classes)
            if reach >= len(order):
                return distances[: self.k + 1], counts[: self.k + 1]
            horizon = round(ranked[reach] + (w_first + w_second), _DECIMALS)
            complete = int(np.searchsorted(distances, horizon))
            if complete > self.k:
                return distances[: self.k + 1], counts[: self.k + 1]
            reach *= 4

    def _vote(self, distances: Floats, counts: np.ndarray) -> tuple[int, np.ndarray, float]:
        votes = counts[: self.k].sum(axis=0)
        tied = np.flatnonzero(votes == votes.max())
        if len(tied) > 1 and len(counts) > self.k:
            more = votes + counts[self.k]
            best = np.flatnonzero(more == more.max())
            if len(best) == 1:
                return int(best[0]), more, float(distances[0])
        label = min(tied.tolist(), key=self.preference.__getitem__)
        return label, votes, float(distances[0])


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct rows in lexicographic order, and for every row which of them it is."""
    least = rows.min(axis=0, initial=0)
    sizes = [int(size) for size in rows.max(axis=0, initial=0) - least + 1]
    if prod(sizes) >= 1 << 62:
        found, back = np.unique(rows, axis=0, return_inverse=True)
        return found, back.reshape(-1)
    # One number a row sorts far faster than the row itself.
    number = np.zeros(len(rows), np.int64)
    for column, low, size in zip(rows.T, least.tolist(), sizes, strict=True):
        number = number * size + (column - low)
    _, first, back = np.unique(number, return_index=True, return_inverse=True)
    return rows[first], back.reshape(-1)


def _preference(labels: np.ndarray, classes: int) -> list[tuple[int, int]]:
    """What decides among tied classes: the more frequent, then the one met first."""
    seen, first, counts = np.unique(labels, return_index=True, return_counts=True)
    order = [(0, len(labels))] * classes
    for label, place, count in zip(seen.tolist(), first.tolist(), counts.tolist(), strict=True):
        order[label] = (-count, place)
    return order


def _counts(group: np.ndarray, labels: np.ndarray, groups: int, classes: int) -> np.ndarray:
    flat = np.bincount(group * classes + labels, minlength=groups * classes)
    return flat.reshape(groups, classes)


def _of(groups: np.ndarray, listed: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The counts of some groups, 0 where a group is not listed."""
    if not len(listed):
        return np.zeros((len(groups), counts.shape[1]), counts.dtype)
    place = np.minimum(np.searchsorted(listed, groups), len(listed) - 1)
    return np.where((listed[place] == groups)[:, None], counts[place], 0)


def _without(
    groups: np.ndarray, counts: np.ndarray, less: np.ndarray, of_less: np.ndarray
) -> np.ndarray:
    """Counts by group minus those of some of the groups."""
    if not len(less):
        return counts
    left = counts.copy()
    left[np.searchsorted(groups, less)] -= of_less
    return left


def _gathered(cells: list[tuple[Floats, np.ndarray]], classes: int) -> tuple[Floats, np.ndarray]:
    """The distances that occur, ascending, and the counts at each."""
    distance = np.concatenate([where for where, _ in cells]).round(_DECIMALS)
    counts = np.concatenate([some for _, some in cells])
    there = counts.any(axis=1)
    distances, at = np.unique(distance[there], return_inverse=True)
    flat = (at.reshape(-1, 1) * classes + np.arange(classes)).reshape(-1)
    weights = counts[there].reshape(-1).astype(np.float64)
    summed = np.bincount(flat, weights=weights, minlength=len(distances) * classes)
    return distances, summed.astype(np.int64).reshape(-1, classes)
