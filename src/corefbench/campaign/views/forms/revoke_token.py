"""Let a token open nothing any more."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.tokens import revoke
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.campaign.views.routes import address


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """One of one's own."""
    with platform.database.write() as connection:
        done = revoke(connection, form["token"], person=visitor.person, now=platform.clock())
    if not done:
        raise NotThere("there is no such token")
    return address("tokens")
