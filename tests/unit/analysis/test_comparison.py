"""Results compared: against re-scored swaps, scipy, and counts by hand."""

from itertools import product
from random import Random

import msgspec
import numpy as np
import pytest
from scipy.stats import permutation_test

import corefbench as cb
from corefbench.analysis.comparison import PARTS, compare
from corefbench.errors import MismatchError, UnknownName, UsageError

Clusters = list[list[tuple[int, int]]]


def clusters(random: Random, labels: int = 3, left_out: float = 0.2) -> Clusters:
    chains: dict[int, list[tuple[int, int]]] = {}
    for place in range(9):
        if random.random() >= left_out:
            chains.setdefault(random.randrange(labels), []).append((place, place))
    return list(chains.values())


def documents(seed: int, count: int, **options: float) -> dict[str, Clusters]:
    return {f"d{n}": clusters(Random(f"{seed} {n}"), **options) for n in range(count)}


KEY = documents(0, 5, left_out=0.1)
ONE, TWO = documents(1, 5), documents(2, 5, labels=2)


def scored(response: dict[str, Clusters], **choices: str) -> cb.Result:
    return cb.score_clusters(KEY, response, **choices)


def figures(result: cb.Result) -> dict[tuple[str, str], float]:
    found = {(n, p): getattr(s, p) for n, s in result.scores.items() for p in PARTS}
    return {**found, ("conll", "f1"): result.conll.f1}


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_p_agrees_with_all_swaps_of_rescored_responses(average: str) -> None:
    found = compare({"one": scored(ONE, average=average), "two": scored(TWO, average=average)})
    observed, extreme = None, {}
    for swap in product((False, True), repeat=len(KEY)):
        sides = list(zip(KEY, swap, strict=True))
        first = {name: (TWO if swapped else ONE)[name] for name, swapped in sides}
        second = {name: (ONE if swapped else TWO)[name] for name, swapped in sides}
        a, b = (figures(scored(side, average=average)) for side in (first, second))
        gaps = {figure: a[figure] - b[figure] for figure in a}
        observed = observed or gaps
        for figure, gap in gaps.items():
            extreme[figure] = extreme.get(figure, 0) + (abs(gap) >= abs(observed[figure]) - 1e-12)
    assert found.exact
    for (score, part), count in extreme.items():
        difference = found.pair("one", "two").scores[score][part]
        assert difference.value == pytest.approx(observed[score, part], abs=1e-12)
        assert difference.p == count / 2 ** len(KEY)


def test_intervals_agree_with_resampled_and_rescored_responses() -> None:
    found = compare({"one": scored(ONE), "two": scored(TWO)}, samples=20_000, confidence=0.8)
    random = np.random.default_rng(3)
    drawn = []
    for _ in range(400):
        chosen = [list(KEY)[n] for n in random.integers(len(KEY), size=len(KEY))]
        sides = (
            cb.score_clusters(
                {str(n): KEY[name] for n, name in enumerate(chosen)},
                {str(n): side[name] for n, name in enumerate(chosen)},
                measures="lea",
            )["lea"].f1
            for side in (ONE, TWO)
        )
        drawn.append(tuple(sides))
    one, two = np.array(drawn).T
    for estimate, values in (
        (found["one"].scores["lea"]["f1"], one),
        (found.pair("one", "two").scores["lea"]["f1"], one - two),
    ):
        for bound, level in ((estimate.low, 0.1), (estimate.high, 0.9)):
            least, most = np.quantile(values, (level - 0.08, level + 0.08))
            assert least - 1e-12 <= bound <= most + 1e-12


def test_scores_are_those_of_the_results() -> None:
    result = scored(ONE)
    system = compare({"one": result})["one"]
    for (score, part), value in figures(result).items():
        assert system.scores[score][part].value == pytest.approx(value, abs=1e-15)
    rows = result.by_document()
    expected = [rows[name]["muc"].f1 for name in KEY]
    assert system.by_document["muc"] == pytest.approx(expected)


def test_a_macro_average_is_tested_as_scipy_tests_a_mean() -> None:
    one, two = (scored(side, average="macro") for side in (ONE, TWO))
    a, b = (np.array([scores["b_cubed"].f1 for scores in result.by_document().values()]) for result in (one, two))
    expected = permutation_test(
        (a, b), lambda x, y: x.mean() - y.mean(), permutation_type="samples", n_resamples=np.inf
    )
    found = compare({"one": one, "two": two}).pair("one", "two").scores["b_cubed"]["f1"]
    assert found.p == pytest.approx(expected.pvalue)
    assert found.value == pytest.approx(expected.statistic)


def test_wins_ties_and_losses_are_counted_over_documents() -> None:
    pair = compare({"one": scored(ONE), "two": scored(TWO)}).pair("one", "two")
    rows = [scored(side).by_document() for side in (ONE, TWO)]
    gaps = [rows[0][name]["lea"].f1 - rows[1][name]["lea"].f1 for name in KEY]
    found = pair.scores["lea"]["f1"]
    assert found.wins == sum(gap > 1e-12 for gap in gaps)
    assert found.losses == sum(gap < -1e-12 for gap in gaps)
    assert found.wins + found.ties + found.losses == len(KEY)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_identical_systems_do_not_differ(test: str) -> None:
    found = compare({"one": scored(ONE), "again": scored(ONE)}, test=test, samples=200)
    for parts in found.pair("one", "again").scores.values():
        for difference in parts.values():
            assert (difference.value, difference.p, difference.adjusted) == (0, 1, 1)
            assert (difference.low, difference.high) == (0, 0)
            assert difference.ties == len(KEY)
    assert found.beaten("one", "lea") == ()


def test_one_document_cannot_be_resampled() -> None:
    key = [[(0, 0), (1, 1)]]
    results = {"all": cb.score_clusters(key, key), "none": cb.score_clusters(key, [])}
    found = compare(results)
    difference = found.pair("all", "none").scores["muc"]["f1"]
    assert (difference.value, difference.wins) == (1.0, 1)
    assert (difference.p, difference.adjusted, difference.low, difference.high) == (None,) * 4
    assert not found.is_tested
    assert found.beaten("all", "muc") == ()


def test_a_seed_gives_the_same_again() -> None:
    key = documents(0, 20)
    results = {str(seed): cb.score_clusters(key, documents(seed, 20), measures="muc,b_cubed,ceaf_e") for seed in (1, 2)}
    first, again, other = (compare(results, samples=300, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first.pairs != other.pairs
    assert first.signature.startswith("comparison|test:randomization|samples:300|seed:0|")


def test_better_systems_beat_worse_ones_in_all_orders() -> None:
    key = documents(0, 12, left_out=0.0)
    nothing = {name: [] for name in key}
    results = {"none": cb.score_clusters(key, nothing), "all": cb.score_clusters(key, key)}
    found = compare(results)
    assert found.beaten("all", "conll") == ("none",)
    assert found.beaten("none", "conll") == ()
    assert found.pair("none", "all").scores["conll"]["f1"].p == 2 / 2**12


def test_p_is_adjusted_over_pairs_and_where_asked_over_measures_too() -> None:
    key = documents(0, 12)
    results = {str(s): cb.score_clusters(key, documents(s, 12)) for s in range(1, 4)}
    by_measure = compare(results)
    raw = [pair.scores["lea"]["f1"].p for pair in by_measure.pairs]
    steps = sorted(raw)
    worked = np.maximum.accumulate([min(1, p * (3 - n)) for n, p in enumerate(steps)])
    found = sorted(pair.scores["lea"]["f1"].adjusted for pair in by_measure.pairs)
    assert found == pytest.approx(worked.tolist())
    over_all = compare(results, family="all", correction="bh")
    family = [parts["f1"] for pair in over_all.pairs for parts in pair.scores.values()]
    assert len(family) == 3 * 8
    least = min(family, key=lambda difference: difference.p)
    ranked = sorted(difference.p for difference in family)
    assert least.adjusted == pytest.approx(min(24 * p / (n + 1) for n, p in enumerate(ranked)))


def test_rows_of_other_documents_are_not_paired() -> None:
    other = msgspec.structs.replace(scored(TWO), documents=("x", *tuple(KEY)[1:]))
    with pytest.raises(MismatchError, match="only one has d0") as caught:
        compare({"one": scored(ONE), "two": other})
    assert caught.value.code == "CB222"


def test_results_of_different_profiles_are_not_compared() -> None:
    other = cb.score_clusters(KEY, TWO, "coval-keep")
    with pytest.raises(MismatchError, match="profile conll-2012 and coval-keep") as caught:
        compare({"one": scored(ONE), "two": other})
    assert caught.value.code == "CB220"


def test_results_of_different_choices_are_not_compared() -> None:
    with pytest.raises(MismatchError, match="singletons keep and strip") as caught:
        compare({"one": scored(ONE), "two": scored(TWO, singletons="strip")})
    assert caught.value.code == "CB220"


def test_results_of_different_keys_are_not_compared() -> None:
    other = cb.score_clusters(documents(9, 5), TWO)
    with pytest.raises(MismatchError) as caught:
        compare({"one": scored(ONE), "two": other})
    assert caught.value.code == "CB221"


@pytest.mark.parametrize("wrong", [{"samples": 0}, {"seed": -1}, {"confidence": 1.0}, {"alpha": 0.0}])
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        compare({"one": scored(ONE)}, **wrong)


def test_an_unknown_test_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean bootstrap"):
        compare({"one": scored(ONE)}, test="bootstraps")


def test_nothing_cannot_be_compared() -> None:
    with pytest.raises(UsageError):
        compare({})


def test_thirty_systems_have_marks_of_their_own() -> None:
    results = {f"system {n}": scored(documents(n + 1, 5)) for n in range(30)}
    found = compare(results, samples=50)
    assert [found.systems[n].mark for n in (0, 25, 26, 29)] == ["a", "z", "aa", "ad"]
    assert len(found.pairs) == 30 * 29 / 2
