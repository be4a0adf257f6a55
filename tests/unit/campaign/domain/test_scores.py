"""Which scores a task gives and which of them ranks."""

import pytest

from corefbench.campaign.domain.definition import Task
from corefbench.campaign.domain.scores import are_number, ranking_score, score_names
from corefbench.errors import UnknownName


def task(scored: str, rank: str = "", **choices: str) -> Task:
    return Task(name="t", title="T", scored=scored, rank=rank, choices=choices)


@pytest.mark.parametrize(
    ("scored", "number", "score"),
    [
        ("are-1", 1, "success_rate"),
        ("are-2", 2, "muc"),
        ("are-3", 3, "overlap"),
        ("are-4", 4, "overlap"),
    ],
)
def test_a_task_of_the_exercise_has_the_score_of_the_exercise(scored, number, score):
    assert are_number(task(scored)) == number
    assert score_names(task(scored)) == [score]
    assert ranking_score(task(scored)) == score


def test_a_profile_is_no_task_of_the_exercise():
    assert are_number(task("conll-2012")) == 0


def test_where_there_is_an_average_it_ranks_and_the_measures_may():
    names = score_names(task("conll-2012"))
    assert names[0] == "conll"
    assert {"muc", "b_cubed", "ceaf_e"} < set(names[1:])
    assert ranking_score(task("conll-2012")) == "conll"
    assert ranking_score(task("conll-2012", "b_cubed")) == "b_cubed"


def test_the_three_measures_of_the_average_are_enough_for_it():
    chosen = task("conll-2012", measures="muc,b_cubed,ceaf_e")
    assert score_names(chosen) == ["conll", "muc", "b_cubed", "ceaf_e"]


def test_without_the_measures_of_the_average_the_first_measure_ranks():
    chosen = task("conll-2012", measures="lea,muc")
    assert score_names(chosen) == ["lea", "muc"]
    assert ranking_score(chosen) == "lea"


def test_a_score_that_the_task_does_not_give_cannot_rank():
    with pytest.raises(UnknownName, match="score to rank by"):
        ranking_score(task("conll-2012", "success_rate"))
    with pytest.raises(UnknownName):
        ranking_score(task("are-1", "muc"))
