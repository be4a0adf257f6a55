"""Take the data of a task, once it was said that the window opens."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.windows import window
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.inputs import take
from corefbench.campaign.views.routes import address
from corefbench.errors import UsageError


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Note the download; the page of it has the file and the receipt."""
    phase = platform.campaign.phase(form["phase"])
    if phase.window is not None and form.get("understood") != "yes":
        with platform.database.read() as connection:
            opened = window(connection, visitor.team, phase.name, form["task"])
        if opened is None:
            raise UsageError(
                "the window opens with the first download",
                code="CB304",
                remedy=f"tick that you know that {phase.window_hours:g} hours begin now",
            )
    made = take(platform, visitor, phase.name, form["task"])
    return address("download", download=made.id)
