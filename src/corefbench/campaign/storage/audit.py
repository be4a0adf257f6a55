"""Audit log: who did what and when. Entries are added, never changed."""

from datetime import datetime

from sqlalchemy import Connection, insert, select

from corefbench.campaign.domain.times import from_microseconds, to_microseconds
from corefbench.campaign.storage.tables import audit_log
from corefbench.records import Record


class AuditEntry(Record, frozen=True):
    """One action."""

    number: int
    time: datetime
    person: str | None
    """None for the server itself."""
    action: str
    subject: str
    detail: str


def record_action(
    connection: Connection, *, person: str | None, action: str, subject: str, detail: str = "", now: datetime
) -> None:
    """Add an entry, in the transaction of the action itself."""
    connection.execute(
        insert(audit_log).values(
            time=to_microseconds(now), person=person, action=action, subject=subject, detail=detail
        )
    )


def list_audit_entries(connection: Connection, *, limit: int | None = None) -> list[AuditEntry]:
    """Return the entries, newest first."""
    rows = connection.execute(select(audit_log).order_by(audit_log.c.id.desc()).limit(limit))
    return [
        AuditEntry(
            number=row.id,
            time=from_microseconds(row.time),
            person=row.person,
            action=row.action,
            subject=row.subject,
            detail=row.detail,
        )
        for row in rows
    ]
