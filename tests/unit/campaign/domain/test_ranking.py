"""Order of systems, the score that ranks them, and whether it is up to date."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import corefbench
from corefbench.campaign.domain.config import Task
from corefbench.campaign.domain.evaluation import DocumentRow, Evaluation
from corefbench.campaign.domain.ranking import (
    Entry,
    compute_are_scores,
    compute_headline,
    get_are_task_number,
    get_ranking_score,
    is_current,
    list_score_names,
    rank_entries,
    select_entries,
)
from corefbench.errors import UnknownName
from corefbench.scoring.result import Result
from corefbench.version import __version__

START = datetime(2026, 3, 1, tzinfo=UTC)


def entry(submission: str, team: str, score: float, hour: int) -> Entry:
    return Entry(submission=submission, team=team, score=score, arrived=START + timedelta(hours=hour))


def order(entries: list[Entry], rule: str) -> list[tuple[int, str]]:
    return [(row.rank, row.entry.submission) for row in rank_entries(entries, rule)]


ENTRIES = [
    entry("a1", "a", 0.6, 1),
    entry("a2", "a", 0.5, 5),
    entry("b1", "b", 0.7, 2),
    entry("c1", "c", 0.6, 3),
    entry("d1", "d", 0.1, 4),
]


def test_the_best_submission_of_a_team_counts():
    assert order(ENTRIES, "best") == [(1, "b1"), (2, "a1"), (2, "c1"), (4, "d1")]


def test_the_last_submission_of_a_team_counts_where_that_is_the_rule():
    assert order(ENTRIES, "last") == [(1, "b1"), (2, "c1"), (3, "a2"), (4, "d1")]


def test_of_equal_submissions_of_a_team_the_earlier_counts():
    twice = [entry("late", "a", 0.5, 2), entry("early", "a", 0.5, 1)]
    assert order(twice, "best") == [(1, "early")]


def test_scores_that_differ_by_rounding_are_equal():
    third = [entry("x", "x", 0.1 + 0.2, 2), entry("y", "y", 0.3, 1)]
    assert [rank for rank, _ in order(third, "best")] == [1, 1]


def test_the_order_does_not_depend_on_how_entries_come():
    assert order(ENTRIES[::-1], "best") == order(ENTRIES, "best")


def test_nobody_is_ranked_where_nobody_took_part():
    assert rank_entries([], "best") == []


def task(scored: str, rank: str = "", **choices: str) -> Task:
    return Task(name="t", title="T", scored=scored, rank=rank, choices=choices)


@pytest.mark.parametrize(
    ("scored", "number", "score"),
    [("are-1", 1, "success_rate"), ("are-2", 2, "muc"), ("are-3", 3, "overlap"), ("are-4", 4, "overlap")],
)
def test_a_task_of_the_exercise_has_the_score_of_the_exercise(scored, number, score):
    assert get_are_task_number(task(scored)) == number
    assert list_score_names(task(scored)) == [score]
    assert get_ranking_score(task(scored)) == score


def test_a_profile_is_no_task_of_the_exercise():
    assert get_are_task_number(task("conll-2012")) == 0


def test_where_there_is_an_average_it_ranks_and_the_measures_may():
    names = list_score_names(task("conll-2012"))
    assert names[0] == "conll"
    assert {"muc", "b_cubed", "ceaf_e"} < set(names[1:])
    assert get_ranking_score(task("conll-2012")) == "conll"
    assert get_ranking_score(task("conll-2012", "b_cubed")) == "b_cubed"


def test_the_three_measures_of_the_average_are_enough_for_it():
    chosen = task("conll-2012", measures="muc,b_cubed,ceaf_e")
    assert list_score_names(chosen) == ["conll", "muc", "b_cubed", "ceaf_e"]


def test_without_the_measures_of_the_average_the_first_measure_ranks():
    chosen = task("conll-2012", measures="lea,muc")
    assert list_score_names(chosen) == ["lea", "muc"]
    assert get_ranking_score(chosen) == "lea"


def test_a_score_that_the_task_does_not_give_cannot_rank():
    with pytest.raises(UnknownName, match="score to rank by"):
        get_ranking_score(task("conll-2012", "success_rate"))
    with pytest.raises(UnknownName):
        get_ranking_score(task("are-1", "muc"))


def test_hits_are_held_against_the_key_and_against_the_response():
    counts = {"hits": [3.0, 0.0], "key_total": [4.0, 2.0], "response_total": [6.0, 0.0]}
    scores = compute_are_scores({name: np.array(column) for name, column in counts.items()})
    assert scores.recall.tolist() == [0.75, 0.0]
    assert scores.precision.tolist() == [0.5, 0.0]
    assert scores.f1.tolist() == pytest.approx([0.6, 0.0])


def test_links_have_hits_of_their_own_for_recall_and_precision():
    counts = {"recall_hits": [1.0], "recall_total": [4.0], "precision_hits": [3.0], "precision_total": [4.0]}
    scores = compute_are_scores({name: np.array(column) for name, column in counts.items()})
    assert (scores.recall[0], scores.precision[0]) == (0.25, 0.75)
    assert scores.f1[0] == pytest.approx(0.375)


KEY = {
    "a": [[(0, 0), (3, 3), (5, 5)], [(7, 7), (9, 9)]],
    "b": [[(0, 1), (4, 4)], [(6, 6), (8, 8), (9, 9)]],
    "c": [[(2, 2), (3, 3)]],
}


RESPONSE = {"a": [[(0, 0), (3, 3)], [(5, 5), (7, 7), (9, 9)]], "b": [[(0, 1), (4, 4), (6, 6)]], "c": [[(2, 2), (3, 3)]]}


def evaluated(result: Result, ranking: str) -> Evaluation:
    rows = [
        DocumentRow(
            document=document, counts={name: tuple(tally.values[n].tolist()) for name, tally in result.tallies.items()}
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
        {name: KEY[name] for name in documents}, {name: RESPONSE[name] for name in documents}, **choices
    )


def ranked_task(rank: str, **choices: str) -> Task:
    return Task(name="t", title="T", scored="conll-2012", rank=rank, choices=choices)


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("rank", ["conll", "lea", "muc", "blanc"])
@pytest.mark.parametrize("share", ["abc", "ac", "b"])
def test_a_share_of_the_documents_scores_as_if_it_were_all(rank: str, average: str, share: str):
    choices = {"average": average, "measures": "muc,b_cubed,ceaf_e,blanc,lea"}
    made = compute_headline(ranked_task(rank, **choices), evaluated(scored("abc", **choices), rank), frozenset(share))
    alone = scored(share, **choices)
    expected = alone.conll.f1 if rank == "conll" else alone[rank].f1
    assert made.value == pytest.approx(expected, abs=1e-12)
    assert made.documents == tuple(share)


def test_resamples_are_scored_at_once():
    result = scored("abc")
    made = compute_headline(ranked_task("conll"), evaluated(result, "conll"))
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
        rows=tuple(DocumentRow(document=d, counts={name: counts}) for d, counts in rows.items()),
    )
    return Task(name="t", title="T", scored=f"are-{number}"), made


def test_the_success_rate_is_the_mean_of_documents_that_have_pronouns():
    task_1, made = exercise(1, {"a": (2, 4, 3), "b": (1, 1, 1), "c": (0, 0, 1)})
    assert compute_headline(task_1, made).value == pytest.approx((0.5 + 1) / 2)


def test_f1_of_the_exercise_is_the_mean_of_documents_that_anything_is_said_of():
    task_2, made = exercise(2, {"a": (2, 4, 4), "b": (0, 0, 1), "c": (0, 0, 0)})
    assert compute_headline(task_2, made).value == pytest.approx((0.5 + 0) / 2)


ROUNDING = 1e-12


def scored_entry(team: str, score: float, hour: int) -> Entry:
    return Entry(submission=f"{team}{hour}", team=team, score=score, arrived=START + timedelta(hours=hour))


def test_a_later_submission_that_is_better_by_rounding_does_not_count():
    early, late = scored_entry("a", 0.0, 1), scored_entry("a", ROUNDING, 2)
    assert select_entries([late, early], "best") == [early]
    assert select_entries([early, scored_entry("a", 2 * ROUNDING, 2)], "best") != [early]


def test_systems_apart_by_rounding_share_a_rank():
    board = rank_entries([scored_entry("a", ROUNDING, 1), scored_entry("b", 0.0, 2)], "best")
    assert [row.rank for row in board] == [1, 1]
    board = rank_entries([scored_entry("a", 2 * ROUNDING, 1), scored_entry("b", 0.0, 2)], "best")
    assert [row.rank for row in board] == [1, 2]


CLUSTERS = [[(0, 0), (3, 3)], [(5, 5)]]


def scored_task(scored: str, **choices: str) -> Task:
    return Task(name="t", title="T", scored=scored, choices=choices)


def signature(profile: str, **choices: str) -> str:
    return str(corefbench.score_clusters(CLUSTERS, CLUSTERS, profile, **choices).signature)


def test_what_was_scored_as_the_task_says_is_current():
    assert is_current(scored_task("conll-2012"), signature("conll-2012"))
    assert is_current(scored_task("conll-2012", singletons="strip"), signature("conll-2012", singletons="strip"))


def test_another_profile_choice_or_version_is_not():
    made = signature("conll-2012")
    assert not is_current(scored_task("semeval-2010"), made)
    assert not is_current(scored_task("conll-2012", singletons="strip"), made)
    assert not is_current(scored_task("conll-2012"), made.rsplit(":", 1)[0] + ":0.0.0")
    assert not is_current(scored_task("conll-2012"), "nonsense")


def test_the_exercise_is_held_against_its_own_choices():
    from corefbench.version import __version__

    made = f"are-3|average:macro|weighting:mean|key:k@1|version:{__version__}"
    assert is_current(scored_task("are-3"), made)
    assert not is_current(scored_task("are-4"), made)
    assert not is_current(scored_task("are-3", average="micro"), made)
    assert not is_current(scored_task("are-3", weighting="product"), made)


CONLL = Task(name="t", title="T", scored="conll-2012")


EXERCISE = Task(name="t", title="T", scored="are-1")


def test_what_cannot_be_read_as_a_signature_is_not_current():
    assert is_current(CONLL, f"nonsense|version:{__version__}") is False


def test_an_older_version_is_current_where_versions_do_not_matter():
    made = "are-1|version:0.0.0"
    assert is_current(EXERCISE, made) is False
    assert is_current(EXERCISE, made, any_version=True)
