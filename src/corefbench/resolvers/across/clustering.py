"""Average linkage: one tree of merges, cut at any threshold."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Longs


def tree(similarity: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """The merges of average linkage over 1 − similarity, as SciPy writes them.

    The distance of two clusters is the mean over all pairs of their members.
    """
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    if len(similarity) < 2:
        return np.zeros((0, 4))
    # Two that are the same may come out a little above 1.
    distance = np.maximum(1.0 - np.asarray(similarity, np.float64), 0.0)
    np.fill_diagonal(distance, 0.0)
    made: NDArray[np.float64] = linkage(squareform(distance, checks=False), method="average")
    return made


def cut(merges: NDArray[np.float64], threshold: float, count: int) -> Longs:
    """The cluster of each of ``count`` things: what merged at a similarity above the threshold.

    >>> alike = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> cut(tree(alike), 0.5, 3).tolist(), cut(tree(alike), 0.25, 3).tolist()
    ([0, 0, 1], [0, 0, 0])
    """
    from scipy.cluster.hierarchy import fcluster

    if count < 2 or not len(merges):
        return np.arange(count)
    clusters = fcluster(merges, 1.0 - threshold, criterion="distance")
    _, first, number = np.unique(clusters, return_index=True, return_inverse=True)
    # Numbered by first appearance.
    return np.argsort(np.argsort(first))[number].astype(np.int64)


def square(count: int, one: Longs, other: Longs, score: NDArray[np.floating[Any]]) -> Any:
    """A symmetric matrix of the scores of pairs; 0 where a pair has none."""
    made = np.zeros((count, count), np.float32)
    made[one, other] = made[other, one] = score
    return made


def numbered(parts: Sequence[tuple[Longs, Longs]], count: int) -> Longs:
    """Clusters of groups as clusters of all: ``parts`` has the members and their clusters."""
    made, before = np.zeros(count, np.int64), 0
    for members, clusters in parts:
        made[members] = clusters + before
        before += int(clusters.max(initial=-1)) + 1
    return made
