"""Other classifiers plug into the same pairs."""

import numpy as np
import pytest

from corefbench.errors import UnknownName
from corefbench.resolvers.mention_pair.model import PairPredictions, classifiers
from corefbench.resolvers.mention_pair.pairs import Pairs
from corefbench.resolvers.mention_pair.ubiu import link_best_first
from tests.unit.resolvers.mention_pair.test_memory import instances

NAMES = ("memory", "logistic", "boosting")


def data(number, seed=0):
    words, labels = instances(number, seed)
    more = np.zeros((number, 14 - words.shape[1]), int)
    return np.concatenate([words, more], axis=1), labels.astype(bool)


@pytest.mark.parametrize("name", NAMES)
def test_a_classifier_learns_from_features(name):
    pytest.importorskip("sklearn")
    codes, labels = data(3000)
    asked, expected = data(500, seed=1)
    predictions = classifiers[name](codes, labels, k=3, seed=0).predict(asked)
    chance = max(expected.mean(), 1 - expected.mean())
    assert (predictions.positive == expected).mean() > chance + 0.05
    assert ((predictions.confidence >= 0) & (predictions.confidence <= 1)).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_answers(name):
    pytest.importorskip("sklearn")
    codes, labels = data(1000)
    asked, _ = data(200, seed=1)
    one, two = (classifiers[name](codes, labels, k=3, seed=7).predict(asked) for _ in range(2))
    assert one.confidence.tolist() == two.confidence.tolist()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("label", [True, False])
def test_of_one_class_every_answer_is_that_class(name, label):
    pytest.importorskip("sklearn")
    codes, _ = data(50)
    predictions = classifiers[name](codes, np.full(50, label), k=3, seed=0).predict(codes[:5])
    assert predictions.positive.tolist() == [label] * 5


@pytest.mark.parametrize("name", NAMES)
def test_no_pairs_get_no_answers(name):
    pytest.importorskip("sklearn")
    codes, labels = data(200)
    predictions = classifiers[name](codes, labels, k=3, seed=0).predict(codes[:0])
    assert len(predictions.positive) == len(predictions.confidence) == len(predictions.distance) == 0


def test_an_unknown_classifier_is_refused():
    with pytest.raises(UnknownName):
        classifiers["neighbours"]


def chosen(*rows, mentions=4):
    """Rows: antecedent, mention, positive, confidence, distance."""
    antecedent, mention, positive, confidence, distance = zip(*rows, strict=True)
    pairs = Pairs(
        antecedent=np.array(antecedent, np.int32),
        mention=np.array(mention, np.int32),
        codes=np.zeros((len(rows), 14), np.int32),
    )
    predictions = PairPredictions(
        positive=np.array(positive, bool), confidence=np.array(confidence, float), distance=np.array(distance, float)
    )
    return link_best_first(pairs, predictions, mentions).tolist()


def test_the_most_confident_pair_wins():
    assert chosen((0, 3, True, 0.9, 0.5), (1, 3, True, 0.6, 0.0), (2, 3, True, 0.7, 0.0)) == [
        -1, -1, -1, 0,
    ]  # fmt: skip


def test_of_equally_confident_pairs_the_one_nearer_to_memory_wins():
    assert chosen((0, 3, True, 0.8, 0.1), (1, 3, True, 0.8, 0.3))[3] == 0


def test_if_all_else_is_equal_the_nearest_mention_wins():
    assert chosen((0, 3, True, 0.8, 0.1), (2, 3, True, 0.8, 0.1), (1, 3, True, 0.8, 0.1))[3] == 2


def test_negative_pairs_are_never_chosen():
    assert chosen((0, 1, False, 0.4, 0.0), (0, 2, True, 0.6, 0.0)) == [-1, -1, 0, -1]
