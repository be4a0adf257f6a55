"""Documents grouped by what they are about, where the corpus does not say it."""

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Longs
from corefbench.resolvers.across.clustering import cut, tree
from corefbench.resolvers.across.context import Context


def document_similarity(context: Context) -> NDArray[np.float32]:
    """The mean of the tf-idf cosine of the documents and of the cosine of their vectors."""
    views = {view.name: view for view in context.views}
    words = views["document"].rows
    vectors = views["document vector"].rows
    return np.asarray(((words @ words.T).toarray() + vectors @ vectors.T) / 2, np.float32)


def predicted_groups(
    similarity: NDArray[np.float32], threshold: float, within: Longs | None = None
) -> Longs:
    """Average linkage over documents, if asked to, within groups that are known (topics)."""
    count = len(similarity)
    known = np.zeros(count, np.int64) if within is None else within
    made, before = np.zeros(count, np.int64), 0
    for group in np.unique(known).tolist():
        members = np.flatnonzero(known == group)
        clusters = cut(tree(similarity[np.ix_(members, members)]), threshold, len(members))
        made[members] = clusters + before
        before += int(clusters.max(initial=-1)) + 1
    return made


def best_threshold(similarity: NDArray[np.float32], key: Longs, within: Longs | None) -> float:
    """The threshold whose groups are most like those of the key, by the adjusted Rand index."""
    tried: list[float] = np.arange(0.1, 0.9, 0.02).round(2).tolist()
    return max(tried, key=lambda t: rand_index(key, predicted_groups(similarity, t, within)))


def rand_index(key: Longs, found: Longs) -> float:
    """The adjusted Rand index: 1 for the same groups, 0 for chance.

    >>> rand_index(np.array([0, 0, 1, 1]), np.array([5, 5, 3, 3]))
    1.0
    """
    _, a = np.unique(key, return_inverse=True)
    _, b = np.unique(found, return_inverse=True)
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a.reshape(-1), b.reshape(-1)), 1)

    def pairs(counts: NDArray[np.float64]) -> float:
        return float((counts * (counts - 1) / 2).sum())

    both, rows, columns = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    chance = rows * columns / max(pairs(np.array([float(len(key))])), 1.0)
    most = (rows + columns) / 2
    return (both - chance) / (most - chance) if most != chance else 1.0
