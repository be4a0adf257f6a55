"""One's own account: who one is, and a form for another password."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.passwords import SHORTEST
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Account(Record, frozen=True):
    """What the page says."""

    name: str
    email: str
    shortest: int
    changed: bool


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The account."""
    model = Account(
        name=visitor.name,
        email=visitor.email,
        shortest=SHORTEST,
        changed=query.get("changed") == "yes",
    )
    return Page(template="account.html", title="Account", model=model)
