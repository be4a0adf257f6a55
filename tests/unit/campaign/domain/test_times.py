"""Times are kept to the microsecond and days begin at midnight UTC, wherever one is."""

from datetime import UTC, datetime, timedelta, timezone

from corefbench.campaign.domain.times import format_time, from_microseconds, start_of_day, to_microseconds

INDIA = timezone(timedelta(hours=5, minutes=30))
TIME = datetime(2026, 3, 2, 12, 34, 56, 789_012, tzinfo=UTC)


def test_a_day_begins_at_midnight_to_the_microsecond():
    assert start_of_day(TIME) == datetime(2026, 3, 2, 0, 0, 0, 0, tzinfo=UTC)


def test_the_day_is_that_of_utc():
    """Half past two in India is nine in the evening of the day before in UTC."""
    assert start_of_day(datetime(2026, 3, 2, 2, 30, tzinfo=INDIA)) == datetime(2026, 3, 1, tzinfo=UTC)


def test_a_time_is_kept_as_it_was():
    assert to_microseconds(TIME) == 1_772_454_896_789_012
    assert from_microseconds(to_microseconds(TIME)) == TIME


def test_a_time_is_written_in_utc_with_all_six_digits():
    assert format_time(TIME) == "2026-03-02T12:34:56.789012Z"
    assert format_time(datetime(2026, 3, 2, 2, 30, tzinfo=INDIA)) == "2026-03-01T21:00:00.000000Z"
