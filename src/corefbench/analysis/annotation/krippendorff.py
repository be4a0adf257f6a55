"""Krippendorff's α for coreference, with several distances between chains.

    α = 1 − Dₒ ÷ Dₑ
    Dₒ = 1/n · Σ_u Σ_{i≠j} δ(v_ui, v_uj) ÷ (m_u − 1)
    Dₑ = 1/(n(n−1)) · Σ_v Σ_w n_v n_w δ(v, w)          (Krippendorff 2004, 2011)

m_u is the number of values of unit u, n = Σ m_u over units with two values and more; others have
nothing to be compared with and are left out. Where Dₑ = 0 there is nothing to disagree on, and α
is not defined.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.annotation.annotations import UNMARKED
from corefbench.records import Flags, Floats, Longs

Similarity: TypeAlias = Callable[[Longs, Longs, Longs], Floats]
"""1 − distance, as a function of |A|, |B| and |A∩B|."""
Missing: TypeAlias = Literal["singleton", "absent"]
MISSING: tuple[Missing, ...] = ("singleton", "absent")
"""How an unmarked span counts for an annotator: as a chain of its own, or as a missing value."""


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


def compute_alphas(tables: Sequence[Longs], missing: Missing = "singleton") -> dict[str, float | None]:
    """Compute α by distance over tables of chains (spans × annotators).

    Values are chains; those of different tables or annotators are different values.
    """
    values = _number_values(tables, missing)
    sizes = np.bincount(values[values >= 0])
    count = max(len(sizes), 1)
    # Only pairs of chains that share a span have a similarity above 0, which keeps the sums sparse.
    met = [np.zeros(0, np.int64)]
    for one in values.T:
        for other in values.T:
            both = (one >= 0) & (other >= 0)
            met.append(one[both] * count + other[both])
    pairs, shared = np.unique(np.concatenate(met), return_counts=True)
    first, second = sizes[pairs // count], sizes[pairs % count]
    return {
        name: compute_alpha(values, count, pairs, similarity(first, second, shared))
        for name, similarity in SIMILARITIES.items()
    }


def _number_values(tables: Sequence[Longs], missing: Missing) -> Longs:
    """Number the values of every span and annotator; -1 is a missing value."""
    chains = np.concatenate(tables)
    table = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    values, first = np.full(chains.shape, -1, np.int64), 0
    for column, own_chains in zip(values.T, chains.T, strict=True):
        marked = own_chains >= 0
        width = int(own_chains.max(initial=0)) + 1
        column[marked] = np.unique((table * width + own_chains)[marked], return_inverse=True)[1] + first
        first = int(column.max(initial=first - 1)) + 1
        if missing == "singleton":
            unmarked = own_chains == UNMARKED
            column[unmarked] = first + np.arange(int(unmarked.sum()))
            first += int(unmarked.sum())
    return values


def compute_alpha(values: Longs, count: int, pairs: Longs, similarity: Floats) -> float | None:
    """Compute α of a table (units × annotators) of values below ``count``; -1 is a missing value.

    ``similarity`` is 1 − δ of the ``pairs`` of values, each coded as one · count + other, in
    ascending order; pairs that are left out have similarity 0.

    >>> compute_alpha(np.array([[0, 0], [1, 1], [0, 1]]), 2, np.array([0, 3]), np.ones(2))
    0.4444444444444444
    """
    value_counts = (values >= 0).sum(axis=1)
    values, value_counts = values[value_counts > 1], value_counts[value_counts > 1]
    n = int(value_counts.sum())
    frequency = np.bincount(values[values >= 0], minlength=count).astype(np.float64)
    expected = n * n - float((frequency[pairs // count] * frequency[pairs % count] * similarity).sum())
    # Σ_u Σ_{i≠j} (1 − δ) ÷ (m_u − 1); each unit has Σ_{i≠j} 1 ÷ (m_u − 1) = m_u.
    agreement = 0.0
    for i, one in enumerate(values.T):
        for j, other in enumerate(values.T):
            if i != j:
                both: Flags = (one >= 0) & (other >= 0)
                wanted = one[both] * count + other[both]
                index = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
                matched = np.where(pairs[index] == wanted, similarity[index], 0.0)
                agreement += float((matched / (value_counts[both] - 1)).sum())
    return None if expected <= 0 else 1 - (n - agreement) * (n - 1) / expected
