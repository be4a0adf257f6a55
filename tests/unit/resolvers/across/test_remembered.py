"""Pairs that were scored are not scored again."""

from types import SimpleNamespace

import numpy as np

from corefbench.resolvers.across.remembered import Remembered

CONTEXT = SimpleNamespace(table=range(5))


class Counting:
    """Says the sum of the numbers of a pair, and counts how often it is asked."""

    asked = 0

    def score(self, context, one, other):
        self.asked += 1
        return (one + other).astype(np.float32)


def pairs(*given):
    one, other = zip(*given, strict=True)
    return np.array(one), np.array(other)


def test_known_pairs_are_looked_up_either_way_round():
    counting = Counting()
    made = Remembered(counting, CONTEXT, *pairs((0, 4), (2, 3), (0, 1)))
    assert made.score(CONTEXT, *pairs((3, 2), (0, 1), (0, 4))).tolist() == [5, 1, 4]
    assert counting.asked == 1


def test_other_pairs_and_other_contexts_are_scored():
    counting = Counting()
    made = Remembered(counting, CONTEXT, *pairs((0, 4)))
    assert made.score(CONTEXT, *pairs((0, 4), (1, 2))).tolist() == [4, 3]
    assert made.score(SimpleNamespace(table=range(5)), *pairs((0, 4))).tolist() == [4]
    assert counting.asked == 3
