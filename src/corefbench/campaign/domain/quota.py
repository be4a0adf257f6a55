"""How many submissions a team has left.

Counted are the submissions of a team for one task of one phase that the platform did not fail
(``states.REFUNDED``); withdrawing one gives nothing back.
"""

from collections.abc import Iterable
from datetime import datetime

from corefbench.campaign.domain.definition import Quota
from corefbench.campaign.domain.times import midnight
from corefbench.record import Record


class Left(Record, frozen=True):
    """Submissions that are left; None where there is no bound."""

    total: int | None
    day: int | None

    @property
    def any(self) -> bool:
        """Whether one more is taken.

        >>> Left(total=3, day=0).any, Left(total=None, day=None).any
        (False, True)
        """
        return self.total != 0 and self.day != 0


def left(quota: Quota, charged: Iterable[datetime], now: datetime) -> Left:
    """What is left after the submissions that arrived at these times."""
    times = list(charged)
    today = sum(midnight(time) == midnight(now) for time in times)
    return Left(
        total=max(quota.total - len(times), 0) if quota.total else None,
        day=max(quota.day - today, 0) if quota.day else None,
    )
