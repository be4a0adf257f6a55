"""A refusal says which bound was met and what to do."""

from datetime import UTC, datetime, timedelta

from corefbench.campaign.domain.admission import Standing, refusal
from corefbench.campaign.domain.definition import Phase, Quota

OPENS = datetime(2026, 3, 1, tzinfo=UTC)
NOON = OPENS + timedelta(hours=12)


def phase(**changes: object) -> Phase:
    made = {"name": "p", "title": "Test", "opens": OPENS, "closes": OPENS + timedelta(days=9)}
    return Phase(**made, data=(), **changes)


def said(of: Phase, standing: Standing, time: datetime) -> str:
    refused = refusal(of, standing, time)
    assert refused is not None
    return refused.message


def test_of_two_bounds_that_are_met_the_one_that_lasts_is_named():
    bounded = phase(quota=Quota(total=2, day=2))
    assert "all 2 submissions of the phase" in said(
        bounded, Standing(approved=True, charged=(NOON, NOON)), NOON
    )


def test_the_bound_of_the_day_is_named_where_others_are_left():
    bounded = phase(quota=Quota(total=5, day=2))
    standing = Standing(approved=True, charged=(NOON, NOON))
    assert "all 2 submissions of the day" in said(bounded, standing, NOON)
    assert refusal(bounded, standing, NOON + timedelta(days=1)) is None


def test_one_before_the_bound_is_taken():
    assert (
        refusal(phase(quota=Quota(total=2)), Standing(approved=True, charged=(NOON,)), NOON) is None
    )


def test_time_is_looked_at_before_all_but_approval():
    frozen = Standing(approved=True, frozen=True)
    assert "opens at" in said(phase(), frozen, OPENS - timedelta(seconds=1))
    assert "frozen" in said(phase(window_hours=1), frozen, OPENS)
