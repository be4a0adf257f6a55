"""How often somebody may try: so many attempts in a stretch of time."""

from collections import deque
from datetime import datetime, timedelta
from threading import Lock

from corefbench.errors import UsageError

SPAN = timedelta(minutes=15)
_KEPT = 10_000
"""Names that are remembered: guessing many must not fill the memory."""


class Attempts:
    """Attempts by name, forgotten after a quarter of an hour."""

    def __init__(self) -> None:
        self._times: dict[str, deque[datetime]] = {}
        self._lock = Lock()

    def count(self, name: str, now: datetime, *, allowed: int) -> None:
        """One more; an error where there were too many."""
        with self._lock:
            times = self._times.pop(name, deque())
            while times and times[0] <= now - SPAN:
                times.popleft()
            if len(times) < allowed:
                times.append(now)
                self._keep(name, times)
                return
            self._keep(name, times)
            wait = times[0] + SPAN - now
        raise UsageError(
            "there were too many attempts",
            code="CB343",
            remedy=f"try again in {max(1, round(wait.total_seconds() / 60))} minutes",
        )

    def forget(self, name: str) -> None:
        """It was somebody who may."""
        with self._lock:
            self._times.pop(name, None)

    def _keep(self, name: str, times: deque[datetime]) -> None:
        self._times[name] = times
        while len(self._times) > _KEPT:
            del self._times[next(iter(self._times))]
