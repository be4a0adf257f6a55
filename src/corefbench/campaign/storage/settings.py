"""What holds for the whole campaign: the secret, what is published, whether it is frozen."""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, select

from corefbench.campaign.domain.definition import Phase
from corefbench.campaign.domain.times import microseconds, moment, written
from corefbench.campaign.storage.audit import note
from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.inserting import insert_unless_there
from corefbench.campaign.storage.tables import settings
from corefbench.errors import UsageError

_SECRET, _FROZEN, _PUBLISHED = "secret", "frozen", "published:"


def secret_of(database: Database) -> bytes:
    """What seals receipts: made at the first start, the same ever after."""
    with database.write() as connection:
        insert_unless_there(connection, settings, name=_SECRET, value=secrets.token_bytes(32))
        return bytes(connection.scalars(_value(_SECRET)).one())


def is_published(connection: Connection, phase: str) -> bool:
    """Whether the results of a phase are public."""
    return published_at(connection, phase) is not None


def published_at(connection: Connection, phase: str) -> datetime | None:
    """When the results of a phase became public."""
    value = connection.scalars(_value(_PUBLISHED + phase)).one_or_none()
    return None if value is None else moment(int(bytes(value)))


def publish(connection: Connection, phase: Phase, *, person: str | None, now: datetime) -> None:
    """Make the results of a phase public: for good, and not before it has closed."""
    if now < phase.closes:
        raise UsageError(
            f"{phase.title} is not over",
            code="CB315",
            remedy=f"publish it after {written(phase.closes)}",
        )
    value = str(microseconds(now)).encode()
    if insert_unless_there(connection, settings, name=_PUBLISHED + phase.name, value=value):
        note(connection, person=person, action="publish", subject=phase.name, now=now)


def is_frozen(connection: Connection) -> bool:
    """Whether nothing is taken at present."""
    return connection.scalars(_value(_FROZEN)).one_or_none() is not None


def set_frozen(connection: Connection, frozen: bool, *, person: str | None, now: datetime) -> None:
    """Take no submissions until told otherwise, or take them again."""
    if frozen == is_frozen(connection):
        return
    if frozen:
        insert_unless_there(connection, settings, name=_FROZEN, value=b"yes")
    else:
        connection.execute(delete(settings).where(settings.c.name == _FROZEN))
    note(connection, person=person, action="freeze" if frozen else "thaw", subject="", now=now)


def _value(name: str) -> Select[Any]:
    return select(settings.c.value).where(settings.c.name == name)
