"""Accept, find and change submissions.

Submissions that arrive together are accepted in one transaction, each decided after those before
it. What other servers accept at the same time is seen before or after, so that everything counts
against the quota: on SQLite because a writing transaction begins with ``BEGIN IMMEDIATE``, on
PostgreSQL because the rows of the teams are locked, in the same order everywhere.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Column, ColumnElement, Connection, Row, Select, insert, select, update

from corefbench.campaign.domain.config import Campaign
from corefbench.campaign.domain.submissions import (
    REFUNDED_STATES,
    Eligibility,
    Receipt,
    Refusal,
    SubmissionState,
    check_admission,
    compute_remaining_quota,
    transition,
)
from corefbench.campaign.domain.times import format_time
from corefbench.campaign.storage.audit import record_action
from corefbench.campaign.storage.database import column_in, insert_many_or_ignore, record_columns
from corefbench.campaign.storage.settings import is_frozen
from corefbench.campaign.storage.tables import files, submissions, windows
from corefbench.campaign.storage.users import assign_pseudonyms, lock_team, lock_teams
from corefbench.errors import UsageError
from corefbench.records import Record

TeamTask: TypeAlias = tuple[str, str, str]
"""A team, a phase and a task: what quotas and windows belong to."""


class NewSubmission(Record, frozen=True):
    """Answers whose last byte has arrived and which are in the file store."""

    team: str
    person: str
    phase: str
    task: str
    file_name: str
    sha256: str
    bytes: int
    label: str = ""
    request: str | None = None
    """Chosen by the client: sent twice, accepted once."""

    @property
    def team_task(self) -> TeamTask:
        """What its quota and window belong to."""
        return self.team, self.phase, self.task


class Submission(Record, frozen=True):
    """A row of the table."""

    id: str
    team: str
    person: str
    phase: str
    task: str
    label: str
    file_name: str
    sha256: str
    bytes: int
    received: datetime
    request: str | None
    state: SubmissionState
    changed: datetime
    message: str = ""
    worker: str | None = None
    lease: datetime | None = None
    attempts: int = 0
    evaluation: str | None = None

    @property
    def receipt(self) -> Receipt:
        """The receipt without its seal."""
        return Receipt(
            what="submission",
            number=self.id,
            team=self.team,
            phase=self.phase,
            task=self.task,
            sha256=self.sha256,
            bytes=self.bytes,
            time=format_time(self.received),
        )


SUBMISSION_COLUMNS = record_columns(submissions, Submission)


def get_submission(connection: Connection, id: str) -> Submission | None:
    """Return a submission by its id."""
    return fetch_submission(connection, select(*SUBMISSION_COLUMNS).where(submissions.c.id == id))


def list_submissions(
    connection: Connection,
    team: str | None,
    phase: str | None = None,
    task: str | None = None,
    state: SubmissionState | None = None,
) -> list[Submission]:
    """Return the submissions of a team, or of all teams, in order of arrival."""
    query = select(*SUBMISSION_COLUMNS).order_by(submissions.c.received, submissions.c.id)
    for column, value in (
        (submissions.c.team, team),
        (submissions.c.phase, phase),
        (submissions.c.task, task),
        (submissions.c.state, state),
    ):
        if value is not None:
            query = query.where(column == value)
    return [submission_from_row(row) for row in connection.execute(query)]


def fetch_submission(connection: Connection, query: Select[Any]) -> Submission | None:
    """Return the submission that a query finds, if any."""
    row = connection.execute(query).one_or_none()
    return None if row is None else submission_from_row(row)


def submission_from_row(row: Row[Any]) -> Submission:
    """Return the record of a row."""
    return Submission(**row._asdict())


def get_charged_times(connection: Connection, team: str, phase: str, task: str) -> tuple[datetime, ...]:
    """Return when the submissions arrived that count against the quota."""
    key = (team, phase, task)
    return tuple(get_charged_times_by_task(connection, [key])[key])


def get_charged_times_by_task(
    connection: Connection, keys: Iterable[TeamTask]
) -> defaultdict[TeamTask, list[datetime]]:
    """Return the same for several teams and tasks."""
    times: defaultdict[TeamTask, list[datetime]] = defaultdict(list)
    is_charged = submissions.c.state.not_in(REFUNDED_STATES)
    for key, received in _select_times(connection, submissions.c.received, is_charged, keys):
        times[key].append(received)
    return times


def get_window_ends(connection: Connection, keys: Iterable[TeamTask]) -> dict[TeamTask, datetime]:
    """Return when windows close that have been opened and have an end."""
    has_end = windows.c.closes.is_not(None)
    return dict(_select_times(connection, windows.c.closes, has_end, keys))


def _select_times(
    connection: Connection, column: Column[Any], condition: ColumnElement[bool], keys: Iterable[TeamTask]
) -> Iterator[tuple[TeamTask, datetime]]:
    """Yield a column of times, with one query per task to use the index of the table."""
    teams_by_task: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for team, phase, task in keys:
        teams_by_task[phase, task].add(team)
    columns = column.table.c
    for (phase, task), names in teams_by_task.items():
        query = select(columns.team, column).where(
            columns.phase == phase, columns.task == task, column_in(connection, columns.team, names), condition
        )
        for team, time in connection.execute(query):
            yield (team, phase, task), time


def accept_submission(
    connection: Connection, campaign: Campaign, submission: NewSubmission, now: datetime
) -> Submission | Refusal:
    """Accept answers that arrived at ``now``, or refuse them by the rules.

    Sent again with the same request id, they are the same submission, even after the deadline.
    """
    return accept_submissions(connection, campaign, [(submission, now)])[0]


def accept_submissions(
    connection: Connection, campaign: Campaign, arrivals: Sequence[tuple[NewSubmission, datetime]]
) -> list[Submission | Refusal]:
    """Accept or refuse several, with their times of arrival, in this order."""
    batch = _AcceptanceBatch(connection, campaign, [submission for submission, _ in arrivals])
    decisions = [batch.decide(submission, now) for submission, now in arrivals]
    if batch.accepted:
        # Sorted by SHA-256: transactions that insert the same files cannot deadlock.
        stored = sorted({(new.sha256, new.bytes, new.received) for new in batch.accepted})
        insert_many_or_ignore(
            connection, files, [{"sha256": sha256, "bytes": size, "created": now} for sha256, size, now in stored]
        )
        assign_pseudonyms(connection, {(submission.team, submission.phase) for submission in batch.accepted})
        connection.execute(insert(submissions), [msgspec.structs.asdict(submission) for submission in batch.accepted])
    return decisions


class _AcceptanceBatch:
    """What the rules look at; what is accepted counts for those that follow."""

    def __init__(self, connection: Connection, campaign: Campaign, arrivals: Sequence[NewSubmission]) -> None:
        keys = {submission.team_task for submission in arrivals}
        for _, phase, task in keys:
            campaign.phase(phase).data_of(task)  # raises if there is no such task
        self._campaign = campaign
        self._team_states = lock_teams(connection, {team for team, _, _ in keys})
        self._by_request = _find_repeated(connection, arrivals)
        self._charged_times = get_charged_times_by_task(connection, keys)
        self._window_ends = get_window_ends(connection, keys)
        self._frozen = is_frozen(connection)
        self.accepted: list[Submission] = []

    def decide(self, new: NewSubmission, now: datetime) -> Submission | Refusal:
        """Accept answers, or refuse them."""
        earlier = self._by_request.get((new.team, new.request))
        if earlier is not None:
            sent = (new.phase, new.task, new.sha256)
            is_same = (earlier.phase, earlier.task, earlier.sha256) == sent
            return earlier if is_same else _refuse_reused_request(new)
        eligibility = Eligibility(
            approved=self._team_states.get(new.team) == "approved",
            window_closes=self._window_ends.get(new.team_task),
            charged=tuple(self._charged_times[new.team_task]),
            frozen=self._frozen,
        )
        refusal = check_admission(self._campaign.phase(new.phase), eligibility, now)
        return refusal or self._accept(new, now)

    def _accept(self, new: NewSubmission, now: datetime) -> Submission:
        submission = Submission(
            **msgspec.structs.asdict(new), id=secrets.token_hex(8), received=now, state="queued", changed=now
        )
        self.accepted.append(submission)
        self._charged_times[new.team_task].append(now)
        if new.request is not None:
            self._by_request[new.team, new.request] = submission
        return submission


def _find_repeated(
    connection: Connection, arrivals: Sequence[NewSubmission]
) -> dict[tuple[str, str | None], Submission]:
    """Return earlier submissions with the same request ids, by team and request id."""
    requests = {submission.request for submission in arrivals if submission.request is not None}
    if not requests:
        return {}
    query = select(*SUBMISSION_COLUMNS).where(
        column_in(connection, submissions.c.team, (submission.team for submission in arrivals)),
        column_in(connection, submissions.c.request, requests),
    )
    earlier = map(submission_from_row, connection.execute(query))
    return {(submission.team, submission.request): submission for submission in earlier}


def _refuse_reused_request(new: NewSubmission) -> Refusal:
    return Refusal(
        code="CB318",
        message=f"other answers came with the request number {new.request}",
        remedy="give every submission a number of its own",
    )


def lock_submission(connection: Connection, id: str) -> Submission:
    """Return a submission that nobody else can change until the transaction ends."""
    query = select(*SUBMISSION_COLUMNS).where(submissions.c.id == id).with_for_update()
    submission = fetch_submission(connection, query)
    if submission is None:
        raise UsageError(f"there is no submission {id!r}", code="CB003")
    return submission


def change_state(
    connection: Connection, submission: Submission, state: SubmissionState, now: datetime, **values: Any
) -> Submission:
    """Bring a locked submission into another state; a lease on it ends unless one is given."""
    statement = (
        update(submissions)
        .where(submissions.c.id == submission.id)
        .values(
            state=transition(submission.state, state),
            changed=now,
            **{"worker": None, "lease": None, **values},
        )
        .returning(*SUBMISSION_COLUMNS)
    )
    return submission_from_row(connection.execute(statement).one())


def withdraw_submission(connection: Connection, id: str, *, person: str | None, now: datetime) -> Submission:
    """Withdraw a submission for its team, for good; it still counts against the quota."""
    withdrawn = change_state(connection, lock_submission(connection, id), "withdrawn", now)
    record_action(connection, person=person, action="withdraw", subject=id, now=now)
    return withdrawn


def disqualify_submission(
    connection: Connection, id: str, *, person: str | None, reason: str, now: datetime
) -> Submission:
    """Remove a submission from the ranking, for good; the team is told the reason."""
    disqualified = change_state(connection, lock_submission(connection, id), "disqualified", now, message=reason)
    record_action(connection, person=person, action="disqualify", subject=id, detail=reason, now=now)
    return disqualified


def requeue_submission(
    connection: Connection, campaign: Campaign, id: str, *, person: str | None, now: datetime
) -> Submission | Refusal:
    """Score a submission again, as after a change of the profile or a failure of the platform.

    Its evaluation stays until there is a new one. A failed submission was refunded: it is refused
    if the team has used that part of its quota since.
    """
    submission = lock_submission(connection, id)
    lock_team(connection, submission.team)
    transition(submission.state, "queued")
    if submission.state in REFUNDED_STATES:
        key = (submission.team, submission.phase, submission.task)
        times = get_charged_times(connection, *key)
        quota = campaign.phase(submission.phase).quota
        if not compute_remaining_quota(quota, times, submission.received).any:
            return Refusal(code="CB305", message="the team was given the place back and has used it since")
    requeued = change_state(connection, submission, "queued", now, message="", attempts=0)
    record_action(connection, person=person, action="requeue", subject=id, now=now)
    return requeued
