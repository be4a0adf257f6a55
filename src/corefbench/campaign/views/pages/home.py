"""The first page: what the campaign is about, its phases and dates, its rules."""

from datetime import datetime

from corefbench.campaign.domain.definition import Campaign, Phase
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.countdown import until
from corefbench.campaign.views.places import Openness, TaskInPhase, all_places, openness
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Stage(Record, frozen=True):
    """A phase with its tasks."""

    name: str
    title: str
    opens: datetime
    closes: datetime
    state: Openness
    published: bool
    countdown: str
    """How long until it opens or closes; empty where it is over."""
    rules: tuple[str, ...]
    places: tuple[TaskInPhase, ...]


class Home(Record, frozen=True):
    """What the page says."""

    description: str
    contact: str
    rules: tuple[str, ...]
    stages: tuple[Stage, ...]
    frozen: bool


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The campaign as this visitor stands before it."""
    campaign, now = platform.campaign, platform.clock()
    places = all_places(platform, visitor)
    model = Home(
        description=campaign.description,
        contact=campaign.contact,
        rules=tuple(_rules(campaign)),
        stages=tuple(_stage(phase, places, now) for phase in campaign.phases),
        frozen=any(place.frozen for place in places),
    )
    return Page(template="campaign_home.html", title=campaign.title, model=model)


def _stage(phase: Phase, places: list[TaskInPhase], now: datetime) -> Stage:
    state = openness(phase, now)
    countdown = {
        "before": f"opens in {until(phase.opens, now)}",
        "open": f"closes in {until(phase.closes, now)}",
        "closed": "",
    }[state]
    own = tuple(place for place in places if place.phase == phase.name)
    return Stage(
        name=phase.name,
        title=phase.title,
        opens=phase.opens,
        closes=phase.closes,
        state=state,
        published=any(place.published for place in own),
        countdown=countdown,
        rules=tuple(phase_rules(phase)),
        places=own,
    )


def phase_rules(phase: Phase) -> list[str]:
    """The rules of a phase, in words."""
    said = []
    if phase.window_hours:
        said.append(
            f"A team has {phase.window_hours:g} hours for each task, from its first download of "
            "the data on, and never longer than the phase."
        )
    if phase.quota.total:
        said.append(f"At most {phase.quota.total} submissions a team and task.")
    if phase.quota.day:
        said.append(f"At most {phase.quota.day} submissions a team, task and day (UTC).")
    said.append(
        {
            "at-once": "Teams see their scores as soon as they are computed.",
            "at-close": "Teams see their scores when the phase has closed.",
            "published": "Scores are seen when the organisers publish the results.",
        }[phase.scores]
    )
    said.append(
        "Scores only: the texts and errors are not shown."
        if phase.blind
        else "Errors are shown to the team, document by document."
    )
    if phase.public < 1:
        said.append(
            f"Before publication scores are over {phase.public:.0%} of the documents; the ranking "
            "that counts is over all of them."
        )
    return said


def _rules(campaign: Campaign) -> list[str]:
    names = {
        "none": "Boards name the teams.",
        "until-published": "Boards show pseudonyms until the results are published.",
        "always": "Boards show pseudonyms, for good.",
    }[campaign.anonymity]
    counts = {
        "best": "Of every team its best submission counts.",
        "last": "Of every team its last submission counts.",
    }[campaign.ranking]
    approval = "An organiser approves every team before it takes part."
    return [
        *([approval] if campaign.approval else []),
        "The time of a submission is that of the server's clock when its last byte has arrived; "
        "it is on the receipt.",
        counts,
        names,
        "A submission that the platform fails to score is not counted against the quota.",
    ]
