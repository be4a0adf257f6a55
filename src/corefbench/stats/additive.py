"""What is counted over a corpus adds: blocks of a stream, parallel runs and genres sum."""

from collections import Counter
from typing import Self, TypeAlias

import numpy as np

from corefbench.record import Record

Histogram: TypeAlias = Counter[int]
"""How often each value occurs: it adds, and mean, share and chart can be taken from it."""


class Additive(Record, frozen=True):
    """A record whose fields are counts, histograms or such records: it adds field by field."""

    def __add__(self, other: Self) -> Self:
        names = self.__struct_fields__
        return type(self)(**{name: getattr(self, name) + getattr(other, name) for name in names})


def histogram(values: np.ndarray) -> Histogram:
    """How often each value occurs.

    >>> histogram(np.array([2, 1, 2]))
    Counter({2: 2, 1: 1})
    """
    found, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(found.tolist(), counts.tolist(), strict=True)))


def mean(values: Histogram) -> float | None:
    """Σ value · count ÷ Σ count, None of nothing.

    >>> mean(Counter({2: 3, 4: 1})), mean(Counter())
    (2.5, None)
    """
    return ratio(sum(value * count for value, count in values.items()), values.total())


def ratio(part: float, whole: float) -> float | None:
    """part / whole, None where there is nothing to divide by: no rate, rather than 0."""
    return part / whole if whole else None
