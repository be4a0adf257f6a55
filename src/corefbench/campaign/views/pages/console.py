"""The organisers' overview: what goes on, what waits for them, what failed."""

from datetime import datetime

from msgspec.structs import replace

from corefbench.campaign.domain.currency import is_current
from corefbench.campaign.domain.definition import Campaign, Phase
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.monitoring import Activity, activity, signatures
from corefbench.campaign.storage.settings import is_frozen, published_at
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Stage(Record, frozen=True):
    """A phase and how far it is."""

    phase: Phase
    state: str
    """``to come``, ``open``, ``closed`` or ``published``."""
    published: datetime | None


class Console(Record, frozen=True):
    """What the page says."""

    stages: tuple[Stage, ...]
    activity: Activity
    outdated: int
    """Submissions whose scores were made by an earlier profile or version."""
    frozen: bool
    now: datetime


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """One look at everything."""
    now = platform.clock()
    with platform.database.read() as connection:
        published = {p.name: published_at(connection, p.name) for p in platform.campaign.phases}
        model = Console(
            stages=tuple(
                Stage(
                    phase=phase,
                    state=stage_of(phase, now, published[phase.name]),
                    published=published[phase.name],
                )
                for phase in platform.campaign.phases
            ),
            activity=_in_order(activity(connection, now), platform.campaign),
            outdated=_outdated(platform.campaign, signatures(connection)),
            frozen=is_frozen(connection),
            now=now,
        )
    return Page(template="console.html", title="Organise", model=model)


def _in_order(seen: Activity, campaign: Campaign) -> Activity:
    """Phases and tasks as the campaign has them."""
    phases = [phase.name for phase in campaign.phases]
    tasks = [task.name for task in campaign.tasks]
    known = [one for one in seen.places if one.phase in phases and one.task in tasks]
    known.sort(key=lambda one: (phases.index(one.phase), tasks.index(one.task)))
    return replace(seen, places=tuple(known))


def _outdated(campaign: Campaign, scored: dict[tuple[str, str], list[str]]) -> int:
    known = {task.name: task for task in campaign.tasks}
    return sum(
        not is_current(known[task], signature)
        for (_, task), some in scored.items()
        if task in known
        for signature in some
    )


def stage_of(phase: Phase, now: datetime, published: datetime | None) -> str:
    """How far a phase is."""
    if published is not None:
        return "published"
    if now < phase.opens:
        return "to come"
    return "open" if now < phase.closes else "closed"
