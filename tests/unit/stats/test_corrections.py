"""Adjusted p-values against scipy and against examples worked by hand."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from corefbench.stats.corrections import adjusted


def test_holm_is_that_worked_by_hand() -> None:
    # Ascending 0.005 0.01 0.03 0.04 times 4 3 2 1: 0.02 0.03 0.06 0.04; never below one before.
    found = adjusted([0.01, 0.04, 0.03, 0.005], "holm")
    assert found == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_stops_at_one() -> None:
    assert adjusted([0.9, 0.6, 0.5], "holm") == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("seed", range(20))
def test_benjamini_and_hochberg_is_that_of_scipy(seed: int) -> None:
    random = np.random.default_rng(seed)
    p = random.random(random.integers(1, 40)) ** 3
    expected = false_discovery_control(p, method="bh")
    assert adjusted(p.tolist(), "bh") == pytest.approx(expected.tolist())


@pytest.mark.parametrize("seed", range(20))
def test_holm_rejects_what_its_steps_reject(seed: int) -> None:
    p = sorted((np.random.default_rng(seed).random(12) ** 4).tolist())
    rejected = 0
    while rejected < len(p) and p[rejected] <= 0.05 / (len(p) - rejected):
        rejected += 1
    assert sum(value <= 0.05 for value in adjusted(p, "holm")) == rejected


def test_none_changes_nothing_and_what_was_not_tested_does_not_count() -> None:
    assert adjusted([0.5, None, 0.01], "none") == [0.5, None, 0.01]
    assert adjusted([0.5, None, 0.01], "holm") == [0.5, None, 0.02]
    assert adjusted([None, None], "bh") == [None, None]
    assert adjusted([], "holm") == []
