"""Averages: what they leave out, and why the paper's must be means over documents."""

import math

import pytest

from corefbench.scoring.measures.tally import harmonic
from corefbench.tasks.are.result import DocumentScore, TaskResult, find_task, printed_scores


def result(task: int, *rows: tuple[float, int, int], average: str = "macro") -> TaskResult:
    documents = tuple(
        DocumentScore(document=str(n), hits=hits, key_total=key, response_total=response)
        for n, (hits, key, response) in enumerate(rows)
    )
    return TaskResult(task=find_task(task), average=average, weighting="mean", documents=documents)


def test_f1_is_averaged_too_and_is_not_that_of_the_averages():
    score = result(3, (1, 1, 4), (1, 4, 1)).score
    assert (score.recall, score.precision, score.f1) == (0.625, 0.625, 0.4)
    assert result(3, (1, 1, 4), (1, 4, 1), average="micro").score.recall == 0.4


def test_a_document_that_only_one_side_answers_scores_zero():
    assert result(4, (1, 1, 1), (0, 0, 1), (0, 1, 0)).score.f1 == 1 / 3
    assert result(4, (1, 1, 1), (0, 0, 0)).score.f1 == 1


def test_a_success_rate_is_over_documents_with_pronouns_to_resolve():
    assert result(1, (1, 2, 2), (0, 0, 3)).success_rate == 0.5


def test_nothing_at_all_is_zero():
    assert result(2).score.f1 == result(2, (0, 0, 0)).score.f1 == 0


def test_no_printed_f_exceeds_that_of_precision_and_recall():
    for task in (2, 3, 4):
        for printed in printed_scores(task).values():
            recall, precision = printed["recall"], printed["precision"]
            if recall == precision:
                assert printed["f1"] == recall
            else:
                assert printed["f1"] < harmonic(recall, precision) - 0.0005


@pytest.mark.parametrize("below", [0.5, 0.0])
def test_the_printed_success_rates_are_shares_of_no_likely_number_of_pronouns(below: float):
    """Rounded or cut, in halves; a cluster has some hundred pronouns."""
    rates = [round(10_000 * printed["recall"]) for printed in printed_scores(1).values()]
    for halves in range(2, 2_000, 2):
        shares = [
            math.ceil((rate + 1 - below) * halves / 10_000) - math.ceil((rate - below) * halves / 10_000)
            for rate in rates
        ]
        assert not all(shares)
