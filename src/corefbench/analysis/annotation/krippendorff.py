"""Krippendorff's α, for any values between which there is a distance.

    α = 1 − Dₒ ÷ Dₑ
    Dₒ = 1/n · Σ_u Σ_{i≠j} δ(v_ui, v_uj) ÷ (m_u − 1)
    Dₑ = 1/(n(n−1)) · Σ_v Σ_w n_v n_w δ(v, w)          (Krippendorff 2004, 2011)

m_u is the number of values of unit u, n = Σ m_u over units with two values and more; others have
nothing to be compared with and are left out. Where Dₑ = 0 there is nothing to disagree on, and α
is not defined.
"""

import numpy as np

from corefbench.record import Columns, Flags, Floats, Longs


class Likenesses(Columns, frozen=True, eq=False):
    """Pairs of values that are not wholly apart: each ordered pair, a value with itself too."""

    one: Longs
    other: Longs
    likeness: Floats
    """1 − δ."""


class Sums(Columns, frozen=True, eq=False):
    """What α is made of."""

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


def sums(values: Longs, count: int, likenesses: Likenesses) -> Sums:
    """The sums of Dₒ and Dₑ over units (rows) and annotators; -1 is no value.

    >>> one_each = Likenesses(one=np.arange(2), other=np.arange(2), likeness=np.ones(2))
    >>> sums(np.array([[0, 0], [1, 1], [0, 1]]), 2, one_each).alpha
    0.4444444444444444
    """
    given = (values >= 0).sum(axis=1)
    values, given = values[given > 1], given[given > 1]
    n = int(given.sum())
    met = np.bincount(values[values >= 0], minlength=count).astype(np.float64)
    like = float((met[likenesses.one] * met[likenesses.other] * likenesses.likeness).sum())
    observed = n - _agreed(values, given, count, likenesses)
    return Sums(observed=observed, expected=n * n - like, values=n)


def _agreed(values: Longs, given: Longs, count: int, likenesses: Likenesses) -> float:
    """Σ_u Σ_{i≠j} (1 − δ) ÷ (m_u − 1); each unit has Σ_{i≠j} 1 ÷ (m_u − 1) = m_u."""
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
                place = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
                alike = np.where(codes[place] == wanted, likeness[place], 0.0)
                total += float((alike / (given[both] - 1)).sum())
    return total
