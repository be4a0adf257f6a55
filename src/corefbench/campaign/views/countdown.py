"""How long until something, in words."""

from datetime import datetime, timedelta


def until(time: datetime, now: datetime) -> str:
    """The largest two units.

    >>> from datetime import UTC
    >>> until(datetime(2026, 3, 3, 5, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC))
    '2 days 5 hours'
    >>> until(datetime(2026, 3, 1, 0, 0, 40, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC))
    'less than a minute'
    """
    left = max(time - now, timedelta())
    minutes = left // timedelta(minutes=1)
    counts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
    said = [f"{n} {unit}{'s' if n != 1 else ''}" for unit, n in counts.items() if n]
    return " ".join(said[:2]) or "less than a minute"
