"""Memory-based learning: IB1 with gain-ratio weights, as in TiMBL.

    Δ(X, Y) = Σᵢ wᵢ δ(xᵢ, yᵢ),   δ = 0 where the values are equal, else 1

Neighbours are *all* instances at the k smallest distances that occur. On a tie one distance more is
asked; if that does not settle it, the tied class that is most frequent in training wins, then the
one met first: the rules of TiMBL (Daelemans et al. 2010).

Exact, and fast through counting. Two features have very many values (the words), the others few
values together. Instances that agree in the others form a group; of each group it is known how many
instances of each class have a given first word, a given second word, or both. A group thus falls
into four cells, each at one distance from the instance to classify, so that single instances never
have to be compared.
"""

from collections.abc import Iterator
from math import prod

import numpy as np

from corefbench.records import Columns, Floats

_EPSILON = float(np.finfo(np.float64).eps)
_DECIMALS = 12
"""Distances that are equal to so many decimals are one."""


class Votes(Columns, frozen=True, eq=False):
    """The votes on every instance."""

    label: np.ndarray
    counts: np.ndarray
    """Instances × classes: the neighbours that voted."""
    distance: Floats
    """To the nearest neighbour."""


class Memory:
    """The training instances, kept as counts.

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
        self.weights = compute_gain_ratios(codes, labels)
        self.preference = _class_preference(labels, self.classes)
        values = codes.max(axis=0).astype(np.int64) + 1
        # The two features with the most values, the others in their order.
        self.first, self.second = sorted(np.argsort(-values, kind="stable")[:2].tolist())
        self.others = [i for i in range(len(values)) if i not in (self.first, self.second)]
        self.groups, group = _unique_rows(codes[:, self.others])
        self.totals = _count_classes(group, labels, len(self.groups), self.classes)
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
        distinct, back = _unique_rows(codes[:, order])
        votes = list(self._vote_all(distinct))
        return Votes(
            label=np.array([label for label, _, _ in votes], np.int64)[back],
            counts=np.array([counts for _, counts, _ in votes], np.int64).reshape(-1, self.classes)[back],
            distance=np.array([distance for _, _, distance in votes], np.float64)[back],
        )

    def _vote_all(self, rows: np.ndarray) -> Iterator[tuple[int, np.ndarray, float]]:
        """Yield one vote per row; rows that agree in all but the words are adjacent."""
        pattern: bytes | None = None
        weights = self.weights[self.others]
        for row in rows:
            others, first, second = row[:-2], int(row[-2]), int(row[-1])
            if others.tobytes() != pattern:
                pattern = others.tobytes()
                # Not a matrix product: the threads of BLAS cost more here than they save.
                base = np.where(self.groups != others, weights, 0.0).sum(axis=1)
                order = np.argsort(base, kind="stable")
                ranked = base[order]
            yield self._vote(*self._neighbours(base, order, ranked, first, second))

    def _neighbours(
        self, base: Floats, order: np.ndarray, ranked: Floats, first: int, second: int
    ) -> tuple[Floats, np.ndarray]:
        """Return the k + 1 nearest distances that occur, or all, with the counts at each."""
        both_known = first >= 0 and second >= 0
        a, of_a = self.by_first[first]
        b, of_b = self.by_second[second]
        ab, of_ab = self.by_both[first * self.wide + second if both_known else -1]
        alone_a, alone_b = (_subtract_counts(a, of_a, ab, of_ab), _subtract_counts(b, of_b, ab, of_ab))
        w_first, w_second = self.weights[self.first], self.weights[self.second]
        near = [(base[ab], of_ab), (base[a] + w_second, alone_a), (base[b] + w_first, alone_b)]
        reach = 8
        while True:
            # The cells where neither word matches, from the nearest groups outwards.
            nearest_groups = order[:reach]
            rest = (
                self.totals[nearest_groups]
                - _counts_of_groups(nearest_groups, a, of_a)
                - _counts_of_groups(nearest_groups, b, alone_b)
            )
            cells = [*near, (base[nearest_groups] + (w_first + w_second), rest)]
            distances, counts = _sum_by_distance(cells, self.classes)
            if reach >= len(order):
                return distances[: self.k + 1], counts[: self.k + 1]
            # Groups beyond ``reach`` are at least this far away, so nearer distances are complete.
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


def compute_gain_ratios(codes: np.ndarray, labels: np.ndarray) -> Floats:
    """Return the gain ratio of every feature, the weights of weighted overlap.

    IGᵢ = H(C) − Σᵥ P(v) H(C|v)        siᵢ = −Σᵥ P(v) log₂ P(v)        GRᵢ = IGᵢ / siᵢ

    with relative frequencies in training as probabilities. A feature with a single value weighs
    nothing (Quinlan 1993; Daelemans & van den Bosch 2005). ``codes`` are instances × features,
    ``labels`` the class of every instance.

    >>> codes = np.array([[0, 0], [0, 0], [1, 0], [1, 0]])
    >>> compute_gain_ratios(codes, np.array([0, 0, 1, 1])).tolist()
    [1.0, 0.0]
    """
    classes = int(labels.max()) + 1 if len(labels) else 1
    whole = _entropy(np.bincount(labels, minlength=classes)[None, :])[0]
    return np.array([_gain_ratio(column, labels, classes, whole) for column in codes.T])


def _gain_ratio(column: np.ndarray, labels: np.ndarray, classes: int, whole: float) -> float:
    counts = np.bincount(column.astype(np.int64) * classes + labels)
    counts = np.append(counts, np.zeros(-len(counts) % classes, counts.dtype))
    table = counts.reshape(-1, classes)
    of_value = table.sum(axis=1)
    split = _entropy(of_value[None, :])[0]
    if split < _EPSILON:
        return 0.0
    gain = whole - float((of_value / len(column)) @ _entropy(table))
    return float(max(gain, 0.0) / split)


def _entropy(counts: np.ndarray) -> Floats:
    """Return the entropy in bits of each row of counts; 0 for an empty row."""
    total = counts.sum(axis=1, keepdims=True)
    share = counts / np.maximum(total, 1)
    return np.asarray(-(share * np.log2(share, out=np.zeros_like(share), where=share > 0)).sum(1))


class Postings(Columns, frozen=True, eq=False):
    """Inverted index: for every value, in ascending order, the groups that have it.

    Groups are in ascending order too, with counts of each class.
    """

    values: np.ndarray
    offsets: np.ndarray
    groups: np.ndarray
    counts: np.ndarray
    """Parallel to ``groups``, one column per class."""

    @classmethod
    def of(cls, values: np.ndarray, group: np.ndarray, labels: np.ndarray, groups: int, classes: int) -> "Postings":
        """Count every value in every group."""
        keys, inverse = np.unique(values.astype(np.int64) * groups + group, return_inverse=True)
        flat = np.bincount(inverse.reshape(-1) * classes + labels, minlength=len(keys) * classes)
        present, first = np.unique(keys // groups, return_index=True)
        return cls(
            values=present, offsets=np.append(first, len(keys)), groups=keys % groups, counts=flat.reshape(-1, classes)
        )

    def __getitem__(self, value: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the groups that have the value with their counts; empty for an unknown value."""
        index = int(np.searchsorted(self.values, value))
        is_known = index < len(self.values) and self.values[index] == value
        a, b = (self.offsets[index], self.offsets[index + 1]) if is_known else (0, 0)
        return self.groups[a:b], self.counts[a:b]


def _unique_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows in lexicographic order, and the index of each row among them."""
    least = rows.min(axis=0, initial=0)
    sizes = [int(size) for size in rows.max(axis=0, initial=0) - least + 1]
    if prod(sizes) >= 1 << 62:
        distinct, back = np.unique(rows, axis=0, return_inverse=True)
        return distinct, back.reshape(-1)
    # Sorting one number per row is far faster than sorting rows.
    number = np.zeros(len(rows), np.int64)
    for column, low, size in zip(rows.T, least.tolist(), sizes, strict=True):
        number = number * size + (column - low)
    _, first, back = np.unique(number, return_index=True, return_inverse=True)
    return rows[first], back.reshape(-1)


def _class_preference(labels: np.ndarray, classes: int) -> list[tuple[int, int]]:
    """Return the sort keys of tied classes: the more frequent, then the first in training."""
    seen, first, counts = np.unique(labels, return_index=True, return_counts=True)
    order = [(0, len(labels))] * classes
    for label, position, count in zip(seen.tolist(), first.tolist(), counts.tolist(), strict=True):
        order[label] = (-count, position)
    return order


def _count_classes(group: np.ndarray, labels: np.ndarray, groups: int, classes: int) -> np.ndarray:
    flat = np.bincount(group * classes + labels, minlength=groups * classes)
    return flat.reshape(groups, classes)


def _counts_of_groups(groups: np.ndarray, known_groups: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the counts of some groups, 0 for those not listed."""
    if not len(known_groups):
        return np.zeros((len(groups), counts.shape[1]), counts.dtype)
    positions = np.minimum(np.searchsorted(known_groups, groups), len(known_groups) - 1)
    return np.where((known_groups[positions] == groups)[:, None], counts[positions], 0)


def _subtract_counts(groups: np.ndarray, counts: np.ndarray, less: np.ndarray, of_less: np.ndarray) -> np.ndarray:
    """Subtract the counts of some of the groups."""
    if not len(less):
        return counts
    difference = counts.copy()
    difference[np.searchsorted(groups, less)] -= of_less
    return difference


def _sum_by_distance(cells: list[tuple[Floats, np.ndarray]], classes: int) -> tuple[Floats, np.ndarray]:
    """Return the distances that occur, ascending, and the counts at each."""
    distance = np.concatenate([where for where, _ in cells]).round(_DECIMALS)
    counts = np.concatenate([cell_counts for _, cell_counts in cells])
    occupied = counts.any(axis=1)
    distances, inverse = np.unique(distance[occupied], return_inverse=True)
    flat = (inverse.reshape(-1, 1) * classes + np.arange(classes)).reshape(-1)
    weights = counts[occupied].reshape(-1).astype(np.float64)
    summed = np.bincount(flat, weights=weights, minlength=len(distances) * classes)
    return distances, summed.astype(np.int64).reshape(-1, classes)
