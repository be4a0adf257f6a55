"""From a page to HTML: the templates of the campaign over the look of the workbench."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader

from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.domain.errors_seen import DocumentSeen
from corefbench.campaign.domain.times import written
from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.assets import assets
from corefbench.campaign.views.places import TaskInPhase
from corefbench.campaign.views.routes import ROUTES, address
from corefbench.errors import CorefbenchError
from corefbench.measures import measures
from corefbench.web import render as workbench
from corefbench.web.page import Page
from corefbench.web.render import Place

_CONLL = frozenset({"muc", "b_cubed", "ceaf_e"})
"""Whose mean ranks as ``conll``."""


def in_server() -> Place:
    """Pages of the running server."""
    return Place(
        url=address,
        static=lambda name: address("static", file=name, v=assets()[name].digest),
        drawing=lambda drawing, theme: "",
    )


def as_html(
    page: Page,
    place: Place,
    *,
    campaign: Campaign,
    visitor: Visitor,
    now: datetime,
    path: str = "",
    said: CorefbenchError | None = None,
    typed: Mapping[str, str] | None = None,
) -> str:
    """The page; ``said`` is what was wrong with a form, ``typed`` what had been filled in."""
    return (
        _environment()
        .get_template(page.template)
        .render(
            page=page,
            model=page.model,
            place=place,
            url=place.url,
            path=path,
            twin="",
            campaign=campaign,
            visitor=visitor,
            now=now,
            said=said,
            typed=typed or {},
        )
    )


@cache
def _environment() -> Environment:
    shared = workbench.environment()
    loaders = [PackageLoader("corefbench.campaign"), PackageLoader("corefbench.web")]
    made = shared.overlay(loader=ChoiceLoader(loaders))
    # An overlay shares these with what it lies over.
    made.filters = {**shared.filters, **_FILTERS}
    made.globals = {**shared.globals, **_GLOBALS}
    return made


def navigation(role: Role, live: bool) -> list[tuple[str, str]]:
    """The pages that stand at the top, by role; a static site has those that everybody sees."""
    shown = [("home", "Campaign"), ("boards", "Boards")]
    if not live:
        return shown
    further = [
        ("submissions", "Submissions", ("participant",)),
        ("team", "Team", ("applicant", "participant")),
        ("console", "Organise", ("organiser",)),
        ("tokens", "Tokens", ("applicant", "participant", "organiser")),
    ]
    shown += [(name, title) for name, title, roles in further if role in roles]
    return [(name, title) for name, title in shown if name in ROUTES]


def quota_left(place: TaskInPhase) -> str:
    """What a team has left, in words."""
    if place.left is None:
        return "–"
    counts = {" in all": place.left.total, " today": place.left.day}
    said = [f"{count}{when}" for when, count in counts.items() if count is not None]
    return ", ".join(said) or "no bound"


def document_score(row: DocumentSeen, ranking: str) -> float | None:
    """The score of a document that ranks: success rates are recalls, all others F1."""
    if ranking == "conll":
        found = [score.f1 for name, score in row.scores.items() if name in _CONLL]
        return sum(found) / len(found) if len(found) == len(_CONLL) else None
    score = row.scores.get(ranking)
    if score is None:
        return None
    return score.recall if ranking == "success_rate" else score.f1


def score_title(name: str) -> str:
    """What people call a score.

    >>> score_title("b_cubed"), score_title("success_rate")
    ('B³', 'Success rate')
    """
    if name == "conll":
        return "CoNLL F1"
    return measures[name].card.title if name in measures else name.replace("_", " ").capitalize()


def utc(time: datetime) -> str:
    """A time to the minute, as people read it.

    >>> from datetime import UTC
    >>> utc(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '1 March 2026, 12:00 UTC'
    """
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def size(count: int) -> str:
    """Bytes as people read them.

    >>> size(900), size(2_500_000)
    ('900 bytes', '2.5 MB')
    """
    for unit, power in (("GB", 9), ("MB", 6), ("kB", 3)):
        if count >= 10**power:
            return f"{count / 10**power:.1f} {unit}"
    return f"{count} bytes"


_FILTERS = {
    "utc": utc,
    "exact": lambda time: written(time) if isinstance(time, datetime) else time,
    "size": size,
    "json": lambda value: msgspec.json.format(msgspec.json.encode(value)).decode(),
    "score_title": score_title,
}
_GLOBALS = {
    "navigation": navigation,
    "quota_left": quota_left,
    "document_score": document_score,
}
