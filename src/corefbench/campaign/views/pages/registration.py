"""Register: a new team, or into one that is there."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.passwords import SHORTEST
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Registration(Record, frozen=True):
    """What the page says."""

    approval: bool
    shortest: int


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The form."""
    model = Registration(approval=platform.campaign.approval, shortest=SHORTEST)
    return Page(template="registration.html", title="Register", model=model)
