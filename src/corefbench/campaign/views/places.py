"""A task in a phase as somebody stands before it: is it open, what is left, what was taken."""

from datetime import datetime
from typing import Literal, TypeAlias

from sqlalchemy import Connection

from corefbench.campaign.domain.definition import Data, Phase, Task
from corefbench.campaign.domain.quota import Left, left
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import is_frozen, is_published
from corefbench.campaign.storage.standing import charged
from corefbench.campaign.storage.windows import Window, window
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record

Openness: TypeAlias = Literal["before", "open", "closed"]


class TaskInPhase(Record, frozen=True):
    """What everybody may know of it, and what concerns the team of who asks."""

    phase: str
    phase_title: str
    task: str
    task_title: str
    description: str
    scored: str
    opens: datetime
    closes: datetime
    state: Openness
    blind: bool
    scores: str
    """When a team learns its own: at-once, at-close or published."""
    window_hours: float
    quota_total: int
    quota_day: int
    has_data: bool
    """Whether there is something to download."""
    format: str
    published: bool
    frozen: bool
    left: Left | None = None
    """Submissions that the team has left; None for those who have no team that is approved."""
    window_opened: datetime | None = None
    window_closes: datetime | None = None

    @property
    def takes(self) -> bool:
        """Whether a submission would be taken now, as far as can be told."""
        return self.state == "open" and not self.frozen and (self.left is None or self.left.any)


def place_of(platform: Platform, visitor: Visitor, phase: str, task: str) -> TaskInPhase:
    """The place as this visitor stands before it."""
    described = platform.campaign.phase(phase)
    data = described.data_of(task)
    with platform.database.read() as connection:
        return made(connection, platform, visitor, described, platform.campaign.task(task), data)


def all_places(platform: Platform, visitor: Visitor) -> list[TaskInPhase]:
    """Every task of every phase, in the order of the campaign."""
    campaign = platform.campaign
    with platform.database.read() as connection:
        return [
            made(connection, platform, visitor, phase, campaign.task(data.task), data)
            for phase in campaign.phases
            for data in phase.data
        ]


def made(
    connection: Connection,
    platform: Platform,
    visitor: Visitor,
    phase: Phase,
    task: Task,
    data: Data,
) -> TaskInPhase:
    """The same within a transaction."""
    now = platform.clock()
    opened, remaining = None, None
    if visitor.role == "participant":
        opened = window(connection, visitor.team, phase.name, task.name)
        remaining = _left(connection, visitor.team, phase, task, now)
    return TaskInPhase(
        phase=phase.name,
        phase_title=phase.title,
        task=task.name,
        task_title=task.title,
        description=task.description,
        scored=task.scored,
        opens=phase.opens,
        closes=phase.closes,
        state=openness(phase, now),
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
        window_opened=opened.opened if isinstance(opened, Window) else None,
        window_closes=opened.closes if isinstance(opened, Window) else None,
    )


def openness(phase: Phase, now: datetime) -> Openness:
    """Whether the phase is yet to come, open or over."""
    if now < phase.opens:
        return "before"
    return "open" if now < phase.closes else "closed"


def _left(connection: Connection, team: str, phase: Phase, task: Task, now: datetime) -> Left:
    times = charged(connection, team, phase.name, task.name)
    return left(phase.quota, times, now)
