"""Helpers for sorted columns and index ranges."""

from collections.abc import Sequence

import numpy as np

from corefbench.records import Ints, Longs


def search_sorted(column: Ints | Longs, *values: int) -> list[int]:
    """Return how many numbers of a sorted column are less than each of the values.

    The values are converted to the type of the column. Otherwise NumPy converts the whole column,
    which costs quadratic time where this is called for every document.

    >>> search_sorted(np.array([0, 0, 2, 2, 2, 5], np.int32), 2, 3)
    [2, 5]
    """
    positions: list[int] = np.searchsorted(column, np.array(values, column.dtype)).tolist()
    return positions


def ranges(starts: Longs, counts: Longs) -> Longs:
    """Return the numbers of several ranges, one after another.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(counts)
    first = starts - (ends - counts)
    return np.repeat(first, counts) + np.arange(ends[-1] if len(ends) else 0)


def run_starts(lengths: Sequence[int]) -> Longs:
    """Return the start of each of several runs, given their lengths.

    >>> run_starts([2, 0, 3]).tolist()
    [0, 2, 2]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    return ends - np.asarray(lengths, np.int64)


def number_by_appearance(values: Ints | Longs) -> tuple[Longs, Ints]:
    """Return where each distinct value appears first, in order, and the number of every value.

    >>> first, numbers = number_by_appearance(np.array([7, 3, 7]))
    >>> first.tolist(), numbers.tolist()
    ([0, 1], [0, 1, 0])
    """
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.sort(first), rank[inverse]
