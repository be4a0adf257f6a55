"""How far a loop has come and how long it will still take, said now and then."""

import time
from collections.abc import Callable

_EVERY = 5.0
"""Seconds between two lines."""


class Pace:
    """Counts what is done and reports it, at most every few seconds, with the time left."""

    def __init__(self, what: str, total: int, report: Callable[[str], None]) -> None:
        self.what, self.total, self.report = what, total, report
        self.done = 0
        self._began = self._said = time.monotonic()

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        now = time.monotonic()
        if now - self._said >= _EVERY or self.done == self.total:
            self._said = now
            left = (now - self._began) / self.done * (self.total - self.done)
            self.report(f"{self.what} {self.done}/{self.total}, {duration(left)} left")


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(7.4), duration(200), duration(9000)
    ('7 s', '3 min', '2 h 30 min')
    """
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
