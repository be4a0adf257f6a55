"""What is drawn and swapped."""

from itertools import product

import numpy as np
import pytest

from corefbench.stats import resampling
from corefbench.stats.resampling import drawn, swapped


def whole(pieces) -> np.ndarray:
    return np.concatenate(list(pieces))


def test_as_many_documents_are_drawn_as_there_are() -> None:
    counts = whole(drawn(7, 500, seed=1))
    assert counts.shape == (500, 7)
    assert (counts.sum(axis=1) == 7).all()


def test_every_document_is_drawn_equally_often_and_independently() -> None:
    counts = whole(drawn(10, 20_000, seed=2))
    # A count is binomial (10, 1/10): mean 1, variance 0.9; the mean of 20,000 has sd 0.0067.
    assert counts.mean(axis=0) == pytest.approx(np.ones(10), abs=0.034)
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.06)


def test_all_ways_to_swap_are_tried_once_where_they_are_few() -> None:
    found = {tuple(row) for row in whole(swapped(4, 16, seed=0)).tolist()}
    assert found == set(product((0.0, 1.0), repeat=4))


def test_half_of_the_documents_are_swapped_where_they_are_many() -> None:
    coins = whole(swapped(20, 10_000, seed=0))
    assert coins.shape == (10_000, 20)
    assert set(np.unique(coins)) == {0.0, 1.0}
    assert coins.mean(axis=0) == pytest.approx(np.full(20, 0.5), abs=0.025)


@pytest.mark.parametrize("draw", [drawn, swapped])
def test_a_seed_draws_the_same_again_and_another_seed_does_not(draw) -> None:
    first, again, other = (whole(draw(30, 100, seed)) for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize("draw", [drawn, swapped])
def test_portions_are_small_and_complete(draw, monkeypatch) -> None:
    monkeypatch.setattr(resampling, "_AT_ONCE", 100)
    pieces = list(draw(30, 10, seed=0))
    assert [len(piece) for piece in pieces] == [3, 3, 3, 1]
