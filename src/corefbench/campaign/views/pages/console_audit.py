"""Who did what and when."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.audit import AuditEntry, entries
from corefbench.campaign.storage.people import people, teams
from corefbench.campaign.storage.submissions import submissions_of
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query

_MOST = 500


class Deed(Record, frozen=True):
    """An entry in words."""

    entry: AuditEntry
    who: str
    subject: str
    """A team's or person's name where the subject is one."""
    submission: str
    """Its id where the subject is a submission."""


class Audit(Record, frozen=True):
    """What the page says."""

    deeds: tuple[Deed, ...]
    most: int = _MOST


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The newest entries first."""
    with platform.database.read() as connection:
        found = entries(connection, limit=_MOST)
        named = {one.id: f"{one.name} ({one.email})" for one in people(connection)}
        named |= {one.id: one.name for one in teams(connection)}
        sent = {one.id for one in submissions_of(connection, None)}
    deeds = tuple(
        Deed(
            entry=entry,
            who=named.get(entry.person, entry.person) if entry.person else "the platform",
            subject=named.get(entry.subject, entry.subject),
            submission=entry.subject if entry.subject in sent else "",
        )
        for entry in found
    )
    return Page(template="console_audit.html", title="Audit log", model=Audit(deeds=deeds))
