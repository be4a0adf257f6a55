"""p-values and intervals against scipy.stats on generated cases.

A case is a pair of systems with counted hits and totals, document by document; the figures are
recall, precision and F1 of the sums. Counts are whole numbers, so that ties are ties for scipy too.
"""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap, false_discovery_control, permutation_test

from corefbench.analysis import significance
from corefbench.analysis.significance import (
    adjust_p_values,
    bootstrap_figures,
    bootstrap_p,
    bootstrap_weights,
    mcnemar,
    percentile_interval,
    randomisation_p,
    swap_weights,
)
from corefbench.scoring.measures.tally import scores_of_ratios


def whole(pieces) -> np.ndarray:
    return np.concatenate(list(pieces))


def test_as_many_documents_are_drawn_as_there_are() -> None:
    counts = whole(bootstrap_weights(7, 500, seed=1))
    assert counts.shape == (500, 7)
    assert (counts.sum(axis=1) == 7).all()


def test_every_document_is_drawn_equally_often_and_independently() -> None:
    counts = whole(bootstrap_weights(10, 20_000, seed=2))
    # A count is binomial (10, 1/10): mean 1, variance 0.9; the mean of 20,000 has sd 0.0067.
    assert counts.mean(axis=0) == pytest.approx(np.ones(10), abs=0.034)
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.06)


def test_all_ways_to_swap_are_tried_once_where_they_are_few() -> None:
    found = {tuple(row) for row in whole(swap_weights(4, 16, seed=0)).tolist()}
    assert found == set(product((0.0, 1.0), repeat=4))


def test_half_of_the_documents_are_swapped_where_they_are_many() -> None:
    coins = whole(swap_weights(20, 10_000, seed=0))
    assert coins.shape == (10_000, 20)
    assert set(np.unique(coins)) == {0.0, 1.0}
    assert coins.mean(axis=0) == pytest.approx(np.full(20, 0.5), abs=0.025)


@pytest.mark.parametrize("draw", [bootstrap_weights, swap_weights])
def test_a_seed_draws_the_same_again_and_another_seed_does_not(draw) -> None:
    first, again, other = (whole(draw(30, 100, seed)) for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize("draw", [bootstrap_weights, swap_weights])
def test_portions_are_small_and_complete(draw, monkeypatch) -> None:
    monkeypatch.setattr(significance, "_WEIGHTS_PER_BATCH", 100)
    pieces = list(draw(30, 10, seed=0))
    assert [len(piece) for piece in pieces] == [3, 3, 3, 1]


COLUMNS = ("recall_hits", "recall_total", "precision_hits", "precision_total")
CASES = range(200)
SAMPLES = 1000
F1 = 2


def statistic(sums: np.ndarray) -> np.ndarray:
    scores = scores_of_ratios({name: sums[:, n] for n, name in enumerate(COLUMNS)})
    return np.stack([scores.recall, scores.precision, scores.f1], axis=1)


def case(seed: int, documents: int) -> tuple[np.ndarray, np.ndarray]:
    """Two systems on one key; the second is better in some cases, much better in few."""
    random = np.random.default_rng(seed)
    total = random.integers(1, 30, documents)
    systems = []
    for skill in (0.6, 0.6 + random.choice([0, 0.02, 0.05, 0.1])):
        hits = random.binomial(total, skill)
        answers = hits + random.binomial(total, 0.3)
        systems.append(np.stack([hits, total, hits, answers], axis=1).astype(np.float64))
    return systems[0], systems[1]


def f1(sums: np.ndarray) -> np.ndarray:
    """2 C / (G + A), the other way to write it."""
    whole = sums[..., 1] + sums[..., 3]
    return np.divide(2 * sums[..., 0], whole, out=np.zeros_like(whole), where=whole != 0)


def scipy_randomisation(
    one: np.ndarray, two: np.ndarray, samples: float, seed: int, *, absolute: bool = False
) -> float:
    """Two-sided as scipy has it, twice the smaller tail; or the upper tail of |d|: the same but
    for chance, which the first doubles too."""
    both = np.concatenate([one, two])
    count = len(one)

    def difference(first: np.ndarray, second: np.ndarray, axis: int) -> np.ndarray:
        rows = (np.moveaxis(side, axis, -1).astype(int) for side in (first, second))
        a, b = (f1(both[side].sum(axis=-2)) for side in rows)
        return np.abs(a - b) if absolute else a - b

    return permutation_test(
        (np.arange(count), np.arange(count, 2 * count)),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=samples,
        alternative="greater" if absolute else "two-sided",
        batch=SAMPLES,
        rng=np.random.default_rng(seed),
    ).pvalue


def scipy_bootstrap(one: np.ndarray, two: np.ndarray, seed: int):
    def difference(documents: np.ndarray, axis: int) -> np.ndarray:
        rows = np.moveaxis(documents, axis, -1).astype(int)
        return f1(one[rows].sum(axis=-2)) - f1(two[rows].sum(axis=-2))

    return bootstrap(
        (np.arange(len(one)),),
        difference,
        vectorized=True,
        n_resamples=SAMPLES,
        batch=SAMPLES,
        method="percentile",
        rng=np.random.default_rng(seed),
    )


def deviations(pairs: list[tuple[float, float]], samples: int) -> np.ndarray:
    """How many standard errors apart two estimates of one p are, where that can be said."""
    return np.array(
        [
            (ours - theirs) / sqrt(2 * p * (1 - p) / samples)
            for ours, theirs in pairs
            if 0.01 < (p := (ours + theirs) / 2) < 0.99
        ]
    )


@pytest.mark.parametrize("seed", range(40))
def test_randomisation_is_exact_where_scipy_is(seed: int) -> None:
    one, two = case(seed, documents=2 + seed % 10)
    (found,) = randomisation_p([one, two], [(0, 1)], statistic, samples=10_000, seed=0)
    assert found[F1] == pytest.approx(scipy_randomisation(one, two, np.inf, 0), abs=1e-12)


def test_randomisation_differs_from_scipy_by_no_more_than_chance_on_200_cases() -> None:
    pairs = []
    for seed in CASES:
        one, two = case(seed, documents=20 + seed % 15)
        (ours,) = randomisation_p([one, two], [(0, 1)], statistic, SAMPLES, seed)
        theirs = scipy_randomisation(one, two, SAMPLES, seed + 1000, absolute=True)
        pairs.append((float(ours[F1]), theirs))
    far = deviations(pairs, SAMPLES)
    assert len(far) > 120
    assert np.abs(far).max() < 5
    assert 0.8 < sqrt(np.mean(far**2)) < 1.2


def test_the_bootstrap_differs_from_scipy_by_no_more_than_chance_on_200_cases() -> None:
    pairs = []
    for seed in CASES:
        one, two = case(seed, documents=15 + seed % 30)
        first, second = bootstrap_figures([one, two], statistic, SAMPLES, seed)
        observed = statistic(one.sum(axis=0)[None])[0] - statistic(two.sum(axis=0)[None])[0]
        theirs = scipy_bootstrap(one, two, seed + 1000).bootstrap_distribution
        ours = bootstrap_p(observed, first - second)[F1]
        d = observed[F1]
        extreme = np.count_nonzero(np.abs(theirs - d) >= abs(d) - 1e-12)
        pairs.append((float(ours), (extreme + 1) / (SAMPLES + 1)))
        low, high = percentile_interval(first - second, confidence=0.9)
        for bound, level in ((low[F1], 0.05), (high[F1], 0.95)):
            slack = 5 * sqrt(2 * level * (1 - level) / SAMPLES)
            least, most = np.quantile(theirs, (max(level - slack, 0), min(level + slack, 1)))
            assert least <= bound <= most
    far = deviations(pairs, SAMPLES)
    assert len(far) > 120
    assert np.abs(far).max() < 5
    assert 0.8 < sqrt(np.mean(far**2)) < 1.2


def test_percentiles_are_those_of_scipy_on_the_same_resamples() -> None:
    one, two = case(3, documents=25)
    theirs = scipy_bootstrap(one, two, 0)
    low, high = percentile_interval(theirs.bootstrap_distribution[:, None], 0.95)
    interval = theirs.confidence_interval
    assert (low[0], high[0]) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_p_of_three_documents_is_that_counted_by_hand() -> None:
    # Recall with equal totals is a mean: differences +1 +2 +3 of 10 each. Of the 8 sign patterns
    # only + + + and − − − reach |6|: p = 2/8. With +1 −2 −3: |4| is reached by 4 patterns.
    total = np.full(3, 10.0)
    zeros = np.zeros(3)
    one = np.stack([np.array([6.0, 7.0, 8.0]), total, zeros, zeros], axis=1)
    two = np.stack([np.full(3, 5.0), total, zeros, zeros], axis=1)
    other = np.stack([np.array([6.0, 3.0, 2.0]), total, zeros, zeros], axis=1)
    pairs = [(0, 1), (2, 1)]
    found = randomisation_p([one, two, other], pairs, statistic, samples=8, seed=0)
    assert found[:, 0].tolist() == [0.25, 0.5]


def test_a_system_does_not_differ_from_itself() -> None:
    one, _ = case(0, documents=30)
    (found,) = randomisation_p([one, one], [(0, 1)], statistic, 100, seed=0)
    assert found.tolist() == [1.0, 1.0, 1.0]
    (draws,) = bootstrap_figures([one], statistic, 100, seed=0)
    assert bootstrap_p(np.zeros(3), draws - draws).tolist() == [1.0, 1.0, 1.0]


def test_p_is_never_zero_by_chance() -> None:
    total = np.full(40, 10.0)
    one, two = (np.stack([hits, total, hits, total], axis=1) for hits in (total, total * 0))
    (found,) = randomisation_p([one, two], [(0, 1)], statistic, 99, seed=0)
    assert found.tolist() == [0.01, 0.01, 0.01]


def test_equal_differences_are_equal_whatever_the_order_of_addition() -> None:
    # 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1: swapping equal documents must not look extreme or not.
    hits = np.array([0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.7])
    one = np.stack([hits, np.ones(7), hits, np.ones(7)], axis=1)
    two = one[::-1].copy()
    (found,) = randomisation_p([one, two], [(0, 1)], statistic, 1000, seed=0)
    assert found[0] == 1.0


def test_the_pairs_of_many_systems_are_those_of_each_two() -> None:
    one, two = case(1, documents=30)
    three = case(2, documents=30)[1]
    three[:, 1] = one[:, 1]
    systems = [one, two, three]
    together = randomisation_p(systems, [(0, 1), (0, 2), (1, 2)], statistic, 500, seed=4)
    for row, (a, b) in zip(together, [(0, 1), (0, 2), (1, 2)], strict=True):
        alone = randomisation_p([systems[a], systems[b]], [(0, 1)], statistic, 500, seed=4)
        assert row.tolist() == alone[0].tolist()


def test_advance_is_called_for_all_resamples() -> None:
    told: list[int] = []
    one, two = case(1, documents=30)
    randomisation_p([one, two], [(0, 1)], statistic, 500, 0, told.append)
    assert sum(told) == 500


def test_equally_good_systems_are_called_different_as_often_as_alpha_says() -> None:
    # 400 pairs at α = 0.05: 20 expected, standard deviation 4.4. The exact test keeps its level.
    random = np.random.default_rng(11)
    found = 0
    for _ in range(400):
        systems = []
        total = random.integers(5, 60, 9)
        for _ in range(2):
            hits = random.binomial(total, np.clip(random.normal(0.6, 0.1, 9), 0, 1))
            systems.append(np.stack([hits, total, hits, total], axis=1).astype(np.float64))
        (p,) = randomisation_p(systems, [(0, 1)], statistic, 512, seed=0)
        found += p[F1] <= 0.05
    assert 7 <= found <= 33


def test_holm_is_that_worked_by_hand() -> None:
    # Ascending 0.005 0.01 0.03 0.04 times 4 3 2 1: 0.02 0.03 0.06 0.04; never below one before.
    found = adjust_p_values([0.01, 0.04, 0.03, 0.005], "holm")
    assert found == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_stops_at_one() -> None:
    assert adjust_p_values([0.9, 0.6, 0.5], "holm") == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("seed", range(20))
def test_benjamini_and_hochberg_is_that_of_scipy(seed: int) -> None:
    random = np.random.default_rng(seed)
    p = random.random(random.integers(1, 40)) ** 3
    expected = false_discovery_control(p, method="bh")
    assert adjust_p_values(p.tolist(), "bh") == pytest.approx(expected.tolist())


@pytest.mark.parametrize("seed", range(20))
def test_holm_rejects_what_its_steps_reject(seed: int) -> None:
    p = sorted((np.random.default_rng(seed).random(12) ** 4).tolist())
    rejected = 0
    while rejected < len(p) and p[rejected] <= 0.05 / (len(p) - rejected):
        rejected += 1
    assert sum(value <= 0.05 for value in adjust_p_values(p, "holm")) == rejected


def test_none_changes_nothing_and_what_was_not_tested_does_not_count() -> None:
    assert adjust_p_values([0.5, None, 0.01], "none") == [0.5, None, 0.01]
    assert adjust_p_values([0.5, None, 0.01], "holm") == [0.5, None, 0.02]
    assert adjust_p_values([None, None], "bh") == [None, None]
    assert adjust_p_values([], "holm") == []


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (5, 0), (3, 9), (40, 60), (700, 800)])
def test_the_p_value_is_that_of_the_binomial_test(first: int, second: int) -> None:
    pairs = [(True, False)] * first + [(False, True)] * second + [(True, True), (False, False)]
    found = mcnemar(*(dict(enumerate(side)) for side in zip(*pairs, strict=True)))
    assert (found.only_first, found.only_second) == (first, second)
    expected = binomtest(first, first + second).pvalue if first + second else 1.0
    assert found.p == pytest.approx(expected, rel=1e-9)
