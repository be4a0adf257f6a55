"""Make a token; it is shown this once."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.tokens import make_token
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.pages.tokens import page_of
from corefbench.errors import UsageError
from corefbench.web.page import Page


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> Page:
    """The page with the new token in clear text."""
    label = " ".join(form.get("label", "").split())
    if not label or len(label) > 80 or not label.isprintable():
        raise UsageError("the label cannot be taken", expected="1 to 80 signs in one line")
    with platform.database.write() as connection:
        clear = make_token(connection, visitor.person, label, platform.clock())
    return page_of(platform, visitor, clear)
