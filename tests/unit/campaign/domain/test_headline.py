"""The score that ranks is the one that scoring gives, over all documents and over some."""

import numpy as np
import pytest

import corefbench
from corefbench.campaign.domain.definition import Task
from corefbench.campaign.domain.evaluation import Evaluation, Row
from corefbench.campaign.domain.headline import headline
from corefbench.scoring.result import Result

KEY = {
    "a": [[(0, 0), (3, 3), (5, 5)], [(7, 7), (9, 9)]],
    "b": [[(0, 1), (4, 4)], [(6, 6), (8, 8), (9, 9)]],
    "c": [[(2, 2), (3, 3)]],
}
RESPONSE = {
    "a": [[(0, 0), (3, 3)], [(5, 5), (7, 7), (9, 9)]],
    "b": [[(0, 1), (4, 4), (6, 6)]],
    "c": [[(2, 2), (3, 3)]],
}


def evaluated(result: Result, ranking: str) -> Evaluation:
    rows = [
        Row(
            document=document,
            counts={
                name: tuple(tally.values[n].tolist()) for name, tally in result.tallies.items()
            },
        )
        for n, document in enumerate(result.documents)
    ]
    return Evaluation(
        signature=str(result.signature),
        scores=result.scores,
        ranking=ranking,
        headline=0,
        public=0,
        columns={name: tally.columns for name, tally in result.tallies.items()},
        rows=tuple(rows),
    )


def scored(documents: str, **choices: str) -> Result:
    return corefbench.score_clusters(
        {name: KEY[name] for name in documents},
        {name: RESPONSE[name] for name in documents},
        **choices,
    )


def task(rank: str, **choices: str) -> Task:
    return Task(name="t", title="T", scored="conll-2012", rank=rank, choices=choices)


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("rank", ["conll", "lea", "muc", "blanc"])
@pytest.mark.parametrize("share", ["abc", "ac", "b"])
def test_a_share_of_the_documents_scores_as_if_it_were_all(rank: str, average: str, share: str):
    choices = {"average": average, "measures": "muc,b_cubed,ceaf_e,blanc,lea"}
    made = headline(
        task(rank, **choices), evaluated(scored("abc", **choices), rank), frozenset(share)
    )
    alone = scored(share, **choices)
    expected = alone.conll.f1 if rank == "conll" else alone[rank].f1
    assert made.value == pytest.approx(expected, abs=1e-12)
    assert made.documents == tuple(share)


def test_resamples_are_scored_at_once():
    result = scored("abc")
    made = headline(task("conll"), evaluated(result, "conll"))
    twice = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]) @ made.tallies
    assert made.statistic(twice)[:, 0] == pytest.approx([result.conll.f1] * 2, abs=1e-12)


ARE_COLUMNS = ("hits", "key_total", "response_total")


def exercise(number: int, rows: dict[str, tuple[float, float, float]]) -> tuple[Task, Evaluation]:
    name = "success_rate" if number == 1 else "f1"
    made = Evaluation(
        signature=f"are-{number}",
        scores={},
        ranking=name,
        headline=0,
        public=0,
        columns={name: ARE_COLUMNS},
        rows=tuple(Row(document=d, counts={name: counts}) for d, counts in rows.items()),
    )
    return Task(name="t", title="T", scored=f"are-{number}"), made


def test_the_success_rate_is_the_mean_of_documents_that_have_pronouns():
    task_1, made = exercise(1, {"a": (2, 4, 3), "b": (1, 1, 1), "c": (0, 0, 1)})
    assert headline(task_1, made).value == pytest.approx((0.5 + 1) / 2)


def test_f1_of_the_exercise_is_the_mean_of_documents_that_anything_is_said_of():
    task_2, made = exercise(2, {"a": (2, 4, 4), "b": (0, 0, 1), "c": (0, 0, 0)})
    assert headline(task_2, made).value == pytest.approx((0.5 + 0) / 2)
