"""Sessions, API tokens and password resets.

Of cookies and tokens only the SHA-256 is stored.
"""

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from corefbench.campaign.domain.times import from_microseconds, to_microseconds
from corefbench.campaign.storage.audit import record_action
from corefbench.campaign.storage.tables import sessions, tokens, users
from corefbench.campaign.storage.users import User, get_user_by_email, set_password_hash, user_from_row
from corefbench.errors import UsageError
from corefbench.records import Record

TOKEN_PREFIX = "cb_"
"""Lets people and programs that look for leaked secrets recognise one."""


def generate_secret(prefix: str = "") -> str:
    """Return 256 random bits as text for cookies and headers."""
    return prefix + secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a secret; it has 256 random bits and needs no salt.

    >>> hash_secret("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(secret.encode()).hexdigest()


class Session(Record, frozen=True):
    """A session that has not expired."""

    person: User
    csrf: str
    expires: datetime


def create_session(
    connection: Connection, *, digest: str, person: str, csrf: str, now: datetime, expires: datetime
) -> None:
    """Sign in a user whose browser has the cookie with this hash."""
    connection.execute(
        insert(sessions).values(
            digest=digest, person=person, csrf=csrf, created=to_microseconds(now), expires=to_microseconds(expires)
        )
    )


def get_session(connection: Connection, digest: str, now: datetime) -> Session | None:
    """Return the session of the cookie with this hash, unless it has expired."""
    query = (
        select(users, sessions.c.csrf, sessions.c.expires)
        .join(sessions, sessions.c.person == users.c.id)
        .where(sessions.c.digest == digest, sessions.c.expires > to_microseconds(now))
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Session(person=user_from_row(row), csrf=row.csrf, expires=from_microseconds(row.expires))


def delete_session(connection: Connection, digest: str) -> None:
    """Sign out."""
    connection.execute(delete(sessions).where(sessions.c.digest == digest))


def delete_user_sessions(connection: Connection, person: str) -> None:
    """Sign a user out everywhere, as after a change of password."""
    connection.execute(delete(sessions).where(sessions.c.person == person))


def delete_expired_sessions(connection: Connection, now: datetime) -> int:
    """Delete expired sessions; return how many."""
    expired = delete(sessions).where(sessions.c.expires <= to_microseconds(now))
    return connection.execute(expired).rowcount


class Token(Record, frozen=True):
    """A token without its secret."""

    id: str
    label: str
    created: datetime
    revoked: datetime | None


def create_token(connection: Connection, person: str, label: str, now: datetime) -> str:
    """Create a token and return its secret, which is not shown again."""
    secret, token_id = generate_secret(TOKEN_PREFIX), secrets.token_hex(8)
    connection.execute(
        insert(tokens).values(
            id=token_id, digest=hash_secret(secret), person=person, label=label, created=to_microseconds(now)
        )
    )
    record_action(connection, person=person, action="token", subject=token_id, now=now)
    return secret


def get_token_owner(connection: Connection, digest: str) -> User | None:
    """Return the owner of the token with this hash, unless it was revoked."""
    query = (
        select(users)
        .join(tokens, tokens.c.person == users.c.id)
        .where(tokens.c.digest == digest, tokens.c.revoked.is_(None))
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else user_from_row(row)


def list_tokens(connection: Connection, person: str) -> list[Token]:
    """Return all tokens of a user, newest first."""
    query = select(tokens).where(tokens.c.person == person)
    return [
        Token(
            id=row.id,
            label=row.label,
            created=from_microseconds(row.created),
            revoked=None if row.revoked is None else from_microseconds(row.revoked),
        )
        for row in connection.execute(query.order_by(tokens.c.created.desc(), tokens.c.id))
    ]


def revoke_token(connection: Connection, id: str, *, person: str, now: datetime) -> bool:
    """Revoke a token of this user; return False if there was none to revoke."""
    statement = update(tokens).where(tokens.c.id == id, tokens.c.person == person, tokens.c.revoked.is_(None))
    if not connection.execute(statement.values(revoked=to_microseconds(now))).rowcount:
        return False
    record_action(connection, person=person, action="revoke token", subject=id, now=now)
    return True


def reset_password(connection: Connection, email: str, password_hash: str, now: datetime) -> User:
    """Set the password of a user, end all their sessions, and log it."""
    user = get_user_by_email(connection, email)
    if user is None:
        raise UsageError("there is no account with this e-mail address", code="CB003", found=email)
    set_password_hash(connection, user.id, password_hash)
    delete_user_sessions(connection, user.id)
    record_action(connection, person=None, action="password reset", subject=user.id, now=now)
    return user
