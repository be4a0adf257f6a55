"""Status of a task in a phase for one visitor."""

from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from sqlalchemy import Connection

from corefbench.campaign.domain.config import Data, Phase, Task
from corefbench.campaign.domain.submissions import RemainingQuota, compute_remaining_quota
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.downloads import Window, get_window
from corefbench.campaign.storage.settings import is_frozen, is_published
from corefbench.campaign.storage.submissions import get_charged_times
from corefbench.campaign.views.auth import Visitor
from corefbench.records import Record

PhaseState: TypeAlias = Literal["before", "open", "closed"]


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
        window_opened=window.opened if isinstance(window, Window) else None,
        window_closes=window.closes if isinstance(window, Window) else None,
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
