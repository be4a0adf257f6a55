import sys

import numpy as np
import pytest

from corefbench.errors import MissingExtra
from corefbench.resolvers.across import graph, neighbours
from corefbench.resolvers.across.blocking import Blocking
from corefbench.resolvers.across.candidates import Points, candidates, principal
from corefbench.resolvers.across.neighbours import chosen_index, nearest
from corefbench.resolvers.across.workers import Workers
from tests.unit.resolvers.across.points import crowd


@pytest.mark.parametrize("at_once", [1, 7, 100])
def test_the_nearest_are_those_of_a_full_sort(at_once):
    vectors = np.random.default_rng(0).normal(size=(40, 8)).astype(np.float32)
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -np.inf)
    expected = np.argsort(-alike, axis=1)[:, :5]
    one, other = nearest(vectors, 5, at_once)
    for row in range(40):
        assert set(other[one == row]) == set(expected[row])


def test_more_neighbours_than_there_are_mentions_are_all_mentions():
    one, other = nearest(np.eye(3, dtype=np.float32), 10)
    assert len(one) == len(other) == 6


@pytest.mark.parametrize("shard", [10_000, 300])
def test_the_graph_finds_nearly_all_that_a_full_comparison_finds(shard, monkeypatch):
    pytest.importorskip("hnswlib")
    monkeypatch.setattr(neighbours, "SMALL", 100)
    monkeypatch.setattr(graph, "SHARD", shard)
    points, _, _ = crowd(1000, 50, lemmas=3)
    found = {}
    for index in ("exact", "hnsw"):
        blocking = Blocking(neighbours=10, same_lemma=0, index=index)
        one, other = candidates(points, blocking, Workers())
        assert (one < other).all()
        found[index] = set(zip(one.tolist(), other.tolist(), strict=True))
    assert len(found["exact"] & found["hnsw"]) > 0.97 * len(found["exact"])


def test_mentions_that_are_all_the_same_have_neighbours_by_the_graph_too(monkeypatch):
    pytest.importorskip("hnswlib")
    monkeypatch.setattr(neighbours, "SMALL", 100)
    same = Points(
        vectors=np.full((500, 4), 0.5, np.float32),
        lemma=np.zeros(500, np.int64),
        group=np.zeros(500, np.int64),
    )
    one, other = candidates(same, Blocking(neighbours=20, index="hnsw"), Workers())
    assert np.bincount(np.concatenate([one, other]), minlength=500).min() >= 20


def test_a_lemma_with_very_many_mentions_does_not_make_all_their_pairs():
    random = np.random.default_rng(0)
    count = 2_000
    points = Points(
        vectors=random.normal(size=(count, 8)).astype(np.float32),
        lemma=np.zeros(count, np.int64),
        group=np.zeros(count, np.int64),
    )
    one, _ = candidates(points, Blocking(neighbours=2, same_lemma=5, index="exact"), Workers())
    assert count * 5 / 2 <= len(one) <= count * 5


def test_mentions_of_a_rare_lemma_are_candidates_however_far_apart():
    vectors = np.eye(60, dtype=np.float32)
    lemma = np.arange(60) % 20
    points = Points(vectors=vectors, lemma=lemma, group=np.zeros(60, np.int64))
    one, other = candidates(points, Blocking(neighbours=0, same_lemma=5), Workers())
    assert (lemma[one] == lemma[other]).all()
    assert len(one) == 20 * 3


def test_auto_is_the_graph_where_it_is_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "hnswlib", None)
    assert chosen_index(Blocking()).index == "exact"
    with pytest.raises(MissingExtra, match="scale"):
        chosen_index(Blocking(index="hnsw"))
    monkeypatch.undo()
    pytest.importorskip("hnswlib")
    assert chosen_index(Blocking()).signature().startswith("blocked:hnsw,")
    assert chosen_index(Blocking(index="exact")).index == "exact"


def test_principal_axes_keep_what_lies_along_them():
    random = np.random.default_rng(0)
    flat = random.normal(size=(200, 3)) @ random.normal(size=(3, 20))
    vectors = (flat / np.linalg.norm(flat, axis=1, keepdims=True)).astype(np.float32)
    less = principal(vectors, 3)
    assert less.shape == (200, 3)
    np.testing.assert_allclose(less @ less.T, vectors @ vectors.T, atol=1e-5)
    assert principal(vectors, 0) is principal(vectors, 20) is vectors
