"""Settings of the whole campaign: its secret, what is published, whether it is frozen."""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, select

from corefbench.campaign.domain.config import Phase
from corefbench.campaign.domain.times import format_time, from_microseconds, to_microseconds
from corefbench.campaign.storage.audit import record_action
from corefbench.campaign.storage.database import Database, insert_or_ignore
from corefbench.campaign.storage.tables import settings
from corefbench.errors import UsageError

_SECRET, _FROZEN, _PUBLISHED = "secret", "frozen", "published:"


def get_secret(database: Database) -> bytes:
    """Return the secret that seals receipts; it is generated at the first start."""
    with database.write() as connection:
        insert_or_ignore(connection, settings, name=_SECRET, value=secrets.token_bytes(32))
        return bytes(connection.scalars(_select_value(_SECRET)).one())


def is_published(connection: Connection, phase: str) -> bool:
    """Return whether the results of a phase are public."""
    return get_publication_time(connection, phase) is not None


def get_publication_time(connection: Connection, phase: str) -> datetime | None:
    """Return when the results of a phase became public."""
    value = connection.scalars(_select_value(_PUBLISHED + phase)).one_or_none()
    return None if value is None else from_microseconds(int(bytes(value)))


def publish(connection: Connection, phase: Phase, *, person: str | None, now: datetime) -> None:
    """Make the results of a phase public, for good; raise if it has not closed."""
    if now < phase.closes:
        raise UsageError(
            f"{phase.title} is not over", code="CB315", remedy=f"publish it after {format_time(phase.closes)}"
        )
    value = str(to_microseconds(now)).encode()
    if insert_or_ignore(connection, settings, name=_PUBLISHED + phase.name, value=value):
        record_action(connection, person=person, action="publish", subject=phase.name, now=now)


def is_frozen(connection: Connection) -> bool:
    """Return whether no submissions are accepted at present."""
    return connection.scalars(_select_value(_FROZEN)).one_or_none() is not None


def set_frozen(connection: Connection, frozen: bool, *, person: str | None, now: datetime) -> None:
    """Stop accepting submissions, or accept them again."""
    if frozen == is_frozen(connection):
        return
    if frozen:
        insert_or_ignore(connection, settings, name=_FROZEN, value=b"yes")
    else:
        connection.execute(delete(settings).where(settings.c.name == _FROZEN))
    record_action(connection, person=person, action="freeze" if frozen else "thaw", subject="", now=now)


def _select_value(name: str) -> Select[Any]:
    return select(settings.c.value).where(settings.c.name == name)
