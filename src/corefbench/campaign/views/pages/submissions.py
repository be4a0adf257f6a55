"""Everything that the team has submitted, the newest first."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.api.submissions import answer
from corefbench.campaign.views.submitted import Shown
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Submissions(Record, frozen=True):
    """What the page says."""

    submissions: tuple[Shown, ...]
    phases: dict[str, str]
    """Titles by name."""
    tasks: dict[str, str]


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The list."""
    campaign = platform.campaign
    model = Submissions(
        submissions=tuple(reversed(answer(platform, visitor, {}))),
        phases={phase.name: phase.title for phase in campaign.phases},
        tasks={task.name: task.title for task in campaign.tasks},
    )
    return Page(template="submissions.html", title="Submissions", model=model)
