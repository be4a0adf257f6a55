"""All submissions, to look through, rescore and disqualify."""

from math import ceil

from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.domain.states import STATES, State, may_become
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.monitoring import Counted, counted
from corefbench.campaign.storage.people import teams
from corefbench.campaign.storage.submissions import Submission, submissions_of
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.pages.console import is_outdated
from corefbench.record import Record
from corefbench.web.page import Page, Query

_ON_A_PAGE = 100


class Sent(Record, frozen=True):
    """A submission, whose it is and what may be done with it."""

    submission: Submission
    team: str
    headline: float | None
    outdated: bool
    """Whether its scores were made by an earlier profile or version, or against another key."""
    being_rescored: bool
    rescorable: bool
    disqualifiable: bool

    @property
    def changeable(self) -> bool:
        """Whether anything can be done with it."""
        return self.rescorable or self.disqualifiable


class Filter(Record, frozen=True):
    """What is shown; empty where all is."""

    phase: str = ""
    task: str = ""
    state: str = ""
    team: str = ""


class Sents(Record, frozen=True):
    """What the page says."""

    shown: tuple[Sent, ...]
    all: int
    rescorable: int
    """Of all that the filter finds."""
    filter: Filter
    phases: tuple[tuple[str, str], ...]
    tasks: tuple[tuple[str, str], ...]
    states: tuple[str, ...]
    teams: tuple[tuple[str, str], ...]
    page: int
    pages: int
    manage: str
    """The submission whose forms are open."""


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Those that the filter finds, the newest first."""
    chosen = filter_of(platform.campaign, query)
    with platform.database.read() as connection:
        named = {team.id: team.name for team in teams(connection)}
        found = list(reversed(matching(submissions_of(connection, None), chosen)))
        pages = max(ceil(len(found) / _ON_A_PAGE), 1)
        page = min(max(_whole(query.get("page", "")), 1), pages)
        shown = found[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
        scored = counted(connection, [one.evaluation for one in shown if one.evaluation])
    model = Sents(
        shown=tuple(_sent(platform, one, named, scored) for one in shown),
        all=len(found),
        rescorable=sum(is_rescorable(one) for one in found),
        filter=chosen,
        phases=tuple((one.name, one.title) for one in platform.campaign.phases),
        tasks=tuple((one.name, one.title) for one in platform.campaign.tasks),
        states=STATES,
        teams=tuple(sorted(named.items(), key=lambda item: item[1].casefold())),
        page=page,
        pages=pages,
        manage=query.get("manage", query.get("submission", "")),
    )
    return Page(template="console_submissions.html", title="Submissions", model=model)


def _sent(
    platform: Platform, one: Submission, named: dict[str, str], scored: dict[str, Counted]
) -> Sent:
    made = scored.get(one.evaluation) if one.evaluation else None
    return Sent(
        submission=one,
        team=named[one.team],
        headline=made.headline if made else None,
        outdated=made is not None and is_outdated(platform, one.phase, one.task, made),
        being_rescored=made is not None and one.state in ("queued", "scoring"),
        rescorable=is_rescorable(one),
        disqualifiable=may_become(one.state, "disqualified"),
    )


def filter_of(campaign: Campaign, query: Query) -> Filter:
    """What is asked for; a name that is not known finds all."""
    known: dict[str, tuple[str, ...]] = {
        "phase": tuple(one.name for one in campaign.phases),
        "task": tuple(one.name for one in campaign.tasks),
        "state": STATES,
    }
    asked = {name: query.get(name, "") for name in known}
    kept = {name: value if value in known[name] else "" for name, value in asked.items()}
    return Filter(**kept, team=query.get("team", ""))


def matching(found: list[Submission], chosen: Filter) -> list[Submission]:
    """Those that a filter finds."""
    return [
        one
        for one in found
        if all(
            not wanted or wanted == value
            for wanted, value in (
                (chosen.phase, one.phase),
                (chosen.task, one.task),
                (chosen.state, one.state),
                (chosen.team, one.team),
            )
        )
    ]


def is_rescorable(one: Submission) -> bool:
    """Whether it can be put into the queue again; what is being scored gets there by itself."""
    state: State = one.state
    return state != "scoring" and may_become(state, "queued")


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
