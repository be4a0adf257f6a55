"""The submissions of the team, in the order they arrived."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.submissions import submissions_of
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.submitted import Shown, shown_all
from corefbench.web.page import Query


def answer(platform: Platform, visitor: Visitor, query: Query) -> list[Shown]:
    """All, or those of a phase or task."""
    phase, task = query.get("phase") or None, query.get("task") or None
    with platform.database.read() as connection:
        found = submissions_of(connection, visitor.team, phase, task)
        return shown_all(platform, connection, visitor, found)
