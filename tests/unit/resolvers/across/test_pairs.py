import numpy as np
import pytest

from corefbench.resolvers.across import context as contexts
from corefbench.resolvers.across.bags import Rarity
from corefbench.resolvers.across.pairs import (
    Blocking,
    all_pairs,
    blocked_pairs,
    blocking_recall,
    nearest,
    sampled,
)
from corefbench.resolvers.across.table import gold
from tests.unit.resolvers.across.corpora import Hashed, stories, words


def test_all_pairs_of_a_group_and_no_others():
    one, other = all_pairs(np.array([5, 2, 5, 2, 5]))
    assert sorted(zip(one.tolist(), other.tolist(), strict=True)) == [
        (0, 2),
        (0, 4),
        (1, 3),
        (2, 4),
    ]


def test_mentions_by_themselves_make_no_pairs():
    assert [len(side) for side in all_pairs(np.arange(4))] == [0, 0]
    assert [len(side) for side in all_pairs(np.zeros(0, np.int64))] == [0, 0]


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


@pytest.fixture
def context(tmp_path):
    corpus = stories()
    some = words(corpus)
    table = gold(corpus, some, "event")
    rarity = Rarity.of([["a"]])
    background = contexts.background_words(corpus)
    return contexts.build_context(corpus, some, table, rarity, Hashed(folder=tmp_path), background)


def test_blocking_keeps_what_shares_a_lemma_and_drops_most_else(context):
    group = np.zeros(len(context.table), np.int64)
    one, other = blocked_pairs(context, group, Blocking(neighbours=1, same_lemma=50))
    assert (one < other).all()
    assert len(np.unique(one * 1000 + other)) == len(one)
    assert blocking_recall(context.table.chain, one, other, group) == 1.0
    assert len(one) < len(all_pairs(group)[0]) / 3


def test_blocking_recall_counts_what_is_lost():
    chain, group = np.array([0, 0, 0]), np.zeros(3, np.int64)
    assert blocking_recall(chain, np.array([0]), np.array([1]), group) == pytest.approx(1 / 3)


def test_sampling_keeps_all_that_corefer_and_is_the_same_for_a_seed():
    labels = np.arange(1000) % 50 == 0
    rows = sampled(labels, 3, 10_000, seed=1)
    assert labels[rows].sum() == 20
    assert len(rows) == 80
    assert (rows == sampled(labels, 3, 10_000, seed=1)).all()
    assert (rows[:10] != sampled(labels, 3, 10_000, seed=2)[:10]).any()
    assert len(sampled(labels, 30, 100, seed=1)) == 100
