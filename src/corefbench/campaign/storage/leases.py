"""Leases: a worker has a submission for a while, and loses it unless it is heard of.

A lease is columns of the submission's own row, so that what is being scored, by whom and until when
is never kept in two places. A worker that was killed is not heard of again: its submission goes
back to the queue, and after some attempts it has failed and the team is given the quota back.
"""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, insert, select, update

from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.campaign.domain.outcome import Failed, Invalid, Scored
from corefbench.campaign.domain.times import microseconds
from corefbench.campaign.storage.audit import note
from corefbench.campaign.storage.changing import change, locked
from corefbench.campaign.storage.files import Stored
from corefbench.campaign.storage.inserting import insert_unless_there
from corefbench.campaign.storage.submission import Submission, of_row, one
from corefbench.campaign.storage.tables import evaluations, files, submissions
from corefbench.errors import UsageError

ATTEMPTS = 3
_LOST = "the worker was not heard of again"


def claim(
    connection: Connection, worker: str, now: datetime, length: timedelta
) -> Submission | None:
    """Take the next of the queue, for so long; on PostgreSQL what others are taking is skipped."""
    waiting = (
        select(submissions)
        .where(submissions.c.state == "queued")
        .order_by(submissions.c.received, submissions.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    found = one(connection, waiting)
    if found is None:
        return None
    lease = microseconds(now + length)
    return change(
        connection, found, "scoring", now, worker=worker, lease=lease, attempts=found.attempts + 1
    )


def heartbeat(
    connection: Connection, id: str, worker: str, now: datetime, length: timedelta
) -> bool:
    """Have it for longer; False where the lease is somebody else's by now, or nobody's."""
    longer = update(submissions).where(*_held(id, worker)).values(lease=microseconds(now + length))
    return connection.execute(longer).rowcount == 1


def release(connection: Connection, id: str, worker: str, now: datetime) -> bool:
    """Give it back unscored, as when the server stops: no attempt is counted."""
    held = _locked_holding(connection, id, worker)
    if held is not None:
        change(connection, held, "queued", now, attempts=held.attempts - 1)
    return held is not None


def requeue_lost(
    connection: Connection, now: datetime, attempts: int = ATTEMPTS
) -> list[Submission]:
    """Put back what workers have lost; what was tried too often has failed."""
    lost = (
        select(submissions)
        .where(submissions.c.state == "scoring", submissions.c.lease <= microseconds(now))
        .order_by(submissions.c.received, submissions.c.id)
        .with_for_update(skip_locked=True)
    )
    return [
        _tried(connection, of_row(row), _LOST, now, attempts)
        for row in connection.execute(lost).all()
    ]


def finish(
    connection: Connection,
    id: str,
    worker: str,
    outcome: Scored | Invalid | Failed,
    now: datetime,
    *,
    kept: Stored | None = None,
    key: str = "",
    attempts: int = ATTEMPTS,
) -> Submission | None:
    """Write what came of it; None, and nothing is written, where the lease was lost.

    ``kept`` is the evaluation of a ``Scored`` in the store of files, put there beforehand:
    ``files.put(msgspec.json.encode(outcome.evaluation))``. What the platform failed to score goes
    back to the queue until it was tried ``attempts`` times. ``key`` is the SHA-256 of the key.
    """
    held = _locked_holding(connection, id, worker)
    if held is None:
        return None
    if isinstance(outcome, Invalid):
        return change(connection, held, "invalid", now, message=outcome.message, evaluation=None)
    if isinstance(outcome, Failed):
        return _tried(connection, held, outcome.reason, now, attempts)
    if kept is None:
        raise UsageError("an evaluation is put into the store of files first")
    evaluation = _kept(connection, id, outcome.evaluation, kept, key, now)
    return change(connection, held, "scored", now, message="", evaluation=evaluation)


def _tried(
    connection: Connection, held: Submission, reason: str, now: datetime, attempts: int
) -> Submission:
    if held.attempts < attempts:
        return change(connection, held, "queued", now, message=reason)
    note(connection, person=None, action="failed", subject=held.id, detail=reason, now=now)
    if held.evaluation is not None:  # it was being rescored, and is what it was before
        return change(connection, held, "scored", now, message="")
    return change(connection, held, "failed", now, message=reason)


def _kept(
    connection: Connection, id: str, evaluation: Evaluation, kept: Stored, key: str, now: datetime
) -> str:
    time, number = microseconds(now), secrets.token_hex(8)
    insert_unless_there(connection, files, sha256=kept.sha256, bytes=kept.bytes, created=time)
    connection.execute(
        insert(evaluations).values(
            id=number,
            submission=id,
            created=time,
            signature=evaluation.signature,
            headline=evaluation.headline,
            public=evaluation.public,
            covered=evaluation.covered,
            documents=len(evaluation.rows),
            sha256=kept.sha256,
            key_sha256=key or None,
        )
    )
    return number


def _locked_holding(connection: Connection, id: str, worker: str) -> Submission | None:
    held = locked(connection, id)
    return held if (held.state, held.worker) == ("scoring", worker) else None


def _held(id: str, worker: str) -> tuple[ColumnElement[bool], ...]:
    return (
        submissions.c.id == id,
        submissions.c.state == "scoring",
        submissions.c.worker == worker,
    )
