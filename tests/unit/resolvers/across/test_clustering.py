import numpy as np
import pytest

from corefbench.resolvers.across.clustering import cut, numbered, tree
from corefbench.resolvers.across.linking import Forest, forest
from corefbench.resolvers.across.pairs import all_pairs


def slowly(similarity, threshold):
    """By definition: the two clusters with the best mean are joined until it is too low."""
    clusters = [{i} for i in range(len(similarity))]
    while len(clusters) > 1:
        mean, a, b = max(
            (np.mean([similarity[i, j] for i in x for j in y]), p, q)
            for p, x in enumerate(clusters)
            for q, y in enumerate(clusters)
            if p < q
        )
        if mean < threshold:
            break
        clusters[a] |= clusters.pop(b)
    return {frozenset(cluster) for cluster in clusters}


def as_sets(clusters):
    return {frozenset(np.flatnonzero(clusters == c).tolist()) for c in np.unique(clusters)}


def random_similarity(count, seed):
    made = np.random.default_rng(seed).random((count, count))
    made = (made + made.T) / 2
    np.fill_diagonal(made, 1)
    return made


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("threshold", [0.3, 0.45, 0.55, 0.7])
def test_one_tree_serves_all_thresholds(seed, threshold):
    similarity = random_similarity(14, seed)
    assert as_sets(cut(tree(similarity), threshold, 14)) == slowly(similarity, threshold)


def test_clusters_are_numbered_by_first_appearance():
    similarity = np.array([[1, 0, 0.9], [0, 1, 0], [0.9, 0, 1]])
    assert cut(tree(similarity), 0.5, 3).tolist() == [0, 1, 0]


def test_one_mention_and_none_are_clustered_too():
    assert cut(tree(np.ones((1, 1))), 0.5, 1).tolist() == [0]
    assert cut(tree(np.ones((0, 0))), 0.5, 0).tolist() == []


def test_groups_never_share_a_cluster():
    parts = [(np.array([0, 2]), np.array([0, 0])), (np.array([1, 3]), np.array([0, 1]))]
    assert numbered(parts, 4).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("seed", range(4))
def test_a_forest_clusters_each_group_by_itself(seed):
    group = np.arange(24) % 2
    similarity = random_similarity(24, seed).astype(np.float32)
    one, other = all_pairs(group)
    found = as_sets(forest(group, one, other, similarity[one, other]).clusters(0.5))
    for number in (0, 1):
        members = np.flatnonzero(group == number)
        alone = slowly(similarity[np.ix_(members, members)].astype(np.float64), 0.5)
        assert {frozenset(members[list(some)].tolist()) for some in alone} <= found


def test_mentions_of_no_part_are_clusters_by_themselves():
    some = Forest(members=(np.array([1, 3]),), trees=(np.array([[0, 1, 0.1, 2.0]]),), count=5)
    assert some.clusters(0.5).tolist() == [1, 0, 2, 0, 3]


def test_a_similarity_a_little_above_one_is_no_distance_below_nought():
    alike = np.array([[1, 1 + 1e-6, 0.5], [1 + 1e-6, 1, 0.5], [0.5, 0.5, 1]], np.float32)
    assert tree(alike)[:, 2].tolist() == [0.0, 0.5]
