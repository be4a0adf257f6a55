"""What goes on at present: counts of states, the queue, who scores what, what failed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from corefbench.campaign.domain.states import STATES, State
from corefbench.campaign.domain.times import microseconds, moment
from corefbench.campaign.storage.tables import evaluations, submissions, teams
from corefbench.record import Record

_FAILURES = 10


class Place(Record, frozen=True):
    """How many submissions of a task in a phase are in which state."""

    phase: str
    task: str
    counts: dict[State, int]
    teams: int
    """That have sent any."""

    @property
    def all(self) -> int:
        """In whatever state."""
        return sum(self.counts.values())


class Lease(Record, frozen=True):
    """A submission that a worker has."""

    submission: str
    worker: str
    phase: str
    task: str
    attempts: int
    until: datetime
    lost: bool
    """Whether the worker has not been heard of in time: another will take it over."""


class Fault(Record, frozen=True):
    """A submission that was not scored."""

    submission: str
    team: str
    phase: str
    task: str
    state: State
    message: str
    changed: datetime


class Activity(Record, frozen=True):
    """All of it."""

    places: tuple[Place, ...]
    queued: int
    waiting_since: datetime | None
    """When the oldest of the queue arrived."""
    leases: tuple[Lease, ...]
    faults: tuple[Fault, ...]
    """The last that failed or were invalid."""
    teams: dict[str, int]
    """By state: applied, approved, refused."""


def activity(connection: Connection, now: datetime) -> Activity:
    """A look at the whole campaign."""
    oldest = connection.scalars(
        select(func.min(submissions.c.received)).where(submissions.c.state == "queued")
    ).one()
    places = _places(connection)
    return Activity(
        places=places,
        queued=sum(place.counts["queued"] for place in places),
        waiting_since=None if oldest is None else moment(oldest),
        leases=_leases(connection, now),
        faults=_faults(connection),
        teams=_teams(connection),
    )


def _places(connection: Connection) -> tuple[Place, ...]:
    place = (submissions.c.phase, submissions.c.task)
    counts: dict[tuple[str, str], dict[State, int]] = {}
    for phase, task, state, count in connection.execute(
        select(*place, submissions.c.state, func.count()).group_by(*place, submissions.c.state)
    ):
        counts.setdefault((phase, task), dict.fromkeys(STATES, 0))[state] = count
    sent = connection.execute(
        select(*place, func.count(submissions.c.team.distinct())).group_by(*place)
    )
    senders = {(phase, task): count for phase, task, count in sent}
    return tuple(
        Place(phase=phase, task=task, counts=found, teams=senders[phase, task])
        for (phase, task), found in sorted(counts.items())
    )


def _leases(connection: Connection, now: datetime) -> tuple[Lease, ...]:
    rows = connection.execute(
        select(submissions)
        .where(submissions.c.state == "scoring")
        .order_by(submissions.c.received, submissions.c.id)
    )
    return tuple(
        Lease(
            submission=row.id,
            worker=row.worker or "",
            phase=row.phase,
            task=row.task,
            attempts=row.attempts,
            until=moment(row.lease or 0),
            lost=(row.lease or 0) <= microseconds(now),
        )
        for row in rows
    )


def _faults(connection: Connection) -> tuple[Fault, ...]:
    rows = connection.execute(
        select(submissions, teams.c.name.label("team_name"))
        .join(teams, teams.c.id == submissions.c.team)
        .where(submissions.c.state.in_(("failed", "invalid")))
        .order_by(submissions.c.changed.desc(), submissions.c.id)
        .limit(_FAILURES)
    )
    return tuple(
        Fault(
            submission=row.id,
            team=row.team_name,
            phase=row.phase,
            task=row.task,
            state=row.state,
            message=row.message,
            changed=moment(row.changed),
        )
        for row in rows
    )


def _teams(connection: Connection) -> dict[str, int]:
    rows = connection.execute(select(teams.c.state, func.count()).group_by(teams.c.state))
    found = {row[0]: row[1] for row in rows}
    return {state: found.get(state, 0) for state in ("applied", "approved", "refused")}


def submissions_by_team(connection: Connection) -> dict[str, int]:
    """How many submissions each team has sent."""
    rows = connection.execute(select(submissions.c.team, func.count()).group_by(submissions.c.team))
    return {row[0]: row[1] for row in rows}


class Counted(Record, frozen=True):
    """What is kept beside an evaluation."""

    headline: float
    signature: str
    key_sha256: str | None


def counted(connection: Connection, ids: Sequence[str]) -> dict[str, Counted]:
    """The score that ranks and how it was made, by evaluation."""
    query = select(evaluations).where(evaluations.c.id.in_(ids))
    return {row.id: _counted(row) for row in connection.execute(query)}


def counted_by_task(connection: Connection) -> dict[tuple[str, str], list[Counted]]:
    """The same of all that is scored and not being rescored, by phase and task."""
    query = (
        select(submissions.c.phase, submissions.c.task, evaluations)
        .join(evaluations, evaluations.c.id == submissions.c.evaluation)
        .where(submissions.c.state == "scored")
    )
    found: dict[tuple[str, str], list[Counted]] = {}
    for row in connection.execute(query):
        found.setdefault((row.phase, row.task), []).append(_counted(row))
    return found


def _counted(row: Row[Any]) -> Counted:
    return Counted(headline=row.headline, signature=row.signature, key_sha256=row.key_sha256)
