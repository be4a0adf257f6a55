"""Other classifiers plug into the same pairs."""

import numpy as np
import pytest

from corefbench.errors import UnknownName
from corefbench.resolvers.learned.classifiers import classifiers
from tests.unit.resolvers.learned.test_memory import instances

NAMES = ("memory", "logistic", "boosting")


def data(number, seed=0):
    words, labels = instances(number, seed)
    more = np.zeros((number, 14 - words.shape[1]), int)
    return np.concatenate([words, more], axis=1), labels.astype(bool)


@pytest.mark.parametrize("name", NAMES)
def test_a_classifier_learns_what_features_tell(name):
    pytest.importorskip("sklearn")
    codes, labels = data(3000)
    asked, expected = data(500, seed=1)
    judged = classifiers[name](codes, labels, k=3, seed=0).judge(asked)
    chance = max(expected.mean(), 1 - expected.mean())
    assert (judged.positive == expected).mean() > chance + 0.05
    assert ((judged.confidence >= 0) & (judged.confidence <= 1)).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_answers(name):
    pytest.importorskip("sklearn")
    codes, labels = data(1000)
    asked, _ = data(200, seed=1)
    one, two = (classifiers[name](codes, labels, k=3, seed=7).judge(asked) for _ in range(2))
    assert one.confidence.tolist() == two.confidence.tolist()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("label", [True, False])
def test_of_one_class_every_answer_is_that_class(name, label):
    pytest.importorskip("sklearn")
    codes, _ = data(50)
    judged = classifiers[name](codes, np.full(50, label), k=3, seed=0).judge(codes[:5])
    assert judged.positive.tolist() == [label] * 5


@pytest.mark.parametrize("name", NAMES)
def test_no_pairs_get_no_answers(name):
    pytest.importorskip("sklearn")
    codes, labels = data(200)
    judged = classifiers[name](codes, labels, k=3, seed=0).judge(codes[:0])
    assert len(judged.positive) == len(judged.confidence) == len(judged.distance) == 0


def test_a_classifier_that_nobody_knows_is_refused():
    with pytest.raises(UnknownName):
        classifiers["neighbours"]
