"""Campaign home page and task pages."""

from collections.abc import Iterator
from datetime import datetime

from corefbench.campaign.domain.config import Anonymity, Campaign, Phase, RankingRule
from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.domain.visibility import can_see_board
from corefbench.campaign.jobs.uploads import DEFAULT_BUDGET
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.downloads import list_downloads
from corefbench.campaign.storage.submissions import list_submissions
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.downloads import signed_download_receipt
from corefbench.campaign.views.routes import url_for
from corefbench.campaign.views.submissions import SubmissionStatus, submission_statuses
from corefbench.campaign.views.task_status import (
    PhaseState,
    TaskStatus,
    all_task_statuses,
    format_countdown,
    phase_state,
    task_status,
)
from corefbench.records import Record
from corefbench.web.pages import Page, Query

_SCORE_RULES = {
    "at-once": "Teams see their scores as soon as they are computed.",
    "at-close": "Teams see their scores when the phase has closed.",
    "published": "Scores are shown when the organisers publish the results.",
}
_ANONYMITY_RULES = {
    "none": "Boards show the names of the teams.",
    "until-published": "Boards show pseudonyms until the results are published.",
    "always": "Boards always show pseudonyms.",
}
_RANKING_RULES = {
    "best": "The best submission of each team counts.",
    "last": "The last submission of each team counts.",
}


class PhaseSummary(Record, frozen=True):
    """A phase with its tasks."""

    name: str
    title: str
    opens: datetime
    closes: datetime
    state: PhaseState
    published: bool
    countdown: str
    """Time until it opens or closes; empty when it is over."""
    rules: tuple[str, ...]
    tasks: tuple[TaskStatus, ...]


class HomePage(Record, frozen=True):
    """The campaign: description, rules, phases and tasks."""

    description: str
    contact: str
    rules: tuple[str, ...]
    phases: tuple[PhaseSummary, ...]
    frozen: bool


class TaskPage(Record, frozen=True):
    """A task in a phase: download its data, send answers, see submissions."""

    status: TaskStatus
    rules: tuple[str, ...]
    countdown: str
    window_countdown: str
    window_over: bool
    downloads: tuple[Receipt, ...]
    submissions: tuple[SubmissionStatus, ...]
    board: bool
    """Whether the board may be seen."""
    largest: int = DEFAULT_BUDGET.packed
    """Bytes of an upload."""


class CampaignInfo(Record, frozen=True):
    """The campaign: what is public, and what concerns the team of the user."""

    name: str
    title: str
    description: str
    contact: str
    anonymity: Anonymity
    approval: bool
    ranking: RankingRule
    places: tuple[TaskStatus, ...]
    """Every task of every phase."""


def home_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the campaign."""
    campaign, now = platform.campaign, platform.clock()
    statuses = all_task_statuses(platform, visitor)
    model = HomePage(
        description=campaign.description,
        contact=campaign.contact,
        rules=tuple(_campaign_rules(campaign)),
        phases=tuple(_summarize_phase(phase, statuses, now) for phase in campaign.phases),
        frozen=any(status.frozen for status in statuses),
    )
    return Page(template="home.html", title=campaign.title, model=model)


def task_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show a task in a phase."""
    status, now = task_status(platform, visitor, query["phase"], query["task"]), platform.clock()
    phase = platform.campaign.phase(status.phase)
    downloads, submissions = _team_activity(platform, visitor, status)
    closes = status.window_closes
    model = TaskPage(
        status=status,
        rules=tuple(_phase_rules(phase)),
        countdown=format_countdown(phase.opens if status.state == "before" else phase.closes, now),
        window_countdown=format_countdown(closes, now) if closes else "",
        window_over=closes is not None and now >= closes,
        downloads=downloads,
        submissions=submissions,
        board=can_see_board(visitor.role, phase, now, published=status.published),
    )
    return Page(
        template="task.html",
        title=f"{status.task_title}, {status.phase_title}",
        model=model,
        breadcrumbs=((platform.campaign.title, url_for("home")),),
    )


def api_campaign(platform: Platform, visitor: Visitor, query: Query) -> CampaignInfo:
    """The campaign: its tasks, its phases and their dates; not where data and keys are."""
    campaign = platform.campaign
    return CampaignInfo(
        name=campaign.name,
        title=campaign.title,
        description=campaign.description,
        contact=campaign.contact,
        anonymity=campaign.anonymity,
        approval=campaign.approval,
        ranking=campaign.ranking,
        places=tuple(all_task_statuses(platform, visitor)),
    )


def api_task(platform: Platform, visitor: Visitor, query: Query) -> TaskStatus:
    """A task in a phase: whether it is open, the quota that is left, when the window closes."""
    return task_status(platform, visitor, query["phase"], query["task"])


def _summarize_phase(phase: Phase, statuses: list[TaskStatus], now: datetime) -> PhaseSummary:
    state = phase_state(phase, now)
    countdown = {
        "before": f"opens in {format_countdown(phase.opens, now)}",
        "open": f"closes in {format_countdown(phase.closes, now)}",
        "closed": "",
    }[state]
    tasks = tuple(status for status in statuses if status.phase == phase.name)
    return PhaseSummary(
        name=phase.name,
        title=phase.title,
        opens=phase.opens,
        closes=phase.closes,
        state=state,
        published=any(status.published for status in tasks),
        countdown=countdown,
        rules=tuple(_phase_rules(phase)),
        tasks=tasks,
    )


def _phase_rules(phase: Phase) -> Iterator[str]:
    """Yield the rules of a phase in words."""
    if phase.window_hours:
        yield (
            f"A team has {phase.window_hours:g} hours for each task from its first download of "
            "the data, and never longer than the phase."
        )
    if phase.quota.total:
        yield f"At most {phase.quota.total} submissions per team and task."
    if phase.quota.day:
        yield f"At most {phase.quota.day} submissions per team, task and day (UTC)."
    yield _SCORE_RULES[phase.scores]
    if phase.blind:
        yield "Only scores are shown, neither texts nor errors."
    else:
        yield "Errors are shown to the team, document by document."
    if phase.public < 1:
        yield (
            f"Before publication, scores are over {phase.public:.0%} of the documents; the final "
            "ranking is over all of them."
        )


def _campaign_rules(campaign: Campaign) -> Iterator[str]:
    """Yield the rules of the campaign in words."""
    if campaign.approval:
        yield "An organiser approves every team before it takes part."
    yield (
        "The time of a submission is that of the server's clock when its last byte has arrived; it is on the receipt."
    )
    yield _RANKING_RULES[campaign.ranking]
    yield _ANONYMITY_RULES[campaign.anonymity]
    yield "A submission that the platform fails to score does not count against the quota."


def _team_activity(
    platform: Platform, visitor: Visitor, status: TaskStatus
) -> tuple[tuple[Receipt, ...], tuple[SubmissionStatus, ...]]:
    """Return the downloads and submissions of the team, the newest first."""
    if visitor.role != "participant":
        return (), ()
    with platform.database.read() as connection:
        receipts = [
            signed_download_receipt(platform, download)
            for download in list_downloads(connection, visitor.team)
            if (download.phase, download.task) == (status.phase, status.task)
        ]
        submissions = list_submissions(connection, visitor.team, status.phase, status.task)
        statuses = submission_statuses(platform, connection, visitor, submissions)
    return tuple(reversed(receipts)), tuple(reversed(statuses))
