"""Tokens for programs: those that are there, and a form for a new one."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.tokens import Token, tokens_of
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Tokens(Record, frozen=True):
    """What the page says."""

    tokens: tuple[Token, ...]
    clear: str = ""
    """A new token, this once."""


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The list."""
    return page_of(platform, visitor)


def page_of(platform: Platform, visitor: Visitor, clear: str = "") -> Page:
    """The list, and a token that was just made."""
    with platform.database.read() as connection:
        model = Tokens(tokens=tuple(tokens_of(connection, visitor.person)), clear=clear)
    return Page(template="tokens.html", title="Tokens", model=model)
