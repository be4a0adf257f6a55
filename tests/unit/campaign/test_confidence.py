"""Intervals and tests of a board, against what can be counted by hand."""

import numpy as np
import pytest

from corefbench.campaign.confidence import interval, p_of_difference
from corefbench.campaign.domain.headline import Headline


def system(shares: list[float], documents: str = "") -> Headline:
    """One whose score is the mean of its documents'."""
    return Headline(
        documents=tuple(documents or map(str, range(len(shares)))),
        tallies=np.array([[share, 1.0] for share in shares]),
        statistic=lambda sums: (sums[:, 0] / sums[:, 1])[:, np.newaxis],
        answered=len(shares),
    )


def test_p_is_the_share_of_all_swaps_that_are_as_far_apart():
    # Of the 2³ ways to swap, only none and all swapped have a difference of 1: p = 2/8.
    assert p_of_difference(system([1, 1, 1]), system([0, 0, 0])) == pytest.approx(0.25)


def test_equal_systems_are_not_told_apart():
    assert p_of_difference(system([0.5, 0.25]), system([0.25, 0.5])) == 1


def test_an_interval_holds_the_score_and_documents_that_agree_make_it_a_point():
    spread = interval(system([0.0, 0.2, 0.4, 0.6, 0.8, 1.0]))
    assert 0 < spread.low < 0.5 < spread.high < 1
    same = interval(system([0.4, 0.4, 0.4]))
    assert (same.low, same.high) == (pytest.approx(0.4), pytest.approx(0.4))


def test_one_document_gives_neither_interval_nor_test():
    assert interval(system([1.0])) is None
    assert p_of_difference(system([1.0]), system([0.0])) is None


def test_systems_of_other_documents_are_not_compared():
    assert p_of_difference(system([1, 1], "ab"), system([0, 0], "ac")) is None


def test_the_same_systems_always_give_the_same_figures():
    generator = np.random.default_rng(7)
    one, other = (system(list(generator.random(40))) for _ in range(2))
    assert interval(one) == interval(one)
    assert p_of_difference(one, other) == p_of_difference(one, other)
