import numpy as np
import pytest

from corefbench.resolvers.across import context as contexts
from corefbench.resolvers.across.bags import Rarity
from corefbench.resolvers.across.blocking import Blocking, blocking_recall
from corefbench.resolvers.across.candidates import blocked_pairs
from corefbench.resolvers.across.pairs import all_pairs, once, pair_count, sampled
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
    assert pair_count(np.array([5, 2, 5, 2, 5])) == 4


def test_mentions_by_themselves_make_no_pairs():
    assert [len(side) for side in all_pairs(np.arange(4))] == [0, 0]
    assert [len(side) for side in all_pairs(np.zeros(0, np.int64))] == [0, 0]


def test_each_pair_is_kept_once_the_earlier_mention_first():
    one, other = once(np.array([3, 1, 0]), np.array([1, 3, 2]), 4)
    assert (one.tolist(), other.tolist()) == ([0, 1], [2, 3])


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
