"""An organiser freezes the campaign, or lets it go on."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import set_frozen
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.routes import address
from corefbench.errors import UnknownName


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Back to the overview."""
    frozen = form.get("frozen", "")
    if frozen not in ("yes", "no"):
        raise UnknownName("answer", frozen, ["yes", "no"])
    with platform.database.write() as connection:
        set_frozen(connection, frozen == "yes", person=visitor.person, now=platform.clock())
    return address("console")
