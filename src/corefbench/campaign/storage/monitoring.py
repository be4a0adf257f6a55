"""Current activity: submissions by state, the queue, leases and recent failures."""

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, func, select

from corefbench.campaign.domain.submissions import SUBMISSION_STATES, SubmissionState
from corefbench.campaign.storage.tables import submissions, teams
from corefbench.campaign.storage.users import TEAM_STATES
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
    tasks = _list_task_activity(connection)
    return Activity(
        places=tasks,
        queued=sum(task.counts["queued"] for task in tasks),
        waiting_since=oldest,
        leases=_list_leases(connection, now),
        faults=_list_failures(connection),
        teams=_count_teams(connection),
    )


def _list_task_activity(connection: Connection) -> tuple[TaskActivity, ...]:
    columns = (submissions.c.phase, submissions.c.task)
    counts: dict[tuple[str, str], dict[SubmissionState, int]] = {}
    for phase, task, state, count in connection.execute(
        select(*columns, submissions.c.state, func.count()).group_by(*columns, submissions.c.state)
    ):
        counts.setdefault((phase, task), dict.fromkeys(SUBMISSION_STATES, 0))[state] = count
    team_counts = connection.execute(select(*columns, func.count(submissions.c.team.distinct())).group_by(*columns))
    senders = {(phase, task): count for phase, task, count in team_counts}
    return tuple(
        TaskActivity(phase=phase, task=task, counts=by_state, teams=senders[phase, task])
        for (phase, task), by_state in sorted(counts.items())
    )


def _list_leases(connection: Connection, now: datetime) -> tuple[Lease, ...]:
    columns = submissions.c
    query = (
        select(
            columns.id.label("submission"),
            columns.worker,
            columns.phase,
            columns.task,
            columns.attempts,
            columns.lease.label("until"),
            (columns.lease <= now).label("lost"),
        )
        .where(columns.state == "scoring")
        .order_by(columns.received, columns.id)
    )
    return tuple(Lease(**row._asdict()) for row in connection.execute(query))


def _list_failures(connection: Connection) -> tuple[FailedSubmission, ...]:
    columns = submissions.c
    query = (
        select(
            columns.id.label("submission"),
            teams.c.name.label("team"),
            columns.phase,
            columns.task,
            columns.state,
            columns.message,
            columns.changed.label("changed"),
        )
        .join(teams, teams.c.id == columns.team)
        .where(columns.state.in_(("failed", "invalid")))
        .order_by(columns.changed.desc(), columns.id)
        .limit(_MAX_FAILURES)
    )
    return tuple(FailedSubmission(**row._asdict()) for row in connection.execute(query))


def _count_teams(connection: Connection) -> dict[str, int]:
    counts = _count_by(connection, teams.c.state)
    return {state: counts.get(state, 0) for state in TEAM_STATES}


def count_submissions_by_team(connection: Connection) -> dict[str, int]:
    """Return how many submissions each team has sent."""
    return _count_by(connection, submissions.c.team)


def _count_by(connection: Connection, column: Column[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(select(column, func.count()).group_by(column))}
