import numpy as np
import pytest

from corefbench.resolvers.cross_document import context as contexts
from corefbench.resolvers.cross_document.blocking import blocking_recall, candidate_pairs_of
from corefbench.resolvers.cross_document.clustering import (
    LinkageForest,
    all_pairs,
    average_linkage,
    best_document_threshold,
    capped_components,
    count_pairs,
    cut_tree,
    document_forest,
    exact_forest,
    sample_pairs,
    unique_pairs,
)
from corefbench.resolvers.cross_document.config import BlockingConfig
from corefbench.resolvers.cross_document.mentions import gold_mentions
from corefbench.resolvers.cross_document.vectors import InverseDocumentFrequency
from tests.unit.resolvers.cross_document.corpora import Hashed, stories, words


def naive_clusters(similarity, threshold):
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
def test_one_tree_can_be_cut_at_all_thresholds(seed, threshold):
    similarity = random_similarity(14, seed)
    assert as_sets(cut_tree(average_linkage(similarity), threshold, 14)) == naive_clusters(similarity, threshold)


def test_clusters_are_numbered_by_first_appearance():
    similarity = np.array([[1, 0, 0.9], [0, 1, 0], [0.9, 0, 1]])
    assert cut_tree(average_linkage(similarity), 0.5, 3).tolist() == [0, 1, 0]


def test_zero_and_one_mentions():
    assert cut_tree(average_linkage(np.ones((1, 1))), 0.5, 1).tolist() == [0]
    assert cut_tree(average_linkage(np.ones((0, 0))), 0.5, 0).tolist() == []


def test_groups_never_share_a_cluster():
    merged, apart = np.array([[0, 1, 0.1, 2.0]]), np.array([[0, 1, 0.9, 2.0]])
    members = np.array([0, 2]), np.array([1, 3])
    forest = LinkageForest(members=members, trees=(merged, apart), count=4)
    assert forest.clusters(0.5).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("seed", range(4))
def test_a_forest_clusters_each_group_by_itself(seed):
    group = np.arange(24) % 2
    similarity = random_similarity(24, seed).astype(np.float32)
    left, right = all_pairs(group)
    found = as_sets(exact_forest(group, left, right, similarity[left, right]).clusters(0.5))
    for number in (0, 1):
        members = np.flatnonzero(group == number)
        alone = naive_clusters(similarity[np.ix_(members, members)].astype(np.float64), 0.5)
        assert {frozenset(members[list(some)].tolist()) for some in alone} <= found


def test_mentions_outside_all_components_are_singletons():
    some = LinkageForest(members=(np.array([1, 3]),), trees=(np.array([[0, 1, 0.1, 2.0]]),), count=5)
    assert some.clusters(0.5).tolist() == [1, 0, 2, 0, 3]


def test_similarity_above_one_gives_no_negative_distance():
    alike = np.array([[1, 1 + 1e-6, 0.5], [1 + 1e-6, 1, 0.5], [0.5, 0.5, 1]], np.float32)
    assert average_linkage(alike)[:, 2].tolist() == [0.0, 0.5]


def path(scores):
    """Mentions in a row, each joined to the next."""
    count = len(scores) + 1
    return count, np.arange(count - 1), np.arange(1, count), np.array(scores, np.float32)


def members(made):
    return sorted(sorted(part.tolist()) for part in made.members)


def test_components_connect_pairs_at_or_above_the_floor():
    made = capped_components(*path([0.9, 0.3, 0.5, 0.4999]), 0.5, 100)
    assert members(made) == [[0, 1], [2, 3]]
    assert (made.count, made.largest, made.capped) == (3, 2, 0)


def test_a_component_that_is_too_large_is_cut_at_its_weakest_links():
    made = capped_components(*path([0.9, 0.9, 0.55, 0.9, 0.9]), 0.5, 3)
    assert members(made) == [[0, 1, 2], [3, 4, 5]]
    assert (made.count, made.largest, made.capped) == (1, 6, 1)


def test_only_the_component_that_is_too_large_is_cut():
    made = capped_components(*path([0.51, 0.1, 0.9, 0.51, 0.9]), 0.5, 3)
    assert members(made) == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize("largest", [1, 3, 7, 40])
def test_fully_connected_component_is_chopped_evenly(largest):
    left, right = np.triu_indices(40, 1)
    made = capped_components(40, left, right, np.ones(len(left), np.float32), 0.5, largest)
    sizes = [len(part) for part in made.members]
    assert max(sizes, default=1) <= largest
    assert max(sizes, default=1) - min(sizes, default=1) <= 1
    found = np.concatenate([np.zeros(0, np.int64), *made.members]).tolist()
    assert sorted(found) == (list(range(40)) if largest > 1 else [])
    assert made.capped == (largest < 40)


def test_the_largest_component_comes_first():
    made = capped_components(*path([0.9, 0.1, 0.9, 0.9, 0.1, 0.9]), 0.5, 100)
    assert [part.tolist() for part in made.members] == [[2, 3, 4], [0, 1], [5, 6]]


def test_without_pairs_every_mention_is_a_component():
    none = np.zeros(0, np.int64)
    made = capped_components(5, none, none, np.zeros(0, np.float32), 0.5, 10)
    assert (made.members, made.count, made.largest) == ((), 5, 1)


def test_all_pairs_of_a_group_and_no_others():
    left, right = all_pairs(np.array([5, 2, 5, 2, 5]))
    assert sorted(zip(left.tolist(), right.tolist(), strict=True)) == [(0, 2), (0, 4), (1, 3), (2, 4)]
    assert count_pairs(np.array([5, 2, 5, 2, 5])) == 4


def test_singleton_groups_have_no_pairs():
    assert [len(side) for side in all_pairs(np.arange(4))] == [0, 0]
    assert [len(side) for side in all_pairs(np.zeros(0, np.int64))] == [0, 0]


def test_each_pair_is_kept_once_the_earlier_mention_first():
    left, right = unique_pairs(np.array([3, 1, 0]), np.array([1, 3, 2]), 4)
    assert (left.tolist(), right.tolist()) == ([0, 1], [2, 3])


@pytest.fixture
def context(tmp_path):
    corpus = stories()
    some = words(corpus)
    table = gold_mentions(corpus, some, "event")
    rarity = InverseDocumentFrequency.fit([["a"]])
    background = contexts.background_words(corpus)
    return contexts.build_context(corpus, some, table, rarity, Hashed(folder=tmp_path), background)


def test_blocking_keeps_pairs_with_a_shared_lemma_and_drops_most_others(context):
    group = np.zeros(len(context.mentions), np.int64)
    left, right = candidate_pairs_of(context, group, BlockingConfig(neighbours=1, same_lemma=50))
    assert (left < right).all()
    assert len(np.unique(left * 1000 + right)) == len(left)
    assert blocking_recall(context.mentions.chain, left, right, group) == 1.0
    assert len(left) < len(all_pairs(group)[0]) / 3


def test_blocking_recall_counts_what_is_lost():
    chain, group = np.array([0, 0, 0]), np.zeros(3, np.int64)
    assert blocking_recall(chain, np.array([0]), np.array([1]), group) == pytest.approx(1 / 3)


def test_sampling_keeps_all_positive_pairs_and_is_reproducible():
    labels = np.arange(1000) % 50 == 0
    rows = sample_pairs(labels, 3, 10_000, seed=1)
    assert labels[rows].sum() == 20
    assert len(rows) == 80
    assert (rows == sample_pairs(labels, 3, 10_000, seed=1)).all()
    assert (rows[:10] != sample_pairs(labels, 3, 10_000, seed=2)[:10]).any()
    assert len(sample_pairs(labels, 30, 100, seed=1)) == 100


def blocks():
    similarity = np.full((6, 6), 0.1, np.float32)
    similarity[:3, :3] = similarity[3:, 3:] = 0.6
    return similarity


def test_similar_documents_are_clustered():
    assert document_forest(blocks()).clusters(0.3).tolist() == [0, 0, 0, 1, 1, 1]
    assert document_forest(blocks()).clusters(0.05).tolist() == [0] * 6


def test_document_clusters_stay_within_known_topics():
    topics = np.array([0, 0, 1, 1, 0, 1])
    found = document_forest(blocks(), topics).clusters(0.3)
    assert found.tolist() == [0, 0, 2, 3, 1, 3]


def test_best_document_threshold_separates_the_groups():
    at = best_document_threshold(blocks(), np.array([0, 0, 0, 1, 1, 1]), None)
    assert 0.1 <= at < 0.6
