"""What is left of a quota."""

from datetime import UTC, datetime, timedelta

from corefbench.campaign.domain.definition import Quota
from corefbench.campaign.domain.quota import Left, left

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_without_bounds_there_is_no_end():
    assert left(Quota(), [NOON] * 1000, NOON) == Left(total=None, day=None)


def test_yesterday_counts_for_the_total_only():
    assert left(Quota(total=5, day=2), [NOON - timedelta(days=1), NOON], NOON) == Left(
        total=3, day=1
    )


def test_more_than_was_allowed_leaves_nothing_not_less():
    assert left(Quota(total=1, day=1), [NOON, NOON], NOON) == Left(total=0, day=0)
