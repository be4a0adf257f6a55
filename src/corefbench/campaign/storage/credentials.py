"""Passwords, sessions, API tokens and limits on sign-in attempts.

Passwords are hashed by argon2id (RFC 9106, low-memory parameters). Of cookies and tokens only the SHA-256 is stored.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, Select, bindparam, delete, func, insert, select, update

from corefbench.campaign.storage.audit import record_action
from corefbench.campaign.storage.database import record_columns
from corefbench.campaign.storage.tables import rate_limit_attempts as attempts
from corefbench.campaign.storage.tables import sessions, teams, tokens, users
from corefbench.campaign.storage.users import TeamState, User, get_user_by_email, set_password_hash
from corefbench.errors import UsageError
from corefbench.records import Record

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 10, 256
_TOKEN_PREFIX = "cb_"
"""Lets people and programs that look for leaked secrets recognise one."""
RATE_LIMIT_WINDOW = timedelta(minutes=15)


def hash_password(password: str) -> str:
    """Return the hash of a password; raise if it is too short or too long."""
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
        raise UsageError(
            "the password is too short or too long",
            found=f"{len(password)} characters",
            expected=f"{MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters; several words are best",
        )
    return _hasher().hash(password)


def verify_password(password: str, password_hash: str | None) -> bool:
    """Return whether a password is right; it takes as long if there is no such account."""
    try:
        return _hasher().verify(password_hash or _dummy_hash(), password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


def needs_rehash(password_hash: str) -> bool:
    """Return whether a hash was made with weaker parameters than now."""
    return _hasher().check_needs_rehash(password_hash)


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _dummy_hash() -> str:
    return _hasher().hash(secrets.token_hex())


def reset_password(connection: Connection, email: str, password_hash: str, now: datetime) -> User:
    """Set the password of a user, end all their sessions, and log it."""
    user = get_user_by_email(connection, email)
    if user is None:
        raise UsageError("there is no account with this e-mail address", code="CB003", found=email)
    set_password_hash(connection, user.id, password_hash)
    delete_user_sessions(connection, user.id)
    record_action(connection, person=None, action="password reset", subject=user.id, now=now)
    return user


def generate_secret(prefix: str = "") -> str:
    """Return 256 random bits as text for cookies and headers."""
    return prefix + secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a secret; it has 256 random bits and needs no salt.

    >>> hash_secret("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(secret.encode()).hexdigest()


class Identity(Record, frozen=True):
    """The user that a cookie or token belongs to, and their team."""

    person: str
    name: str
    email: str
    organiser: bool
    team: str | None
    team_name: str | None
    team_state: TeamState | None
    csrf: str = ""
    """The CSRF token of the session."""


# Built once: it is looked up for every request, and to build a query takes SQLAlchemy longer than to run it.
_IDENTITY = select(
    users.c.id.label("person"),
    users.c.name,
    users.c.email,
    users.c.organiser.label("organiser"),
    users.c.team.label("team"),
    teams.c.name.label("team_name"),
    teams.c.state.label("team_state"),
).outerjoin_from(users, teams, teams.c.id == users.c.team)
_SESSION_IDENTITY = (
    _IDENTITY.add_columns(sessions.c.csrf.label("csrf"))
    .join(sessions, sessions.c.person == users.c.id)
    .where(sessions.c.digest == bindparam("digest"), sessions.c.expires > bindparam("now"))
)
_TOKEN_IDENTITY = _IDENTITY.join(tokens, tokens.c.person == users.c.id).where(
    tokens.c.digest == bindparam("digest"), tokens.c.revoked.is_(None)
)


def get_session_identity(connection: Connection, digest: str, now: datetime) -> Identity | None:
    """Return who has the session cookie with this hash, unless it has expired."""
    return _fetch_identity(connection, _SESSION_IDENTITY, digest=digest, now=now)


def get_token_identity(connection: Connection, digest: str) -> Identity | None:
    """Return who has the token with this hash, unless it was revoked."""
    return _fetch_identity(connection, _TOKEN_IDENTITY, digest=digest)


def _fetch_identity(connection: Connection, query: Select[Any], **values: Any) -> Identity | None:
    row = connection.execute(query, values).one_or_none()
    return None if row is None else Identity(**row._asdict())


def create_session(
    connection: Connection, *, digest: str, person: str, csrf: str, now: datetime, expires: datetime
) -> None:
    """Sign in a user whose browser has the cookie with this hash."""
    connection.execute(insert(sessions).values(digest=digest, person=person, csrf=csrf, created=now, expires=expires))


def delete_session(connection: Connection, digest: str) -> None:
    """Sign out."""
    connection.execute(delete(sessions).where(sessions.c.digest == digest))


def delete_user_sessions(connection: Connection, person: str) -> None:
    """Sign a user out everywhere, as after a change of password."""
    connection.execute(delete(sessions).where(sessions.c.person == person))


def delete_expired_sessions(connection: Connection, now: datetime) -> int:
    """Delete expired sessions; return how many."""
    return connection.execute(delete(sessions).where(sessions.c.expires <= now)).rowcount


class Token(Record, frozen=True):
    """A token without its secret."""

    id: str
    label: str
    created: datetime
    revoked: datetime | None


def create_token(connection: Connection, person: str, label: str, now: datetime) -> str:
    """Create a token and return its secret, which is not shown again."""
    secret, token_id = generate_secret(_TOKEN_PREFIX), secrets.token_hex(8)
    connection.execute(
        insert(tokens).values(id=token_id, digest=hash_secret(secret), person=person, label=label, created=now)
    )
    record_action(connection, person=person, action="token", subject=token_id, now=now)
    return secret


def list_tokens(connection: Connection, person: str) -> list[Token]:
    """Return all tokens of a user, newest first."""
    query = select(*record_columns(tokens, Token)).where(tokens.c.person == person)
    rows = connection.execute(query.order_by(tokens.c.created.desc(), tokens.c.id))
    return [Token(**row._asdict()) for row in rows]


def revoke_token(connection: Connection, id: str, *, person: str, now: datetime) -> bool:
    """Revoke a token of this user; return False if there was none to revoke."""
    statement = update(tokens).where(tokens.c.id == id, tokens.c.person == person, tokens.c.revoked.is_(None))
    if not connection.execute(statement.values(revoked=now)).rowcount:
        return False
    record_action(connection, person=person, action="revoke token", subject=id, now=now)
    return True


def count_attempt(connection: Connection, key: str, now: datetime, *, allowed: int) -> None:
    """Record an attempt, or raise if there were ``allowed`` in the window already.

    The window slides: every attempt is a row, and rows older than the window do not count. A refused attempt adds no
    row, so that a client that keeps trying is let in again when its oldest attempt leaves the window. Rows hold across
    processes and restarts. ``connection`` must be in a writing transaction (``Database.write``).
    """
    key_hash = _hash_key(key)
    if connection.dialect.name == "postgresql":
        # Attempts with the same key wait for each other, or two could both be the last allowed.
        connection.execute(select(func.pg_advisory_xact_lock(int(key_hash[:15], 16))))
    recent = connection.scalars(
        select(attempts.c.attempted_at)
        .where(attempts.c.key_hash == key_hash, attempts.c.attempted_at > now - RATE_LIMIT_WINDOW)
        .order_by(attempts.c.attempted_at.desc())
        .limit(allowed)
    ).all()
    if len(recent) >= allowed:
        wait = recent[-1] + RATE_LIMIT_WINDOW - now
        raise UsageError(
            "there were too many attempts",
            code="CB343",
            remedy=f"try again in {max(1, round(wait.total_seconds() / 60))} minutes",
        )
    connection.execute(insert(attempts).values(key_hash=key_hash, attempted_at=now))


def clear_attempts(connection: Connection, key: str) -> None:
    """Forget the attempts of a key, as after a successful sign-in."""
    connection.execute(delete(attempts).where(attempts.c.key_hash == _hash_key(key)))


def delete_expired_attempts(connection: Connection, now: datetime) -> int:
    """Delete attempts that no window includes any more; return how many."""
    expired = delete(attempts).where(attempts.c.attempted_at <= now - RATE_LIMIT_WINDOW)
    return connection.execute(expired).rowcount


def _hash_key(key: str) -> str:
    """Keys hold addresses of people, which the table does not need to know."""
    return hashlib.sha256(key.encode()).hexdigest()
