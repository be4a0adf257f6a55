import numpy as np
import pytest

from corefbench.resolvers.across.topics import best_threshold, predicted_groups, rand_index


def blocks():
    similarity = np.full((6, 6), 0.1, np.float32)
    similarity[:3, :3] = similarity[3:, 3:] = 0.6
    return similarity


def test_documents_that_are_alike_are_one_group():
    assert predicted_groups(blocks(), 0.3).tolist() == [0, 0, 0, 1, 1, 1]
    assert predicted_groups(blocks(), 0.05).tolist() == [0] * 6


def test_groups_stay_within_topics_that_are_known():
    topics = np.array([0, 0, 1, 1, 0, 1])
    found = predicted_groups(blocks(), 0.3, topics)
    assert found.tolist() == [0, 0, 2, 3, 1, 3]


def test_the_best_threshold_tells_the_groups_apart():
    at = best_threshold(blocks(), np.array([0, 0, 0, 1, 1, 1]), None)
    assert 0.1 <= at < 0.6


def test_the_rand_index_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(0)
    for _ in range(20):
        key, found = random.integers(0, 4, (2, 30))
        expected = metrics.adjusted_rand_score(key, found)
        assert rand_index(key, found) == pytest.approx(expected)
