"""Who is signed in: the cookie itself is not kept, only its SHA-256."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from corefbench.campaign.domain.times import microseconds, moment
from corefbench.campaign.storage.people import Person, person_of_row
from corefbench.campaign.storage.tables import people, sessions
from corefbench.record import Record


class Session(Record, frozen=True):
    """A session that holds."""

    person: Person
    csrf: str
    expires: datetime


def open_session(
    connection: Connection, *, digest: str, person: str, csrf: str, now: datetime, expires: datetime
) -> None:
    """Sign a person in whose browser has the cookie with this digest."""
    connection.execute(
        insert(sessions).values(
            digest=digest,
            person=person,
            csrf=csrf,
            created=microseconds(now),
            expires=microseconds(expires),
        )
    )


def session(connection: Connection, digest: str, now: datetime) -> Session | None:
    """The session whose cookie has this digest, unless it has expired."""
    query = (
        select(people, sessions.c.csrf, sessions.c.expires)
        .join(sessions, sessions.c.person == people.c.id)
        .where(sessions.c.digest == digest, sessions.c.expires > microseconds(now))
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Session(person=person_of_row(row), csrf=row.csrf, expires=moment(row.expires))


def close_session(connection: Connection, digest: str) -> None:
    """Sign out."""
    connection.execute(delete(sessions).where(sessions.c.digest == digest))


def close_sessions_of(connection: Connection, person: str) -> None:
    """Sign a person out everywhere, as after a change of password."""
    connection.execute(delete(sessions).where(sessions.c.person == person))


def forget_expired(connection: Connection, now: datetime) -> int:
    """Remove the sessions that have expired; how many."""
    gone = delete(sessions).where(sessions.c.expires <= microseconds(now))
    return connection.execute(gone).rowcount
