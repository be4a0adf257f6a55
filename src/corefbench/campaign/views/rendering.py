"""Templates and links of the campaign server."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from corefbench.campaign.domain.config import Campaign
from corefbench.campaign.domain.evaluation import DocumentFeedback
from corefbench.campaign.domain.times import format_time
from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.views.assets import ASSETS
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.routes import url_for
from corefbench.campaign.views.task_status import TaskStatus
from corefbench.errors import CorefbenchError
from corefbench.scoring.measures import measures
from corefbench.web.pages import Page
from corefbench.web.rendering import Links, Renderer

SERVER_LINKS = Links(url=url_for, static=ASSETS.url, chart=lambda chart, theme: "")
_CONLL_MEASURES = frozenset({"muc", "b_cubed", "ceaf_e"})
"""Measures whose mean ranks as ``conll``."""
_NAVIGATION: tuple[tuple[str, str, tuple[Role, ...]], ...] = (
    ("submissions", "Submissions", ("participant",)),
    ("team", "Team", ("applicant", "participant")),
    ("console", "Organise", ("organiser",)),
    ("tokens", "Tokens", ("applicant", "participant", "organiser")),
)


def render_page(
    page: Page,
    links: Links,
    *,
    campaign: Campaign,
    visitor: Visitor,
    now: datetime,
    path: str = "",
    error: CorefbenchError | None = None,
    form: Mapping[str, str] | None = None,
) -> str:
    """Render a page; ``error`` is what was wrong with a form, ``form`` its values."""
    return RENDERER.render(
        page,
        links,
        path=path,
        json_url="",
        csrf=visitor.csrf,
        campaign=campaign,
        visitor=visitor,
        now=now,
        error=error,
        form=form or {},
    )


def navigation(role: Role, live: bool) -> list[tuple[str, str]]:
    """Return routes and titles of the navigation; a static site has the public pages."""
    public = [("home", "Campaign"), ("boards", "Boards")]
    return public + [(name, title) for name, title, roles in _NAVIGATION if live and role in roles]


def format_quota(status: TaskStatus) -> str:
    """Describe the submissions that a team has left."""
    if status.left is None:
        return "–"
    counts = {" in total": status.left.total, " today": status.left.day}
    return ", ".join(f"{count}{when}" for when, count in counts.items() if count is not None) or "unlimited"


def document_score(row: DocumentFeedback, ranking: str) -> float | None:
    """Return the ranking score of a document: recall for success rates, F1 for all others."""
    if ranking == "conll":
        scores = [score.f1 for name, score in row.scores.items() if name in _CONLL_MEASURES]
        return sum(scores) / len(scores) if len(scores) == len(_CONLL_MEASURES) else None
    score = row.scores.get(ranking)
    if score is None:
        return None
    return score.recall if ranking == "success_rate" else score.f1


def score_title(name: str) -> str:
    """Return the title of a score.

    >>> score_title("b_cubed"), score_title("success_rate")
    ('B³', 'Success rate')
    """
    if name == "conll":
        return "CoNLL F1"
    return measures[name].card.title if name in measures else name.replace("_", " ").capitalize()


def format_utc(time: datetime) -> str:
    """Format a time to the minute.

    >>> from datetime import UTC
    >>> format_utc(datetime(2026, 3, 1, 12, tzinfo=UTC))
    '1 March 2026, 12:00 UTC'
    """
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def format_size(count: int) -> str:
    """Format a number of bytes.

    >>> format_size(900), format_size(2_500_000)
    ('900 bytes', '2.5 MB')
    """
    for unit, power in (("GB", 9), ("MB", 6), ("kB", 3)):
        if count >= 10**power:
            return f"{count / 10**power:.1f} {unit}"
    return f"{count} bytes"


RENDERER = Renderer(
    "corefbench.campaign",
    filters={
        "utc": format_utc,
        "iso": lambda time: format_time(time) if isinstance(time, datetime) else time,
        "size": format_size,
        "json": lambda value: msgspec.json.format(msgspec.json.encode(value)).decode(),
        "score_title": score_title,
    },
    variables={"navigation": navigation, "format_quota": format_quota, "document_score": document_score},
)
