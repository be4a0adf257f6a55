"""Rules of submissions: states, quota and admission."""

from datetime import UTC, datetime, timedelta
from itertools import product

import msgspec
import pytest

from corefbench.campaign.domain.config import Data, Phase, Quota
from corefbench.campaign.domain.submissions import (
    FINAL_STATES,
    REFUNDED_STATES,
    SUBMISSION_STATES,
    Eligibility,
    Receipt,
    RemainingQuota,
    can_transition,
    check_admission,
    compute_remaining_quota,
    compute_window_end,
    is_genuine,
    sign_receipt,
    transition,
)
from corefbench.errors import UsageError


def test_what_has_ended_never_becomes_anything():
    assert not any(can_transition(now, then) for now, then in product(FINAL_STATES, SUBMISSION_STATES))


def test_only_scoring_gives_an_outcome():
    for outcome in ("scored", "invalid", "failed"):
        assert [now for now in SUBMISSION_STATES if can_transition(now, outcome)] == ["scoring"]


def test_everything_that_has_not_ended_can_be_stopped_but_what_gave_its_quota_back():
    assert not any(can_transition("failed", then) for then in FINAL_STATES)
    for now in set(SUBMISSION_STATES) - FINAL_STATES - REFUNDED_STATES:
        assert can_transition(now, "withdrawn")
        assert can_transition(now, "disqualified")


def test_a_step_that_does_not_exist_is_refused_by_name():
    with pytest.raises(UsageError, match="CB307 a submission that is withdrawn cannot become"):
        transition("withdrawn", "queued")


def test_every_allowed_step_leads_where_it_should():
    allowed = [(now, then) for now, then in product(SUBMISSION_STATES, SUBMISSION_STATES) if can_transition(now, then)]
    assert ("queued", "scoring") in allowed
    assert [transition(now, then) for now, then in allowed] == [then for _, then in allowed]


NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_without_bounds_there_is_no_end():
    assert compute_remaining_quota(Quota(), [NOON] * 1000, NOON) == RemainingQuota(total=None, day=None)


def test_yesterday_counts_for_the_total_only():
    assert compute_remaining_quota(Quota(total=5, day=2), [NOON - timedelta(days=1), NOON], NOON) == RemainingQuota(
        total=3, day=1
    )


def test_more_than_was_allowed_leaves_nothing_not_less():
    assert compute_remaining_quota(Quota(total=1, day=1), [NOON, NOON], NOON) == RemainingQuota(total=0, day=0)


OPENS = datetime(2026, 3, 1, tzinfo=UTC)


CLOSES = datetime(2026, 4, 1, tzinfo=UTC)


TICK = timedelta(microseconds=1)


APPROVED = Eligibility(approved=True)


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
    [(OPENS - TICK, "CB302"), (OPENS, None), (CLOSES - TICK, None), (CLOSES, "CB303"), (CLOSES + TICK, "CB303")],
)
def test_a_phase_is_open_from_its_opening_until_just_before_its_close(arrived, code):
    refused = check_admission(phase(), APPROVED, arrived)
    assert (refused and refused.code) == code


def test_a_team_that_is_not_approved_hears_that_first():
    refused = check_admission(phase(), Eligibility(approved=False), CLOSES)
    assert refused is not None
    assert refused.code == "CB301"


def test_nothing_is_taken_before_the_first_download_where_there_is_a_window():
    refused = check_admission(phase(window_hours=48), APPROVED, OPENS)
    assert refused is not None
    assert refused.code == "CB304"


def test_a_window_is_48_hours_long_to_the_microsecond():
    timed = phase(window_hours=48)
    opened = datetime(2026, 3, 10, 7, 30, tzinfo=UTC)
    closes = compute_window_end(timed, opened)
    assert closes == datetime(2026, 3, 12, 7, 30, tzinfo=UTC)
    standing = Eligibility(approved=True, window_closes=closes)
    assert check_admission(timed, standing, closes - TICK) is None
    late = check_admission(timed, standing, closes)
    assert late is not None
    assert late.code == "CB304"


def test_a_window_never_outlasts_its_phase():
    assert compute_window_end(phase(window_hours=48), CLOSES - timedelta(hours=1)) == CLOSES


def test_a_phase_without_a_window_has_none():
    assert compute_window_end(phase(), OPENS) is None


def test_the_day_of_a_quota_begins_at_midnight_utc():
    bounded = phase(quota=Quota(day=2))
    evening = datetime(2026, 3, 10, 23, 59, tzinfo=UTC)
    standing = Eligibility(approved=True, charged=(evening, evening))
    refused = check_admission(bounded, standing, evening + timedelta(seconds=59))
    assert refused is not None
    assert refused.code == "CB305"
    assert check_admission(bounded, standing, evening + timedelta(minutes=1)) is None


def test_the_total_of_a_quota_holds_over_days():
    standing = Eligibility(approved=True, charged=(OPENS, OPENS, OPENS))
    refused = check_admission(phase(quota=Quota(total=3)), standing, CLOSES - TICK)
    assert refused is not None
    assert "all 3 submissions" in refused.message


def test_a_frozen_campaign_takes_nothing():
    refused = check_admission(phase(), Eligibility(approved=True, frozen=True), OPENS)
    assert refused is not None
    assert refused.code == "CB306"


MIDDAY = OPENS + timedelta(hours=12)


def open_phase(**changes: object) -> Phase:
    made = {"name": "p", "title": "Test", "opens": OPENS, "closes": OPENS + timedelta(days=9)}
    return Phase(**made, data=(), **changes)


def said(of: Phase, standing: Eligibility, time: datetime) -> str:
    refused = check_admission(of, standing, time)
    assert refused is not None
    return refused.message


def test_of_two_bounds_that_are_met_the_one_that_lasts_is_named():
    bounded = open_phase(quota=Quota(total=2, day=2))
    assert "all 2 submissions of the phase" in said(
        bounded, Eligibility(approved=True, charged=(MIDDAY, MIDDAY)), MIDDAY
    )


def test_the_bound_of_the_day_is_named_where_others_are_left():
    bounded = open_phase(quota=Quota(total=5, day=2))
    standing = Eligibility(approved=True, charged=(MIDDAY, MIDDAY))
    assert "all 2 submissions of the day" in said(bounded, standing, MIDDAY)
    assert check_admission(bounded, standing, MIDDAY + timedelta(days=1)) is None


def test_one_before_the_bound_is_taken():
    assert (
        check_admission(open_phase(quota=Quota(total=2)), Eligibility(approved=True, charged=(MIDDAY,)), MIDDAY) is None
    )


def test_time_is_looked_at_before_all_but_approval():
    frozen = Eligibility(approved=True, frozen=True)
    assert "opens at" in said(open_phase(), frozen, OPENS - timedelta(seconds=1))
    assert "frozen" in said(open_phase(window_hours=1), frozen, OPENS)


RECEIPT = Receipt(
    what="submission",
    number="1f",
    team="Alpha",
    phase="test",
    task="chains",
    sha256="ab" * 32,
    bytes=1200,
    time="2026-03-31T23:59:59.999999Z",
)


@pytest.mark.parametrize("field", Receipt.__struct_fields__)
def test_a_receipt_with_one_field_changed_is_not_genuine(field):
    genuine = sign_receipt(RECEIPT, b"secret")
    other = 1201 if field == "bytes" else getattr(genuine, field) + "0"
    assert is_genuine(genuine, b"secret")
    assert not is_genuine(msgspec.structs.replace(genuine, **{field: other}), b"secret")


def test_a_receipt_of_another_server_is_not_genuine():
    assert not is_genuine(sign_receipt(RECEIPT, b"another"), b"secret")
