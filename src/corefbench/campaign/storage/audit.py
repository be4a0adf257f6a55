"""Who did what and when: entries are added, never changed."""

from datetime import datetime

from sqlalchemy import Connection, insert, select

from corefbench.campaign.domain.times import microseconds, moment
from corefbench.campaign.storage.tables import audit
from corefbench.record import Record


class AuditEntry(Record, frozen=True):
    """One deed."""

    number: int
    time: datetime
    person: str | None
    """None: the platform itself."""
    action: str
    subject: str
    detail: str


def note(
    connection: Connection,
    *,
    person: str | None,
    action: str,
    subject: str,
    detail: str = "",
    now: datetime,
) -> None:
    """Add an entry, in the transaction that it is about."""
    connection.execute(
        insert(audit).values(
            time=microseconds(now), person=person, action=action, subject=subject, detail=detail
        )
    )


def entries(connection: Connection, *, limit: int | None = None) -> list[AuditEntry]:
    """All entries, or so many, the newest first."""
    found = connection.execute(select(audit).order_by(audit.c.id.desc()).limit(limit))
    return [
        AuditEntry(
            number=row.id,
            time=moment(row.time),
            person=row.person,
            action=row.action,
            subject=row.subject,
            detail=row.detail,
        )
        for row in found
    ]
