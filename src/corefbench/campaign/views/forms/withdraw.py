"""Take a submission back, for good."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.api.withdraw import answer
from corefbench.campaign.views.routes import address
from corefbench.errors import UsageError


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """As by the interface, where it was confirmed."""
    if form.get("sure") != "yes":
        raise UsageError("this cannot be undone", remedy="tick that you are sure")
    return address("submission", submission=answer(platform, visitor, form).id)
