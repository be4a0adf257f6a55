"""Audit log: who did what and when. Entries are added, never changed."""

from datetime import datetime

from sqlalchemy import Connection, insert, select

from corefbench.campaign.storage.database import record_columns
from corefbench.campaign.storage.tables import audit_log
from corefbench.records import Record


class AuditEntry(Record, frozen=True):
    """One action."""

    id: int
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
    entry = {"time": now, "person": person, "action": action, "subject": subject, "detail": detail}
    connection.execute(insert(audit_log).values(entry))


def list_audit_entries(connection: Connection, *, limit: int | None = None) -> list[AuditEntry]:
    """Return the entries, newest first."""
    query = select(*record_columns(audit_log, AuditEntry)).order_by(audit_log.c.id.desc()).limit(limit)
    return [AuditEntry(**row._asdict()) for row in connection.execute(query)]
