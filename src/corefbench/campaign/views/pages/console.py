"""The organisers' overview: what goes on, what waits for them, what failed."""

from datetime import datetime

from msgspec.structs import replace

from corefbench.campaign.domain.currency import is_current
from corefbench.campaign.domain.definition import Campaign, Phase
from corefbench.campaign.fingerprints import is_same_key, key_sha256
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.monitoring import Activity, Counted, activity, counted_by_task
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
    """Submissions whose scores were made by an earlier profile or version, or by another key."""
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
            outdated=_outdated(platform, counted_by_task(connection)),
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


def _outdated(platform: Platform, scored: dict[tuple[str, str], list[Counted]]) -> int:
    there = {(phase.name, data.task) for phase in platform.campaign.phases for data in phase.data}
    return sum(
        is_outdated(platform, phase, task, one)
        for (phase, task), some in scored.items()
        if (phase, task) in there
        for one in some
    )


def is_outdated(platform: Platform, phase: str, task: str, made: Counted) -> bool:
    """Whether scores were made by an earlier profile or version, or against another key."""
    return not (
        is_current(platform.campaign.task(task), made.signature)
        and is_same_key(made.key_sha256, key_sha256(platform, phase, task))
    )


def stage_of(phase: Phase, now: datetime, published: datetime | None) -> str:
    """How far a phase is."""
    if published is not None:
        return "published"
    if now < phase.opens:
        return "to come"
    return "open" if now < phase.closes else "closed"
