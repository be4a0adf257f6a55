"""Krippendorff's α for coreference, with several distances between chains.

    α = 1 − Dₒ ÷ Dₑ
    Dₒ = 1/n · Σ_u Σ_{i≠j} δ(v_ui, v_uj) ÷ (m_u − 1)
    Dₑ = 1/(n(n−1)) · Σ_v Σ_w n_v n_w δ(v, w)          (Krippendorff 2004, 2011)

m_u is the number of values of unit u, n = Σ m_u over units with two values and more; others have
nothing to be compared with and are left out. Where Dₑ = 0 there is nothing to disagree on, and α
is not defined.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.annotation.annotations import ABSENT, UNMARKED, SpanTable
from corefbench.records import Columns, Flags, Floats, Longs

Similarity: TypeAlias = Callable[[Longs, Longs, Longs], Floats]
"""1 − distance, as a function of |A|, |B| and |A∩B|."""
Missing: TypeAlias = Literal["singleton", "absent"]
MISSING: tuple[Missing, ...] = ("singleton", "absent")
"""How an unmarked span counts for an annotator: as a chain of its own, or as a missing value."""


class ChainValues(Columns, frozen=True, eq=False):
    """Chains of all annotators as values, and how many mentions each pair of them shares."""

    table: Longs
    """Spans × annotators; -1 is a missing value."""
    sizes: Longs
    one: Longs
    other: Longs
    shared: Longs


class AlphaSums(Columns, frozen=True, eq=False):
    """The sums that α is computed from."""

    observed: float
    """n · Dₒ"""
    expected: float
    """n(n−1) · Dₑ"""
    values: int
    """n"""

    @property
    def alpha(self) -> float | None:
        if self.expected <= 0:
            return None
        return 1 - self.observed * (self.values - 1) / self.expected


class Similarities(Columns, frozen=True, eq=False):
    """All ordered pairs of values with a distance below 1, including a value with itself."""

    one: Longs
    other: Longs
    likeness: Floats
    """1 − δ."""


def compute_alphas(tables: Iterable[SpanTable], missing: Missing = "singleton") -> dict[str, float | None]:
    """Compute α over all tables, by distance."""
    values = chain_values(list(tables), missing)
    return {name: sums.alpha for name, sums in sums_by_distance(values).items()}


def _jaccard(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray(both / np.maximum(a + b - both, 1), np.float64)


def _binary(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray((both == a) & (both == b) & (both > 0), np.float64)


def _monotony(a: Longs, b: Longs, both: Longs) -> Floats:
    """Return 1, ⅔, ⅓ or 0 for sets that are equal, nested, overlapping or disjoint."""
    thirds = 1 * (both > 0) + ((both == a) | (both == b)) * (both > 0) + _binary(a, b, both)
    return np.asarray(thirds / 3, np.float64)


def _dice(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray(2 * both / np.maximum(a + b, 1), np.float64)


def _masi(a: Longs, b: Longs, both: Longs) -> Floats:
    return _jaccard(a, b, both) * _monotony(a, b, both)


SIMILARITIES: Mapping[str, Similarity] = {
    "passonneau": _monotony,
    "masi": _masi,
    "jaccard": _jaccard,
    "dice": _dice,
    "binary": _binary,
}


def distance(name: str, a: frozenset[int], b: frozenset[int]) -> float:
    """Return the distance of two sets.

    >>> distance("masi", frozenset({1, 2}), frozenset({1, 2, 3, 4}))
    0.6666666666666667
    >>> distance("passonneau", frozenset({1, 2}), frozenset({2, 3}))
    0.6666666666666667
    """
    sizes = (np.array([n]) for n in (len(a), len(b), len(a & b)))
    return 1 - float(SIMILARITIES[name](*sizes)[0])


def sum_disagreement(values: Longs, count: int, likenesses: Similarities) -> AlphaSums:
    """Sum Dₒ and Dₑ over units (rows) and annotators; -1 is a missing value.

    >>> one_each = Similarities(one=np.arange(2), other=np.arange(2), likeness=np.ones(2))
    >>> sum_disagreement(np.array([[0, 0], [1, 1], [0, 1]]), 2, one_each).alpha
    0.4444444444444444
    """
    value_counts = (values >= 0).sum(axis=1)
    values, value_counts = values[value_counts > 1], value_counts[value_counts > 1]
    n = int(value_counts.sum())
    frequency = np.bincount(values[values >= 0], minlength=count).astype(np.float64)
    agreement = float((frequency[likenesses.one] * frequency[likenesses.other] * likenesses.likeness).sum())
    observed = n - _sum_agreement(values, value_counts, count, likenesses)
    return AlphaSums(observed=observed, expected=n * n - agreement, values=n)


def _sum_agreement(values: Longs, value_counts: Longs, count: int, likenesses: Similarities) -> float:
    """Σ_u Σ_{i≠j} (1 − δ) ÷ (m_u − 1); each unit has Σ_{i≠j} 1 ÷ (m_u − 1) = m_u."""
    # Pairs that are not listed have similarity 0, which keeps the sums sparse.
    codes = likenesses.one * count + likenesses.other
    order = np.argsort(codes)
    codes, likeness = codes[order], likenesses.likeness[order]
    if not len(codes):
        return 0.0
    total = 0.0
    for i in range(values.shape[1]):
        for j in range(values.shape[1]):
            if i != j:
                both: Flags = (values[:, i] >= 0) & (values[:, j] >= 0)
                wanted = values[both, i] * count + values[both, j]
                index = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
                matched = np.where(codes[index] == wanted, likeness[index], 0.0)
                total += float((matched / (value_counts[both] - 1)).sum())
    return total


def sums_by_distance(values: ChainValues) -> Mapping[str, AlphaSums]:
    """Return the sums behind α, by distance."""
    sums = {}
    for name, likeness in SIMILARITIES.items():
        similarities = likeness(values.sizes[values.one], values.sizes[values.other], values.shared)
        pairs = Similarities(one=values.one, other=values.other, likeness=similarities)
        sums[name] = sum_disagreement(values.table, len(values.sizes), pairs)
    return sums


def chain_values(tables: Sequence[SpanTable], missing: Missing) -> ChainValues:
    """Number the values of every span; chains of different tables share nothing."""
    annotators = tables[0].chains.shape[1] if tables else 0
    columns = [np.zeros(0, np.int64)] * annotators
    count = 0
    for annotator in range(annotators):
        chains = [table.chains[:, annotator] for table in tables]
        columns[annotator], count = _number_values(chains, count, missing)
    table = np.column_stack(columns) if columns else np.zeros((0, 0), np.int64)
    sizes = np.bincount(table[table >= 0], minlength=count)
    return ChainValues(table=table, sizes=sizes, **_count_shared(table, count))


def _number_values(chains: Sequence[Longs], first: int, missing: Missing) -> tuple[Longs, int]:
    """Number the values of one annotator from ``first``; return them and the next free number."""
    if not chains:
        return np.zeros(0, np.int64), first
    all_chains = np.concatenate(chains)
    table = np.repeat(np.arange(len(chains)), [len(one_table) for one_table in chains])
    values = np.full(len(all_chains), -1, np.int64)
    marked = all_chains >= 0
    # Chains of different tables are different values, whatever their numbers.
    width = int(all_chains.max(initial=0)) + 1
    values[marked] = np.unique((table * width + all_chains)[marked], return_inverse=True)[1] + first
    first = int(values.max(initial=first - 1)) + 1
    if missing == "singleton":
        unmarked = all_chains == UNMARKED
        values[unmarked] = first + np.arange(int(unmarked.sum()))
        first += int(unmarked.sum())
    values[all_chains == ABSENT] = -1
    return values, first


def _count_shared(table: Longs, count: int) -> dict[str, Longs]:
    """Count the spans that each ordered pair of values shares, including a value with itself."""
    width = max(count, 1)
    codes = [np.zeros(0, np.int64)]
    for one in table.T:
        for other in table.T:
            both = (one >= 0) & (other >= 0)
            codes.append(one[both] * width + other[both])
    codes_met, shared = np.unique(np.concatenate(codes), return_counts=True)
    return {"one": codes_met // width, "other": codes_met % width, "shared": shared}
