"""Scoring queue: leases on submissions, with heartbeats and retries.

A lease is two columns of the submission's own row, so that what is scored, by whom and until when
is never stored twice. If a worker dies its lease expires and the submission returns to the queue;
after some attempts it has failed, and the team gets its quota back.
"""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, insert, or_, select, update

from corefbench.campaign.domain.evaluation import Evaluation, Failed, Invalid, Scored
from corefbench.campaign.storage.audit import record_action
from corefbench.campaign.storage.database import insert_or_ignore
from corefbench.campaign.storage.files import StoredFile
from corefbench.campaign.storage.submissions import (
    SUBMISSION_COLUMNS,
    Submission,
    change_state,
    fetch_submission,
    lock_submission,
    submission_from_row,
)
from corefbench.campaign.storage.tables import evaluations, files, submissions
from corefbench.errors import UsageError

MAX_ATTEMPTS = 3
_LEASE_EXPIRED = "the worker was not heard of again"


def has_work(connection: Connection, now: datetime) -> bool:
    """Return whether a submission is queued, or has an expired lease; writes nothing."""
    # Uses the index on state and time of arrival.
    is_expired = and_(submissions.c.state == "scoring", submissions.c.lease <= now)
    is_waiting = or_(submissions.c.state == "queued", is_expired)
    query = select(submissions.c.id).where(is_waiting).limit(1)
    return connection.execute(query).first() is not None


def get_queue_positions(connection: Connection) -> dict[str, int]:
    """Return the positions of all queued submissions, from 1."""
    query = select(submissions.c.id).where(submissions.c.state == "queued")
    ids = connection.scalars(query.order_by(submissions.c.received, submissions.c.id))
    return {submission: position for position, submission in enumerate(ids, start=1)}


def claim_next(connection: Connection, worker: str, now: datetime, length: timedelta) -> Submission | None:
    """Give a worker a lease on the next submission; None if the queue is empty."""
    next_queued = (
        select(*SUBMISSION_COLUMNS)
        .where(submissions.c.state == "queued")
        .order_by(submissions.c.received, submissions.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)  # PostgreSQL: what another worker is claiming
    )
    submission = fetch_submission(connection, next_queued)
    if submission is None:
        return None
    return change_state(
        connection,
        submission,
        "scoring",
        now,
        worker=worker,
        lease=now + length,
        attempts=submission.attempts + 1,
    )


def extend_lease(connection: Connection, id: str, worker: str, now: datetime, length: timedelta) -> bool:
    """Extend a lease; return False if the worker does not hold it any more."""
    statement = (
        update(submissions)
        .where(submissions.c.id == id, submissions.c.state == "scoring", submissions.c.worker == worker)
        .values(lease=now + length)
    )
    return connection.execute(statement).rowcount == 1


def release_lease(connection: Connection, id: str, worker: str, now: datetime) -> bool:
    """Return a submission to the queue unscored, as when the server stops; no attempt counts."""
    submission = _lock_held(connection, id, worker)
    if submission is not None:
        change_state(connection, submission, "queued", now, attempts=submission.attempts - 1)
    return submission is not None


def requeue_expired(connection: Connection, now: datetime, attempts: int = MAX_ATTEMPTS) -> list[Submission]:
    """Requeue submissions whose lease has expired, or let them fail after too many attempts."""
    expired = (
        select(*SUBMISSION_COLUMNS)
        .where(submissions.c.state == "scoring", submissions.c.lease <= now)
        .order_by(submissions.c.received, submissions.c.id)
        .with_for_update(skip_locked=True)
    )
    return [
        _retry_or_fail(connection, submission_from_row(row), _LEASE_EXPIRED, now, attempts)
        for row in connection.execute(expired).all()
    ]


def record_outcome(
    connection: Connection,
    id: str,
    worker: str,
    outcome: Scored | Invalid | Failed,
    now: datetime,
    *,
    kept: StoredFile | None = None,
    key: str = "",
    attempts: int = MAX_ATTEMPTS,
) -> Submission | None:
    """Record an outcome; return None, and write nothing, if the lease was lost.

    ``kept`` is the evaluation of a ``Scored`` in the file store, written beforehand:
    ``files.put(msgspec.json.encode(outcome.evaluation))``. What the platform failed to score
    returns to the queue until it was tried ``attempts`` times. ``key`` is the SHA-256 of the key.
    """
    submission = _lock_held(connection, id, worker)
    if submission is None:
        return None
    if isinstance(outcome, Invalid):
        return change_state(connection, submission, "invalid", now, message=outcome.message, evaluation=None)
    if isinstance(outcome, Failed):
        return _retry_or_fail(connection, submission, outcome.reason, now, attempts)
    if kept is None:
        raise UsageError("the evaluation must be in the file store first")
    evaluation = _insert_evaluation(connection, id, outcome.evaluation, kept, key, now)
    return change_state(connection, submission, "scored", now, message="", evaluation=evaluation)


def _retry_or_fail(
    connection: Connection, submission: Submission, reason: str, now: datetime, attempts: int
) -> Submission:
    if submission.attempts < attempts:
        return change_state(connection, submission, "queued", now, message=reason)
    record_action(connection, person=None, action="failed", subject=submission.id, detail=reason, now=now)
    if submission.evaluation is not None:  # rescoring failed: the earlier evaluation holds
        return change_state(connection, submission, "scored", now, message="")
    return change_state(connection, submission, "failed", now, message=reason)


def _insert_evaluation(
    connection: Connection, submission: str, evaluation: Evaluation, kept: StoredFile, key: str, now: datetime
) -> str:
    evaluation_id = secrets.token_hex(8)
    insert_or_ignore(connection, files, sha256=kept.sha256, bytes=kept.bytes, created=now)
    connection.execute(
        insert(evaluations).values(
            id=evaluation_id,
            submission=submission,
            created=now,
            signature=evaluation.signature,
            headline=evaluation.headline,
            public=evaluation.public,
            covered=evaluation.covered,
            documents=len(evaluation.rows),
            sha256=kept.sha256,
            key_sha256=key or None,
        )
    )
    return evaluation_id


def _lock_held(connection: Connection, id: str, worker: str) -> Submission | None:
    submission = lock_submission(connection, id)
    is_held = (submission.state, submission.worker) == ("scoring", worker)
    return submission if is_held else None
