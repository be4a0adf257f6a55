"""Campaign home page and task pages, and the status of a task for one visitor."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection

from corefbench.campaign.domain.config import Anonymity, Campaign, Data, Phase, RankingRule, Task
from corefbench.campaign.domain.submissions import Receipt, RemainingQuota, compute_remaining_quota, sign_receipt
from corefbench.campaign.domain.visibility import can_see_board
from corefbench.campaign.jobs.answers import DEFAULT_BUDGET
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.downloads import get_window, list_downloads
from corefbench.campaign.storage.settings import is_frozen, is_published
from corefbench.campaign.storage.submissions import get_charged_times, list_submissions
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.routes import url_for
from corefbench.campaign.views.submissions import SubmissionStatus, submission_statuses
from corefbench.records import Record
from corefbench.web.pages import Page, Query

PhaseState: TypeAlias = Literal["before", "open", "closed"]
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


class TaskStatus(Record, frozen=True):
    """A task in a phase: what is public, and what concerns the team of the visitor."""

    phase: str
    phase_title: str
    task: str
    task_title: str
    description: str
    scored: str
    opens: datetime
    closes: datetime
    state: PhaseState
    blind: bool
    scores: str
    """When a team sees its own: at-once, at-close or published."""
    window_hours: float
    quota_total: int
    quota_day: int
    has_data: bool
    """Whether there is something to download."""
    format: str
    published: bool
    frozen: bool
    left: RemainingQuota | None = None
    """Submissions that the team has left; None without an approved team."""
    window_opened: datetime | None = None
    window_closes: datetime | None = None


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
    model = {
        "description": campaign.description,
        "contact": campaign.contact,
        "rules": list(_campaign_rules(campaign)),
        "phases": [_summarize_phase(phase, statuses, now) for phase in campaign.phases],
        "frozen": any(status.frozen for status in statuses),
    }
    return Page(template="home.html", title=campaign.title, model=model)


def task_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show a task in a phase."""
    status, now = task_status(platform, visitor, query["phase"], query["task"]), platform.clock()
    phase = platform.campaign.phase(status.phase)
    downloads, submissions = _team_activity(platform, visitor, status)
    closes = status.window_closes
    model = {
        "status": status,
        "rules": list(_phase_rules(phase)),
        "countdown": format_countdown(phase.opens if status.state == "before" else phase.closes, now),
        "window_countdown": format_countdown(closes, now) if closes else "",
        "window_over": closes is not None and now >= closes,
        "downloads": downloads,
        "submissions": submissions,
        "can_see_board": can_see_board(visitor.role, phase, now, published=status.published),
        "max_bytes": DEFAULT_BUDGET.packed,
    }
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


def _summarize_phase(phase: Phase, statuses: list[TaskStatus], now: datetime) -> dict[str, Any]:
    state = phase_state(phase, now)
    countdown = {
        "before": f"opens in {format_countdown(phase.opens, now)}",
        "open": f"closes in {format_countdown(phase.closes, now)}",
        "closed": "",
    }[state]
    tasks = [status for status in statuses if status.phase == phase.name]
    return {
        "title": phase.title,
        "opens": phase.opens,
        "closes": phase.closes,
        "state": state,
        "published": any(status.published for status in tasks),
        "countdown": countdown,
        "rules": list(_phase_rules(phase)),
        "tasks": tasks,
    }


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
            sign_receipt(download.receipt, platform.secret)
            for download in list_downloads(connection, visitor.team)
            if (download.phase, download.task) == (status.phase, status.task)
        ]
        submissions = list_submissions(connection, visitor.team, status.phase, status.task)
        statuses = submission_statuses(platform, connection, visitor, submissions)
    return tuple(reversed(receipts)), tuple(reversed(statuses))


def task_status(platform: Platform, visitor: Visitor, phase: str, task: str) -> TaskStatus:
    """Return the status of a task for a visitor."""
    phase_config = platform.campaign.phase(phase)
    data = phase_config.data_of(task)
    with platform.database.read() as connection:
        return _read_status(connection, platform, visitor, phase_config, platform.campaign.task(task), data)


def all_task_statuses(platform: Platform, visitor: Visitor) -> list[TaskStatus]:
    """Return every task of every phase, in the order of the campaign."""
    campaign = platform.campaign
    with platform.database.read() as connection:
        return [
            _read_status(connection, platform, visitor, phase, campaign.task(data.task), data)
            for phase in campaign.phases
            for data in phase.data
        ]


def _read_status(
    connection: Connection, platform: Platform, visitor: Visitor, phase: Phase, task: Task, data: Data
) -> TaskStatus:
    now = platform.clock()
    window, remaining = None, None
    if visitor.role == "participant":
        window = get_window(connection, visitor.team, phase.name, task.name)
        times = get_charged_times(connection, visitor.team, phase.name, task.name)
        remaining = compute_remaining_quota(phase.quota, times, now)
    return TaskStatus(
        phase=phase.name,
        phase_title=phase.title,
        task=task.name,
        task_title=task.title,
        description=task.description,
        scored=task.scored,
        opens=phase.opens,
        closes=phase.closes,
        state=phase_state(phase, now),
        blind=phase.blind,
        scores=phase.scores,
        window_hours=phase.window_hours,
        quota_total=phase.quota.total,
        quota_day=phase.quota.day,
        has_data=bool(data.input),
        format=data.format,
        published=is_published(connection, phase.name),
        frozen=is_frozen(connection),
        left=remaining,
        window_opened=window.opened if window else None,
        window_closes=window.closes if window else None,
    )


def phase_state(phase: Phase, now: datetime) -> PhaseState:
    """Return whether a phase is yet to come, open or over."""
    if now < phase.opens:
        return "before"
    return "open" if now < phase.closes else "closed"


def format_countdown(time: datetime, now: datetime) -> str:
    """Format the time that is left in its two largest units.

    >>> from datetime import UTC
    >>> format_countdown(datetime(2026, 3, 3, 5, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC))
    '2 days 5 hours'
    >>> now = datetime(2026, 3, 1, tzinfo=UTC)
    >>> format_countdown(now + timedelta(seconds=40), now)
    'less than a minute'
    """
    minutes = max(time - now, timedelta()) // timedelta(minutes=1)
    counts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
    parts = [f"{n} {unit}{'s' if n != 1 else ''}" for unit, n in counts.items() if n]
    return " ".join(parts[:2]) or "less than a minute"
