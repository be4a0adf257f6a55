"""Times: UTC, whole microseconds since 1970 wherever they are kept."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(time: datetime) -> int:
    """The time as it is kept.

    >>> microseconds(datetime(1970, 1, 2, tzinfo=UTC))
    86400000000
    """
    return (time - _EPOCH) // _MICROSECOND


def moment(kept: int) -> datetime:
    """The time that was kept.

    >>> moment(86_400_000_000).isoformat()
    '1970-01-02T00:00:00+00:00'
    """
    return _EPOCH + kept * _MICROSECOND


def midnight(time: datetime) -> datetime:
    """The beginning of the day, in UTC."""
    return time.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def written(time: datetime) -> str:
    """The time as people and receipts have it, to the microsecond.

    >>> written(datetime(2026, 3, 1, 12, 0, 0, 500, tzinfo=UTC))
    '2026-03-01T12:00:00.000500Z'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
