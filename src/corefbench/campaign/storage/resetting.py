"""Another password for somebody who has lost theirs, given by an organiser at the server."""

from datetime import datetime

from sqlalchemy import Connection

from corefbench.campaign.storage.audit import note
from corefbench.campaign.storage.people import Person, person_by_email, set_password
from corefbench.campaign.storage.sessions import close_sessions_of
from corefbench.errors import UsageError


def reset_password(connection: Connection, email: str, password_hash: str, now: datetime) -> Person:
    """Whose it is; all their sessions end, and the audit log has it."""
    person = person_by_email(connection, email)
    if person is None:
        raise UsageError("nobody has this e-mail address", code="CB003", found=email)
    set_password(connection, person.id, password_hash)
    close_sessions_of(connection, person.id)
    note(connection, person=None, action="password reset", subject=person.id, now=now)
    return person
