"""Check a receipt."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query


class ReceiptPage(Record, frozen=True):
    """What the page says."""

    genuine: bool | None = None
    """None before one was checked."""


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The form."""
    return page_of(None)


def page_of(genuine: bool | None) -> Page:
    """The form, and what came of it."""
    model = ReceiptPage(genuine=genuine)
    return Page(template="receipt.html", title="Check a receipt", model=model)
