"""An organiser publishes the results of a phase: for good."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.routes import address
from corefbench.errors import UsageError


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """On to the boards, as everybody sees them now."""
    phase = platform.campaign.phase(form["phase"])
    if form.get("sure") != "yes":
        raise UsageError(
            "nothing was published",
            remedy="say that you have looked at what will be seen: it cannot be taken back",
        )
    with platform.database.write() as connection:
        publish(connection, phase, person=visitor.person, now=platform.clock())
    return address("boards")
