"""Current activity: submissions by state, the queue, leases and recent failures."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from corefbench.campaign.domain.submissions import SUBMISSION_STATES, SubmissionState
from corefbench.campaign.domain.times import from_microseconds, to_microseconds
from corefbench.campaign.storage.tables import evaluations, submissions, teams
from corefbench.records import Record

_MAX_FAILURES = 10


class TaskActivity(Record, frozen=True):
    """Number of submissions of a task in a phase, by state."""

    phase: str
    task: str
    counts: dict[SubmissionState, int]
    teams: int
    """Teams that have submitted anything."""

    @property
    def all(self) -> int:
        """Return the number of submissions in any state."""
        return sum(self.counts.values())


class Lease(Record, frozen=True):
    """A submission that a worker is scoring."""

    submission: str
    worker: str
    phase: str
    task: str
    attempts: int
    until: datetime
    lost: bool
    """Whether the lease has expired: another worker will take over."""


class FailedSubmission(Record, frozen=True):
    """A submission that was not scored."""

    submission: str
    team: str
    phase: str
    task: str
    state: SubmissionState
    message: str
    changed: datetime


class Activity(Record, frozen=True):
    """Activity of the whole campaign."""

    places: tuple[TaskActivity, ...]
    queued: int
    waiting_since: datetime | None
    """When the oldest submission in the queue arrived."""
    leases: tuple[Lease, ...]
    faults: tuple[FailedSubmission, ...]
    """The latest submissions that failed or were invalid."""
    teams: dict[str, int]
    """Number of teams by state: applied, approved, refused."""


def get_activity(connection: Connection, now: datetime) -> Activity:
    """Return the activity of the whole campaign."""
    oldest = connection.scalars(select(func.min(submissions.c.received)).where(submissions.c.state == "queued")).one()
    places = _list_task_activity(connection)
    return Activity(
        places=places,
        queued=sum(place.counts["queued"] for place in places),
        waiting_since=None if oldest is None else from_microseconds(oldest),
        leases=_list_leases(connection, now),
        faults=_list_failures(connection),
        teams=_count_teams(connection),
    )


def _list_task_activity(connection: Connection) -> tuple[TaskActivity, ...]:
    place = (submissions.c.phase, submissions.c.task)
    counts: dict[tuple[str, str], dict[SubmissionState, int]] = {}
    for phase, task, state, count in connection.execute(
        select(*place, submissions.c.state, func.count()).group_by(*place, submissions.c.state)
    ):
        counts.setdefault((phase, task), dict.fromkeys(SUBMISSION_STATES, 0))[state] = count
    sent = connection.execute(select(*place, func.count(submissions.c.team.distinct())).group_by(*place))
    senders = {(phase, task): count for phase, task, count in sent}
    return tuple(
        TaskActivity(phase=phase, task=task, counts=found, teams=senders[phase, task])
        for (phase, task), found in sorted(counts.items())
    )


def _list_leases(connection: Connection, now: datetime) -> tuple[Lease, ...]:
    rows = connection.execute(
        select(submissions).where(submissions.c.state == "scoring").order_by(submissions.c.received, submissions.c.id)
    )
    return tuple(
        Lease(
            submission=row.id,
            worker=row.worker or "",
            phase=row.phase,
            task=row.task,
            attempts=row.attempts,
            until=from_microseconds(row.lease or 0),
            lost=(row.lease or 0) <= to_microseconds(now),
        )
        for row in rows
    )


def _list_failures(connection: Connection) -> tuple[FailedSubmission, ...]:
    rows = connection.execute(
        select(submissions, teams.c.name.label("team_name"))
        .join(teams, teams.c.id == submissions.c.team)
        .where(submissions.c.state.in_(("failed", "invalid")))
        .order_by(submissions.c.changed.desc(), submissions.c.id)
        .limit(_MAX_FAILURES)
    )
    return tuple(
        FailedSubmission(
            submission=row.id,
            team=row.team_name,
            phase=row.phase,
            task=row.task,
            state=row.state,
            message=row.message,
            changed=from_microseconds(row.changed),
        )
        for row in rows
    )


def _count_teams(connection: Connection) -> dict[str, int]:
    rows = connection.execute(select(teams.c.state, func.count()).group_by(teams.c.state))
    found = {row[0]: row[1] for row in rows}
    return {state: found.get(state, 0) for state in ("applied", "approved", "refused")}


def count_submissions_by_team(connection: Connection) -> dict[str, int]:
    """Return how many submissions each team has sent."""
    rows = connection.execute(select(submissions.c.team, func.count()).group_by(submissions.c.team))
    return {row[0]: row[1] for row in rows}


class EvaluationSummary(Record, frozen=True):
    """The columns of an evaluation that the console shows."""

    headline: float
    signature: str
    key_sha256: str | None


def get_evaluation_summaries(connection: Connection, ids: Sequence[str]) -> dict[str, EvaluationSummary]:
    """Return summaries of evaluations by id."""
    query = select(evaluations).where(evaluations.c.id.in_(ids))
    return {row.id: _summary_from_row(row) for row in connection.execute(query)}


def get_evaluation_summaries_by_task(connection: Connection) -> dict[tuple[str, str], list[EvaluationSummary]]:
    """Return summaries of all scored submissions that are not being rescored, by task."""
    query = (
        select(submissions.c.phase, submissions.c.task, evaluations)
        .join(evaluations, evaluations.c.id == submissions.c.evaluation)
        .where(submissions.c.state == "scored")
    )
    found: dict[tuple[str, str], list[EvaluationSummary]] = {}
    for row in connection.execute(query):
        found.setdefault((row.phase, row.task), []).append(_summary_from_row(row))
    return found


def _summary_from_row(row: Row[Any]) -> EvaluationSummary:
    return EvaluationSummary(headline=row.headline, signature=row.signature, key_sha256=row.key_sha256)
