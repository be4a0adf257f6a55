"""The rules of taking submissions, at their edges."""

from datetime import UTC, datetime, timedelta

import pytest

from corefbench.campaign.domain.admission import Standing, refusal, window_closes
from corefbench.campaign.domain.definition import Data, Phase, Quota

OPENS = datetime(2026, 3, 1, tzinfo=UTC)
CLOSES = datetime(2026, 4, 1, tzinfo=UTC)
TICK = timedelta(microseconds=1)
APPROVED = Standing(approved=True)


def phase(**changes: object) -> Phase:
    made = {
        "name": "test",
        "title": "Test",
        "opens": OPENS,
        "closes": CLOSES,
        "data": (Data(task="a", key="keys/a.conll"),),
        **changes,
    }
    return Phase(**made)


@pytest.mark.parametrize(
    ("arrived", "code"),
    [
        (OPENS - TICK, "CB302"),
        (OPENS, None),
        (CLOSES - TICK, None),
        (CLOSES, "CB303"),
        (CLOSES + TICK, "CB303"),
    ],
)
def test_a_phase_is_open_from_its_opening_until_just_before_its_close(arrived, code):
    refused = refusal(phase(), APPROVED, arrived)
    assert (refused and refused.code) == code


def test_a_team_that_is_not_approved_hears_that_first():
    refused = refusal(phase(), Standing(approved=False), CLOSES)
    assert refused is not None
    assert refused.code == "CB301"


def test_nothing_is_taken_before_the_first_download_where_there_is_a_window():
    refused = refusal(phase(window_hours=48), APPROVED, OPENS)
    assert refused is not None
    assert refused.code == "CB304"


def test_a_window_is_48_hours_long_to_the_microsecond():
    timed = phase(window_hours=48)
    opened = datetime(2026, 3, 10, 7, 30, tzinfo=UTC)
    closes = window_closes(timed, opened)
    assert closes == datetime(2026, 3, 12, 7, 30, tzinfo=UTC)
    standing = Standing(approved=True, window_closes=closes)
    assert refusal(timed, standing, closes - TICK) is None
    late = refusal(timed, standing, closes)
    assert late is not None
    assert late.code == "CB304"


def test_a_window_never_outlasts_its_phase():
    assert window_closes(phase(window_hours=48), CLOSES - timedelta(hours=1)) == CLOSES


def test_a_phase_without_a_window_has_none():
    assert window_closes(phase(), OPENS) is None


def test_the_day_of_a_quota_begins_at_midnight_utc():
    bounded = phase(quota=Quota(day=2))
    evening = datetime(2026, 3, 10, 23, 59, tzinfo=UTC)
    standing = Standing(approved=True, charged=(evening, evening))
    refused = refusal(bounded, standing, evening + timedelta(seconds=59))
    assert refused is not None
    assert refused.code == "CB305"
    assert refusal(bounded, standing, evening + timedelta(minutes=1)) is None


def test_the_total_of_a_quota_holds_over_days():
    standing = Standing(approved=True, charged=(OPENS, OPENS, OPENS))
    refused = refusal(phase(quota=Quota(total=3)), standing, CLOSES - TICK)
    assert refused is not None
    assert "all 3 submissions" in refused.message


def test_a_frozen_campaign_takes_nothing():
    refused = refusal(phase(), Standing(approved=True, frozen=True), OPENS)
    assert refused is not None
    assert refused.code == "CB306"
