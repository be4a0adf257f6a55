import sys

import numpy as np
import pytest

from corefbench.errors import MissingExtra
from corefbench.resolvers.cross_document import blocking
from corefbench.resolvers.cross_document.blocking import (
    MentionVectors,
    candidate_pairs,
    nearest_neighbours,
    reduce_dimension,
    resolve_index,
)
from corefbench.resolvers.cross_document.config import BlockingConfig
from corefbench.resolvers.cross_document.workers import Workers
from tests.unit.resolvers.cross_document.points import crowd


@pytest.mark.parametrize("at_once", [1, 7, 100])
def test_the_nearest_are_those_of_a_full_sort(at_once):
    vectors = np.random.default_rng(0).normal(size=(40, 8)).astype(np.float32)
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -np.inf)
    expected = np.argsort(-alike, axis=1)[:, :5]
    left, right = nearest_neighbours(vectors, 5, at_once)
    for row in range(40):
        assert set(right[left == row]) == set(expected[row])


def test_more_neighbours_than_there_are_mentions_are_all_mentions():
    left, right = nearest_neighbours(np.eye(3, dtype=np.float32), 10)
    assert len(left) == len(right) == 6


@pytest.mark.parametrize("shard", [10_000, 300])
def test_the_graph_finds_nearly_all_that_a_full_comparison_finds(shard, monkeypatch):
    pytest.importorskip("hnswlib")
    monkeypatch.setattr(blocking, "MAX_EXACT_SEARCH", 100)
    monkeypatch.setattr(blocking, "SHARD_SIZE", shard)
    points, _, _ = crowd(1000, 50, lemmas=3)
    found = {}
    for index in ("exact", "hnsw"):
        config = BlockingConfig(neighbours=10, same_lemma=0, index=index)
        left, right = candidate_pairs(points, config, Workers())
        assert (left < right).all()
        found[index] = set(zip(left.tolist(), right.tolist(), strict=True))
    assert len(found["exact"] & found["hnsw"]) > 0.97 * len(found["exact"])


def test_mentions_that_are_all_the_same_have_neighbours_by_the_graph_too(monkeypatch):
    pytest.importorskip("hnswlib")
    monkeypatch.setattr(blocking, "MAX_EXACT_SEARCH", 100)
    same = MentionVectors(
        vectors=np.full((500, 4), 0.5, np.float32), lemma=np.zeros(500, np.int64), group=np.zeros(500, np.int64)
    )
    left, right = candidate_pairs(same, BlockingConfig(neighbours=20, index="hnsw"), Workers())
    assert np.bincount(np.concatenate([left, right]), minlength=500).min() >= 20


def test_a_lemma_with_very_many_mentions_does_not_make_all_their_pairs():
    random = np.random.default_rng(0)
    count = 2_000
    points = MentionVectors(
        vectors=random.normal(size=(count, 8)).astype(np.float32),
        lemma=np.zeros(count, np.int64),
        group=np.zeros(count, np.int64),
    )
    left, _ = candidate_pairs(points, BlockingConfig(neighbours=2, same_lemma=5, index="exact"), Workers())
    assert count * 5 / 2 <= len(left) <= count * 5


def test_mentions_of_a_rare_lemma_are_candidates_however_far_apart():
    vectors = np.eye(60, dtype=np.float32)
    lemma = np.arange(60) % 20
    points = MentionVectors(vectors=vectors, lemma=lemma, group=np.zeros(60, np.int64))
    left, right = candidate_pairs(points, BlockingConfig(neighbours=0, same_lemma=5), Workers())
    assert (lemma[left] == lemma[right]).all()
    assert len(left) == 20 * 3


def test_auto_is_the_graph_where_it_is_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "hnswlib", None)
    assert resolve_index(BlockingConfig()).index == "exact"
    with pytest.raises(MissingExtra, match="scale"):
        resolve_index(BlockingConfig(index="hnsw"))
    monkeypatch.undo()
    pytest.importorskip("hnswlib")
    assert resolve_index(BlockingConfig()).signature().startswith("blocked:hnsw,")
    assert resolve_index(BlockingConfig(index="exact")).index == "exact"


def test_principal_axes_keep_what_lies_along_them():
    random = np.random.default_rng(0)
    flat = random.normal(size=(200, 3)) @ random.normal(size=(3, 20))
    vectors = (flat / np.linalg.norm(flat, axis=1, keepdims=True)).astype(np.float32)
    less = reduce_dimension(vectors, 3)
    assert less.shape == (200, 3)
    np.testing.assert_allclose(less @ less.T, vectors @ vectors.T, atol=1e-5)
    assert reduce_dimension(vectors, 0) is reduce_dimension(vectors, 20) is vectors
