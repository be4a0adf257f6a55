"""A submission: where it stands, its receipt, its scores and errors when they may be seen."""

from corefbench.campaign.domain.definition import Phase
from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.domain.states import may_become
from corefbench.campaign.domain.visibility import scores_released
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.people import team as team_of
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.routes import address
from corefbench.campaign.views.submitted import Shown, own_submission, receipt_of, shown
from corefbench.record import Record
from corefbench.web.page import Page, Query


class SubmissionPage(Record, frozen=True):
    """What the page says."""

    submission: Shown
    phase_title: str
    task_title: str
    receipt: Receipt
    own: bool
    team: str
    """Its name."""
    released: bool
    when: str
    """When scores are seen, in words."""

    @property
    def active(self) -> bool:
        """Whether the page is worth looking at again in a moment."""
        return self.submission.state in ("queued", "scoring")

    @property
    def can_withdraw(self) -> bool:
        """Whether the team may still take it back."""
        return self.own and may_become(self.submission.state, "withdrawn")


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The submission."""
    campaign = platform.campaign
    with platform.database.read() as connection:
        one = own_submission(connection, visitor, query["submission"])
        phase = campaign.phase(one.phase)
        published = is_published(connection, phase.name)
        made = shown(platform, connection, visitor, one, errors=True)
        team = team_of(connection, one.team)
    title = campaign.task(one.task).title
    model = SubmissionPage(
        submission=made,
        phase_title=phase.title,
        task_title=title,
        receipt=receipt_of(platform, one),
        own=one.team == visitor.team,
        team=team.name if team else "",
        released=scores_released(phase, platform.clock(), published=published),
        when=_when(phase),
    )
    return Page(
        template="submission.html",
        title=one.label or one.file_name,
        model=model,
        crumbs=(
            (campaign.title, address("home")),
            (f"{title}, {phase.title}", address("task", phase=phase.name, task=one.task)),
        ),
    )


def _when(phase: Phase) -> str:
    return {
        "at-once": "at once",
        "at-close": "when the phase has closed",
        "published": "when the organisers publish the results",
    }[phase.scores]
