"""Trees from scores, against trying out every tree."""

from itertools import product

import numpy as np
import pytest

from corefbench.preprocess.pipelines.joint_model import decode_heads


def is_tree(heads) -> bool:
    if sum(head == 0 for head in heads) != 1:
        return False
    for word in range(1, len(heads) + 1):
        place, steps = word, 0
        while place and steps <= len(heads):
            place, steps = heads[place - 1], steps + 1
        if place:
            return False
    return True


def value(scores, heads) -> float:
    return float(sum(scores[word, head] for word, head in enumerate(heads)))


@pytest.mark.parametrize("seed", range(60))
def test_the_tree_is_the_best_of_all_with_one_root(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 6))
    scores = random.normal(size=(count, count + 1))
    trees = [heads for heads in product(range(count + 1), repeat=count) if is_tree(heads)]
    found = decode_heads(scores)
    assert is_tree(found)
    assert value(scores, found) == pytest.approx(max(value(scores, heads) for heads in trees))


def test_a_word_alone_is_the_root():
    assert decode_heads(np.zeros((1, 2))) == [0]


@pytest.mark.parametrize("scores", [np.zeros((60, 61)), -np.eye(60, 61)])
def test_ties_make_a_tree_all_the_same(scores):
    assert is_tree(decode_heads(scores))


def test_long_cycles_are_broken():
    count = 200
    scores = np.zeros((count, count + 1))
    for word in range(count):
        scores[word, (word + 1) % count + 1] = 10.0
    assert is_tree(decode_heads(scores))
