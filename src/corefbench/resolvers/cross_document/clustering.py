"""Mention pairs, connected components and average linkage."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.records import Columns, Flags, Longs

Probabilities: TypeAlias = NDArray[np.float32]
LinkageMatrix: TypeAlias = NDArray[np.float64]
"""Merges as ``scipy.cluster.hierarchy`` writes them."""

_FLOOR_STEP = 0.8
"""A floor f is raised to 1 − 0.8 · (1 − f): in smaller steps where probabilities are high …"""
_MAX_FLOOR = 0.999
"""… up to here. What is still connected is chopped into pieces of similar size."""


# Pairs


def all_pairs(group: Longs) -> tuple[Longs, Longs]:
    """Return every pair of mentions of a group, the earlier mention first."""
    left, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for members in group_members(group):
        a, b = np.triu_indices(len(members), 1)
        left.append(members[a])
        right.append(members[b])
    return np.concatenate(left), np.concatenate(right)


def count_pairs(group: Longs) -> int:
    """Return how many pairs ``all_pairs`` would return.

    >>> count_pairs(np.array([5, 2, 5, 2, 5]))
    4
    """
    _, sizes = np.unique(group, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())


def count_coreferent_pairs(chain: Longs, group: Longs) -> int:
    """Count the coreferent pairs within groups without enumerating them.

    >>> count_coreferent_pairs(np.array([7, 7, 7, 8]), np.array([0, 0, 1, 0]))
    1
    """
    number = _renumber(chain)
    return count_pairs(group * (int(number.max(initial=0)) + 1) + number)


def group_members(group: Longs) -> list[Longs]:
    """Return the members of each group, in order."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if len(order) else []


def pair_codes(left: Longs, right: Longs, count: int) -> Longs:
    """Encode unordered pairs of ``count`` mentions as single numbers."""
    return np.minimum(left, right) * count + np.maximum(left, right)


def unique_pairs(left: Longs, right: Longs, count: int) -> tuple[Longs, Longs]:
    """Return each pair of ``count`` mentions once, the earlier mention first."""
    codes = np.unique(pair_codes(left, right, count))
    return codes // max(count, 1), codes % max(count, 1)


def sample_pairs(labels: Flags, ratio: float, most: int, seed: int) -> Longs:
    """Sample training pairs: all positive ones, and ``ratio`` times as many negative ones."""
    random = np.random.default_rng(seed)
    positive, negative = np.flatnonzero(labels), np.flatnonzero(~labels)
    count = min(len(negative), int(ratio * len(positive)), max(most - len(positive), 0))
    taken = random.choice(negative, count, replace=False) if count else negative[:0]
    return np.sort(np.concatenate([positive, taken]))


def pairs_by_component(
    components: Sequence[Longs], count: int, left: Longs, right: Longs
) -> list[tuple[Longs, Longs, Longs]]:
    """Return, for each component, the rows of its pairs and their positions inside it."""
    component, position = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    for number, members in enumerate(components):
        component[members], position[members] = number, np.arange(len(members))
    inside = np.flatnonzero((component[left] == component[right]) & (component[left] >= 0))
    rows = inside[np.argsort(component[left[inside]], kind="stable")]
    cuts = np.searchsorted(component[left[rows]], np.arange(1, len(components)))
    parts = np.split(rows, cuts) if components else []
    return [(part, position[left[part]], position[right[part]]) for part in parts]


# Average linkage


class LinkageForest(Columns, frozen=True, eq=False):
    """Merges of every component; can be cut at any threshold above the floor it was built with."""

    members: tuple[Longs, ...]
    trees: tuple[LinkageMatrix, ...]
    count: int

    def clusters(self, threshold: float) -> Longs:
        """Return the cluster of each mention; mentions of no component are singletons."""
        clusters, used = np.zeros(self.count, np.int64), 0
        alone = np.ones(self.count, np.bool_)
        for members, merges in zip(self.members, self.trees, strict=True):
            own = cut_tree(merges, threshold, len(members))
            clusters[members] = own + used
            used += int(own.max(initial=-1)) + 1
            alone[members] = False
        clusters[alone] = used + np.arange(int(alone.sum()))
        return clusters


def average_linkage(similarity: NDArray[np.floating[Any]]) -> LinkageMatrix:
    """Return the merges of average linkage over the distance 1 − similarity."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    if len(similarity) < 2:
        return np.zeros((0, 4))
    # Similarities of equal rows may exceed 1 by rounding.
    distance = np.maximum(1.0 - np.asarray(similarity, np.float64), 0.0)
    np.fill_diagonal(distance, 0.0)
    merges: LinkageMatrix = linkage(squareform(distance, checks=False), method="average")
    return merges


def merge_similarity(similarity: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return, for all pairs of items, the similarity at which average linkage merged them."""
    from scipy.cluster.hierarchy import cophenet
    from scipy.spatial.distance import squareform

    return np.asarray(1.0 - squareform(cophenet(average_linkage(similarity))), np.float64)


def cut_tree(merges: LinkageMatrix, threshold: float, count: int) -> Longs:
    """Return the cluster of each item: what merged at a similarity above the threshold.

    >>> similarity = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> merges = average_linkage(similarity)
    >>> cut_tree(merges, 0.5, 3).tolist(), cut_tree(merges, 0.25, 3).tolist()
    ([0, 0, 1], [0, 0, 0])
    """
    from scipy.cluster.hierarchy import fcluster

    if count < 2 or not len(merges):
        return np.arange(count)
    clusters = fcluster(merges, 1.0 - threshold, criterion="distance")
    _, first, number = np.unique(clusters, return_index=True, return_inverse=True)
    # Numbered by first appearance.
    return np.argsort(np.argsort(first))[number].astype(np.int64)


def similarity_matrix(count: int, left: Longs, right: Longs, score: NDArray[Any]) -> Probabilities:
    """Return a symmetric matrix of pair scores; 0 for pairs without a score."""
    matrix = np.zeros((count, count), np.float32)
    matrix[left, right] = matrix[right, left] = score
    return matrix


def exact_forest(group: Longs, left: Longs, right: Longs, score: Probabilities) -> LinkageForest:
    """Cluster each group by average linkage over all its pairs."""
    members = sorted(group_members(group), key=lambda part: int(part[0]))
    trees = [
        average_linkage(similarity_matrix(len(part), a, b, score[rows]))
        for part, (rows, a, b) in zip(members, pairs_by_component(members, len(group), left, right), strict=True)
    ]
    return LinkageForest(members=tuple(members), trees=tuple(trees), count=len(group))


# Components


class Components(Columns, frozen=True, eq=False):
    """Components of more than one mention, the largest first."""

    members: tuple[Longs, ...]
    count: int
    """Number of components, singletons included."""
    largest: int
    """Size of the largest component before any was cut."""
    capped: int
    """Number of components that were cut."""


def connected_labels(count: int, left: Longs, right: Longs) -> Longs:
    """Return the connected component of each mention."""
    from scipy.sparse.csgraph import connected_components

    graph = _sparse_graph(count, left, right)
    return np.asarray(connected_components(graph, directed=False)[1], np.int64)


def likely_components(
    count: int, left: Longs, right: Longs, score: Probabilities, floor: float, largest: int, step: float
) -> list[Longs]:
    """Return the components of pairs above the floor; too large ones get a higher floor."""
    components: list[Longs] = []
    work = [(np.arange(count), floor)]
    while work:
        members, minimum = work.pop()
        inside = np.zeros(count, np.bool_)
        inside[members] = True
        rows = inside[left] & inside[right] & (score > minimum)
        a, b = np.searchsorted(members, left[rows]), np.searchsorted(members, right[rows])
        for part in group_members(connected_labels(len(members), a, b)):
            if len(part) > largest and minimum < 0.95:
                work.append((members[part], minimum + step))
            else:
                components.append(members[part])
    return components


def capped_components(
    count: int, left: Longs, right: Longs, score: Probabilities, floor: float, largest: int
) -> Components:
    """Return the components of pairs that reach the ``floor``, cut to at most ``largest`` mentions.

    Average linkage merges nothing at a threshold that no pair of two clusters reaches. With the
    threshold as floor, components can therefore be clustered separately. A larger component is cut
    at its weakest links by raising the floor.
    """
    likely = score >= floor
    left, right, score = left[likely], right[likely], score[likely]
    label = connected_labels(count, left, right)
    sizes = np.bincount(label, minlength=1)
    before_cut = sizes
    while sizes.max(initial=0) > largest and floor < _MAX_FLOOR:
        floor = 1 - _FLOOR_STEP * (1 - floor)
        label = _split_large(label, sizes > largest, left, right, score >= floor)
        sizes = np.bincount(label)
    label = _chop_large(label, sizes > largest, left, right, largest)
    parts = [part for part in group_members(label) if len(part) > 1]
    parts.sort(key=lambda part: (-len(part), int(part[0])))
    return Components(
        members=tuple(parts),
        count=int((before_cut > 0).sum()),
        largest=int(before_cut.max(initial=0)),
        capped=int((before_cut > largest).sum()),
    )


def _split_large(label: Longs, large: Flags, left: Longs, right: Longs, likely: Flags) -> Longs:
    """Recompute large components from the likely pairs; the others keep their members."""
    members = np.flatnonzero(large[label])
    rows = large[label[left]] & likely & (label[left] == label[right])
    a, b = np.searchsorted(members, left[rows]), np.searchsorted(members, right[rows])
    labels = label.copy()
    labels[members] = len(large) + connected_labels(len(members), a, b)
    return _renumber(labels)


def _chop_large(label: Longs, large: Flags, left: Longs, right: Longs, largest: int) -> Longs:
    """Cut large components into pieces of similar size, in breadth-first order."""
    from scipy.sparse.csgraph import breadth_first_order

    labels, unused = label.copy(), len(large)
    for number in np.flatnonzero(large).tolist():
        members = np.flatnonzero(label == number)
        rows = (label[left] == number) & (label[right] == number)
        a, b = np.searchsorted(members, left[rows]), np.searchsorted(members, right[rows])
        order = breadth_first_order(_sparse_graph(len(members), a, b), 0, False, False)
        pieces = -(-len(members) // largest)
        labels[members[order]] = unused + np.arange(len(members)) * pieces // len(members)
        unused += pieces
    return _renumber(labels)


def _sparse_graph(count: int, left: Longs, right: Longs) -> Any:
    from scipy.sparse import coo_matrix

    return coo_matrix((np.ones(len(left), np.bool_), (left, right)), shape=(count, count)).tocsr()


def _renumber(labels: Longs) -> Longs:
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)


# Documents


def document_forest(similarity: NDArray[np.float32], within: Longs | None = None) -> LinkageForest:
    """Link documents by average linkage, separately within known groups (topics) if given."""
    group = np.zeros(len(similarity), np.int64) if within is None else within
    members = tuple(np.flatnonzero(group == number) for number in np.unique(group).tolist())
    trees = tuple(average_linkage(similarity[np.ix_(part, part)]) for part in members)
    return LinkageForest(members=members, trees=trees, count=len(similarity))


def best_document_threshold(similarity: NDArray[np.float32], key: Longs, within: Longs | None) -> float:
    """Return the threshold whose clusters have the highest adjusted Rand index with the key."""
    from sklearn.metrics import adjusted_rand_score

    forest = document_forest(similarity, within)
    tried: list[float] = np.arange(0.1, 0.9, 0.02).round(2).tolist()
    return max(tried, key=lambda at: float(adjusted_rand_score(key, forest.clusters(at))))
