"""Rate limits that hold across processes and restarts.

A sliding window: every attempt is a row, and an attempt is refused once ``allowed`` rows of its key
are younger than ``window``. A refused attempt adds no row, so a client that keeps trying is let in
again when its oldest attempt leaves the window.
"""

import hashlib
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select

from corefbench.campaign.domain.times import from_microseconds, to_microseconds
from corefbench.campaign.storage.tables import rate_limit_attempts as attempts
from corefbench.errors import UsageError

WINDOW = timedelta(minutes=15)


def count_attempt(connection: Connection, key: str, now: datetime, *, allowed: int, window: timedelta = WINDOW) -> None:
    """Record an attempt, or raise if there were ``allowed`` in the window already.

    ``connection`` must be in a writing transaction (``Database.write``).
    """
    key_hash = _hash_key(key)
    _lock(connection, key_hash)
    recent = connection.scalars(
        select(attempts.c.attempted_at)
        .where(attempts.c.key_hash == key_hash, attempts.c.attempted_at > to_microseconds(now - window))
        .order_by(attempts.c.attempted_at.desc())
        .limit(allowed)
    ).all()
    if len(recent) >= allowed:
        wait = from_microseconds(recent[-1]) + window - now
        raise UsageError(
            "there were too many attempts",
            code="CB343",
            remedy=f"try again in {max(1, round(wait.total_seconds() / 60))} minutes",
        )
    connection.execute(insert(attempts).values(key_hash=key_hash, attempted_at=to_microseconds(now)))


def clear_attempts(connection: Connection, key: str) -> None:
    """Forget the attempts of a key, as after a successful sign-in."""
    connection.execute(delete(attempts).where(attempts.c.key_hash == _hash_key(key)))


def delete_expired_attempts(connection: Connection, now: datetime, window: timedelta = WINDOW) -> int:
    """Delete attempts that no window includes any more; return how many."""
    expired = delete(attempts).where(attempts.c.attempted_at <= to_microseconds(now - window))
    return connection.execute(expired).rowcount


def _lock(connection: Connection, key_hash: str) -> None:
    """Let attempts with the same key wait for each other, or two could both be the last allowed.

    On SQLite a writing transaction is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(int(key_hash[:15], 16))))


def _hash_key(key: str) -> str:
    """Keys hold addresses of people, which the table does not need to know."""
    return hashlib.sha256(key.encode()).hexdigest()
