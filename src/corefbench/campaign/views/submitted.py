"""A submission as somebody may see it: where it stands, and its scores when it is time."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection

from corefbench.campaign.domain.errors_seen import ErrorsSeen
from corefbench.campaign.domain.receipts import Receipt, sealed
from corefbench.campaign.domain.states import State
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.submissions import (
    Submission,
    queue_places,
    queue_position,
    submission,
)
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.campaign.views.results import Result, seen_of
from corefbench.record import Record


class Shown(Record, frozen=True):
    """A submission."""

    id: str
    phase: str
    task: str
    label: str
    file_name: str
    sha256: str
    bytes: int
    received: datetime
    state: State
    changed: datetime
    message: str = ""
    """Why it is invalid, failed or disqualified."""
    queue_position: int | None = None
    attempts: int = 0
    heard_until: datetime | None = None
    """While it is scored: if the worker is not heard of until then, another takes over."""
    result: Result | None = None
    """None until the scores are there and may be seen …"""
    being_rescored: bool = False
    """… where these are of before, and others are being made."""
    errors: ErrorsSeen | None = None
    """Where the phase is not blind."""


def own_submission(connection: Connection, visitor: Visitor, id: str) -> Submission:
    """The submission, for its team and for organisers; for all others it is not there."""
    found = submission(connection, id)
    if found is None or (visitor.role != "organiser" and found.team != visitor.team):
        raise NotThere("there is no such submission", found=id[:64])
    return found


def shown(
    platform: Platform,
    connection: Connection,
    visitor: Visitor,
    one: Submission,
    *,
    errors: bool = False,
    places: Mapping[str, int] | None = None,
) -> Shown:
    """What may be seen of it; ``errors`` adds them where the phase is not blind."""
    seen = seen_of(platform, connection, visitor, one)
    if one.state != "queued":
        place = None
    else:
        place = queue_position(connection, one.id) if places is None else places.get(one.id)
    return Shown(
        id=one.id,
        phase=one.phase,
        task=one.task,
        label=one.label,
        file_name=one.file_name,
        sha256=one.sha256,
        bytes=one.bytes,
        received=one.received,
        state=one.state,
        changed=one.changed,
        message=one.message,
        queue_position=place,
        attempts=one.attempts,
        heard_until=one.lease if one.state == "scoring" else None,
        result=None if seen is None else seen.result,
        being_rescored=seen is not None and one.state != "scored",
        errors=seen.errors if errors and seen is not None else None,
    )


def shown_all(
    platform: Platform, connection: Connection, visitor: Visitor, many: Iterable[Submission]
) -> list[Shown]:
    """The same for many; the queue is looked at once."""
    places = queue_places(connection)
    return [shown(platform, connection, visitor, one, places=places) for one in many]


def receipt_of(platform: Platform, one: Submission) -> Receipt:
    """The receipt with its seal."""
    return sealed(one.receipt, platform.secret)
