"""The reference scorer's own cases, and random partitions, against exact fractions."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings

import corefbench as cb
from corefbench.scoring.measures import Score
from tests.data import data
from tests.properties.partitions import Pair, corpora
from tests.reference import exact_scorer

CASES = [
    *(f"A{i}" for i in range(1, 14)),
    *(f"{letter}1" for letter in "BCDEFGHIJKL"),
    *(f"M{i}" for i in range(1, 7)),
    *(f"N{i}" for i in range(1, 7)),
]
NAMES = {"muc": "muc", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e", "blanc": "blanc"}
ALL = ",".join(exact_scorer.MEASURES)


def triple(score: Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def expected() -> dict[str, dict[str, dict[str, list[float]]]]:
    return json.loads((data("reference-scorer") / "expected.json").read_text())


def test_there_are_no_other_cases() -> None:
    assert sorted(expected()) == sorted(CASES)


def test_the_cases_hold_91_expectations() -> None:
    assert sum(len(case["metrics"]) for case in expected().values()) == 91


@pytest.mark.parametrize("case", CASES)
def test_case_scores_what_the_reference_scorer_expects(case: str) -> None:
    folder = data("reference-scorer") / case
    result = cb.score(folder / "key.conll", folder / "response.conll", profile="conll-2012")
    for metric, values in expected()[case]["metrics"].items():
        assert triple(result[NAMES[metric]]) == pytest.approx(values, abs=1e-4), metric


@pytest.mark.parametrize("case", CASES)
def test_case_scores_what_exact_fractions_give(case: str) -> None:
    folder = data("reference-scorer") / case
    chains = [exact_scorer.read_chains((folder / f"{s}.conll").read_text()) for s in ("key", "response")]
    key = [frozenset(chain) for chain in chains[0]]
    response = exact_scorer.without_repeats(chains[1], chains[0])
    result = cb.score(folder / "key.conll", folder / "response.conll", measures=ALL)
    for measure in exact_scorer.MEASURES:
        exact = [float(x) for x in exact_scorer.score(measure, [(key, response)])]
        assert triple(result[measure]) == pytest.approx(exact, abs=1e-12), measure


def assert_equal_to_fractions(documents: Sequence[Pair]) -> None:
    keys, responses = ({str(i): document for i, document in enumerate(side)} for side in zip(*documents, strict=True))
    result = cb.score_clusters(keys, responses, measures=ALL)
    sets = [tuple([frozenset(c) for c in side] for side in pair) for pair in documents]
    for measure in exact_scorer.MEASURES:
        exact = [float(x) for x in exact_scorer.score(measure, sets)]
        assert triple(result[measure]) == pytest.approx(exact, abs=1e-12), measure


@settings(max_examples=150)
@given(corpora())
def test_random_corpora_score_what_exact_fractions_give(documents: list[Pair]) -> None:
    assert_equal_to_fractions(documents)


@pytest.mark.slow
@settings(max_examples=5_000, derandomize=False)
@given(corpora(max_documents=4, max_mentions=18))
def test_five_thousand_random_corpora_score_what_exact_fractions_give(documents: list[Pair]) -> None:
    assert_equal_to_fractions(documents)
