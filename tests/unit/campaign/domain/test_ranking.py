"""The order of systems, by hand."""

from datetime import UTC, datetime, timedelta

from corefbench.campaign.domain.ranking import Entry, ranked

START = datetime(2026, 3, 1, tzinfo=UTC)


def entry(submission: str, team: str, score: float, hour: int) -> Entry:
    return Entry(
        submission=submission, team=team, score=score, arrived=START + timedelta(hours=hour)
    )


def order(entries: list[Entry], rule: str) -> list[tuple[int, str]]:
    return [(row.rank, row.entry.submission) for row in ranked(entries, rule)]


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
    assert ranked([], "best") == []
