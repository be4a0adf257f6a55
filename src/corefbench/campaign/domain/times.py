"""Times in UTC, stored as whole microseconds since 1970."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(time: datetime) -> int:
    """Return a time as it is stored.

    >>> to_microseconds(datetime(1970, 1, 2, tzinfo=UTC))
    86400000000
    """
    return (time - _EPOCH) // _MICROSECOND


def from_microseconds(stored: int) -> datetime:
    """Return a stored time.

    >>> from_microseconds(86_400_000_000).isoformat()
    '1970-01-02T00:00:00+00:00'
    """
    return _EPOCH + stored * _MICROSECOND


def start_of_day(time: datetime) -> datetime:
    """Return the beginning of the day in UTC."""
    return time.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def format_time(time: datetime) -> str:
    """Return a time as text, as on receipts: ISO 8601 to the microsecond.

    >>> format_time(datetime(2026, 3, 1, 12, 0, 0, 500, tzinfo=UTC))
    '2026-03-01T12:00:00.000500Z'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
