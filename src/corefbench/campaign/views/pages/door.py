"""Sign in."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.entrance import inside
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Door(Record, frozen=True):
    """What the page says."""

    to: str
    """Where to go on to."""
    contact: str


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The form."""
    model = Door(to=inside(query.get("to", "")), contact=platform.campaign.contact)
    return Page(template="door.html", title="Sign in", model=model)
