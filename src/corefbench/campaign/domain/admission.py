"""Whether a submission is taken: one rule for uploads, the interface and the tests.

The time that counts is that of the server's clock when the last byte of the answers has arrived;
it is the time on the receipt. Taken is what arrives from ``opens`` on and before ``closes``, and,
where a team has a window, before the window closes. Nothing is rounded.
"""

from collections.abc import Iterable
from datetime import datetime

from corefbench.campaign.domain.definition import Phase
from corefbench.campaign.domain.quota import left
from corefbench.campaign.domain.times import written
from corefbench.record import Record


class Refusal(Record, frozen=True):
    """Why something is not taken."""

    code: str
    message: str
    remedy: str = ""


class Standing(Record, frozen=True):
    """What the rules look at, of a team and a task in a phase."""

    approved: bool
    window_closes: datetime | None = None
    """When the window of the team closes; None before its first download."""
    charged: tuple[datetime, ...] = ()
    """When the submissions arrived that count against the quota."""
    frozen: bool = False


def refusal(phase: Phase, standing: Standing, arrived: datetime) -> Refusal | None:
    """Why answers that have arrived are not taken; None where they are."""
    if not standing.approved:
        return Refusal(
            code="CB301",
            message="the team is not approved",
            remedy="wait for the organisers, or write to them",
        )
    return (
        out_of_time(phase, arrived)
        or _frozen(standing)
        or _window(phase, standing.window_closes, arrived)
        or _quota(phase, standing.charged, arrived)
    )


def out_of_time(phase: Phase, time: datetime) -> Refusal | None:
    """Why nothing is taken or given at this time."""
    if time < phase.opens:
        return Refusal(code="CB302", message=f"{phase.title} opens at {written(phase.opens)}")
    if time >= phase.closes:
        return Refusal(
            code="CB303",
            message=f"{phase.title} closed at {written(phase.closes)}; this arrived at "
            f"{written(time)}",
        )
    return None


def _frozen(standing: Standing) -> Refusal | None:
    if not standing.frozen:
        return None
    return Refusal(code="CB306", message="the organisers have frozen the campaign")


def _window(phase: Phase, closes: datetime | None, arrived: datetime) -> Refusal | None:
    if phase.window is None:
        return None
    if closes is None:
        return Refusal(
            code="CB304",
            message="the data has not been downloaded",
            remedy="download it first: the window opens with the first download",
        )
    if arrived >= closes:
        return Refusal(
            code="CB304",
            message=f"the window closed at {written(closes)}; this arrived at {written(arrived)}",
        )
    return None


def _quota(phase: Phase, charged: Iterable[datetime], arrived: datetime) -> Refusal | None:
    remaining = left(phase.quota, charged, arrived)
    if remaining.any:
        return None
    if remaining.total == 0:
        return Refusal(
            code="CB305", message=f"all {phase.quota.total} submissions of the phase are used"
        )
    return Refusal(
        code="CB305",
        message=f"all {phase.quota.day} submissions of the day are used",
        remedy="the next day begins at midnight UTC",
    )


def window_closes(phase: Phase, opened: datetime) -> datetime | None:
    """When a window that opens now closes: never after the phase."""
    return None if phase.window is None else min(opened + phase.window, phase.closes)
