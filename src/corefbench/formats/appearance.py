"""Numbering values by first appearance."""

import numpy as np

from corefbench.record import Longs


def by_appearance(values: np.ndarray) -> tuple[Longs, Longs]:
    """The places where values first appear, and the number of each value in that order.

    >>> [found.tolist() for found in by_appearance(np.array([7, 3, 7, 5]))]
    [[0, 1, 3], [0, 1, 0, 2]]
    """
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return first[order], number[inverse]
