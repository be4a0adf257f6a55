"""A billionth of a thousandth is rounding, whichever rule looks at it."""

from datetime import UTC, datetime, timedelta

from corefbench.campaign.domain.ranking import Entry, counted, ranked

START = datetime(2026, 3, 1, tzinfo=UTC)
ROUNDING = 1e-12


def entry(team: str, score: float, hour: int) -> Entry:
    return Entry(
        submission=f"{team}{hour}", team=team, score=score, arrived=START + timedelta(hours=hour)
    )


def test_a_later_submission_that_is_better_by_rounding_does_not_count():
    early, late = entry("a", 0.0, 1), entry("a", ROUNDING, 2)
    assert counted([late, early], "best") == [early]
    assert counted([early, entry("a", 2 * ROUNDING, 2)], "best") != [early]


def test_systems_apart_by_rounding_share_a_rank():
    board = ranked([entry("a", ROUNDING, 1), entry("b", 0.0, 2)], "best")
    assert [row.rank for row in board] == [1, 1]
    board = ranked([entry("a", 2 * ROUNDING, 1), entry("b", 0.0, 2)], "best")
    assert [row.rank for row in board] == [1, 2]
