"""Cross-validation over topics: pairs are scored by the member that was not trained on them."""

from types import SimpleNamespace

import numpy as np
import pytest

from corefbench.resolvers.cross_document.scorers.combined import FoldScorers, assign_folds
from corefbench.resolvers.cross_document.training import TrainingData, concatenate_data
from tests.unit.resolvers.cross_document.corpora import stories


class Constant:
    """Gives every pair the same probability."""

    def __init__(self, probability):
        self.probability = probability

    def score(self, context, left, right):
        return np.full(len(left), self.probability, np.float32)


def test_topics_are_assigned_evenly_and_reproducibly():
    topics = [str(number) for number in range(33)] * 2
    fold = assign_folds(topics, 5, seed=1)
    assert sorted(np.bincount(list(fold.values())).tolist()) == [6, 6, 7, 7, 7]
    assert fold == assign_folds(topics, 5, seed=1) != assign_folds(topics, 5, seed=2)


def test_pairs_are_scored_by_the_member_of_their_fold():
    context = SimpleNamespace(mentions=SimpleNamespace(document=np.array([0, 0, 1, 1])))
    folds = FoldScorers(members=(Constant(0.25), Constant(0.75)), fold={"37": 0, "36": 1})
    probabilities = folds.held_out(["36", "37"]).score(context, np.array([0, 2]), np.array([1, 3]))
    assert probabilities.tolist() == [0.75, 0.25]


@pytest.mark.parametrize("whole", [None, stories(3)])
def test_concatenated_data_has_the_documents_of_both(whole):
    both = concatenate_data(TrainingData(corpus=stories(2), background=whole), TrainingData(corpus=stories(1)))
    assert len(both.corpus) == 12
    assert (both.background is None) == (whole is None)
