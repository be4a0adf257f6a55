"""Each pair is judged by the scorer that has not seen its topic."""

from types import SimpleNamespace

import numpy as np
import pytest

from corefbench.resolvers.across.folds import Folds, HeldOut, folded
from corefbench.training.across_data import Material, joined
from tests.unit.resolvers.across.corpora import stories


class Constant:
    """Gives every pair the same chance."""

    def __init__(self, chance):
        self.chance = chance

    def score(self, context, one, other):
        return np.full(len(one), self.chance, np.float32)


def test_folds_share_topics_out_evenly_and_the_same_for_a_seed():
    topics = [str(number) for number in range(33)] * 2
    fold = folded(topics, 5, seed=1)
    assert sorted(np.bincount(list(fold.values())).tolist()) == [6, 6, 7, 7, 7]
    assert fold == folded(topics, 5, seed=1) != folded(topics, 5, seed=2)


def test_each_pair_goes_to_the_scorer_of_its_own_fold():
    context = SimpleNamespace(table=SimpleNamespace(document=np.array([0, 0, 1, 1])))
    judge = HeldOut([Constant(0.25), Constant(0.75)], np.array([1, 0]))
    chances = judge.score(context, np.array([0, 2]), np.array([1, 3]))
    assert chances.tolist() == [0.75, 0.25]


def test_a_corpus_is_judged_by_the_topics_of_its_documents():
    corpus = stories(2)
    folds = Folds(members=(Constant(0.0), Constant(1.0)), fold={"1": 0, "2": 1, "3": 0, "4": 1})
    assert folds.of(corpus.documents.columns["topic"]).fold.tolist() == [0, 0, 1, 1, 0, 0, 1, 1]


@pytest.mark.parametrize("whole", [None, stories(3)])
def test_joined_material_has_the_documents_of_both(whole):
    both = joined(Material(corpus=stories(2), background=whole), Material(corpus=stories(1)))
    assert len(both.corpus) == 12
    assert (both.background is None) == (whole is None)
