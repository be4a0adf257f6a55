"""Data that a team has taken: its receipt, and where the file is."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.countdown import until
from corefbench.campaign.views.inputs import handed
from corefbench.campaign.views.places import openness
from corefbench.campaign.views.records import Handed
from corefbench.campaign.views.routes import address
from corefbench.record import Record
from corefbench.web.page import Page, Query


class DownloadPage(Record, frozen=True):
    """What the page says."""

    handed: Handed
    open: bool
    window_countdown: str


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The receipt, and the file while the phase is open."""
    made, now = handed(platform, visitor, query["download"]), platform.clock()
    phase, task = platform.campaign.phase(made.receipt.phase), made.receipt.task
    title = platform.campaign.task(task).title
    model = DownloadPage(
        handed=made,
        open=openness(phase, now) == "open",
        window_countdown=until(made.window_closes, now) if made.window_closes else "",
    )
    return Page(
        template="download.html",
        title="Data to download",
        model=model,
        crumbs=(
            (platform.campaign.title, address("home")),
            (f"{title}, {phase.title}", address("task", phase=phase.name, task=task)),
        ),
    )
