"""Render pages and build page, form and error responses."""

from asyncio import to_thread
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import msgspec
from litestar import Response
from msgspec.structs import replace

from corefbench.campaign.domain.config import Campaign
from corefbench.campaign.domain.evaluation import DocumentFeedback
from corefbench.campaign.domain.times import format_time
from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.leaderboard import get_score_title
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.auth import VISITOR_COOKIE, Visitor, anonymous_csrf_token
from corefbench.campaign.views.routes import ROUTES, Route, url_for
from corefbench.campaign.views.schemas import ErrorBody
from corefbench.campaign.views.state import get_state
from corefbench.campaign.views.tasks import TaskStatus
from corefbench.diagnostics import Finding
from corefbench.errors import CorefbenchError, DataError
from corefbench.web.assets import SHARED_ASSETS, Assets
from corefbench.web.errors import AuthenticationRequired, status_code
from corefbench.web.pages import Page, Query
from corefbench.web.rendering import Links, Renderer
from corefbench.web.responses import (
    NO_STORE,
    AnyRequest,
    FileContent,
    html_response,
    json_response,
    make_cookie,
    redirect,
)

ASSETS = Assets(SHARED_ASSETS, Path(__file__).parents[1] / "static")
_SERVER_LINKS = Links(url=url_for, static=ASSETS.url, chart=lambda chart, theme: "")
_RETRY_SECONDS = {429: "60", 503: "2"}
_ERROR_TITLES = {401: "Sign in first", 403: "Not permitted", 404: "Not found"}
_CONLL_MEASURES = frozenset({"muc", "b_cubed", "ceaf_e"})
"""Measures whose mean ranks as ``conll``."""
_NAVIGATION: tuple[tuple[str, str, tuple[Role, ...]], ...] = (
    ("submissions", "Submissions", ("participant",)),
    ("team", "Team", ("applicant", "participant")),
    ("console", "Organise", ("organiser",)),
    ("tokens", "Tokens", ("applicant", "participant", "organiser")),
)


class UnreadableAnswers(DataError):
    """Answers that are not accepted because the check found errors."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        super().__init__(
            "the answers cannot be read; nothing was submitted, nothing is charged",
            code="CB310",
            remedy="correct what is listed and send them again",
        )


def page_response(
    request: AnyRequest,
    visitor: Visitor,
    page: Page,
    *,
    error: CorefbenchError | None = None,
    form: Mapping[str, str] | None = None,
) -> Response[Any]:
    """Render a page; ``error`` is what was wrong with a form, ``form`` its values.

    Visitors who have not signed in get the cookie that the CSRF token of their forms belongs to.
    """
    platform = get_state(request).platform
    cookies = []
    if visitor.role == "visitor" and not visitor.csrf:
        secret = token_urlsafe(24)
        visitor = replace(visitor, csrf=anonymous_csrf_token(platform, secret))
        cookies.append(make_cookie(request, VISITOR_COOKIE, secret))
    html = render_page(
        page,
        _SERVER_LINKS,
        campaign=platform.campaign,
        visitor=visitor,
        now=platform.clock(),
        path=request.url.path,
        error=error,
        form=form,
    )
    # A page shows what a role may see: no cache may show it to another one.
    return html_response(html, page.status, headers={"cache-control": NO_STORE}, cookies=cookies)


async def redisplay_form(
    request: AnyRequest, visitor: Visitor, route: Route, form: dict[str, str], error: CorefbenchError
) -> Response[Any]:
    """Show the page of a form again with an error; passwords must be typed again."""
    if not route.page or status_code(error) == 404:
        raise error
    platform = get_state(request).platform
    values = {name: value for name, value in form.items() if "password" not in name}
    page = await to_thread(ROUTES.load_view(route.page), platform, visitor, values)
    page = replace(page, status=status_code(error))
    return await to_thread(page_response, request, visitor, page, error=error, form=values)


def error_response(request: AnyRequest, error: CorefbenchError, status: int) -> Response[Any]:
    """Return an error as JSON or as a page; pages lead those who have to sign in there."""
    path = request.url.path
    is_api = path.startswith("/api/")
    if isinstance(error, AuthenticationRequired) and request.method == "GET" and not is_api:
        return redirect(url_for("sign-in-form", to=path))
    body = _error_body(error, status)
    if is_api:
        response: Response[Any] = json_response(body, status)
    else:
        visitor: Visitor = getattr(request.state, "visitor", Visitor())
        title = _ERROR_TITLES.get(status, "This did not work")
        page = Page(template="error.html", title=title, model=body, status=status)
        response = page_response(request, visitor, page)
    if status in _RETRY_SECONDS:
        response.headers["retry-after"] = _RETRY_SECONDS[status]
    if status == 401:
        response.headers["www-authenticate"] = 'Bearer realm="corefbench"'
    return response


def _error_body(error: CorefbenchError, status: int) -> ErrorBody:
    place = str(error.place)
    return ErrorBody(
        error=error.code,
        message=f"{place}: {error.message}" if place else error.message,
        found=error.found,
        expected=error.expected,
        remedy=error.remedy,
        status=status,
        findings=error.findings if isinstance(error, UnreadableAnswers) else (),
    )


def static_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return a style sheet or script."""
    return ASSETS.serve(query["file"], query.get("v", ""))


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
        "score_title": get_score_title,
    },
    variables={"navigation": navigation, "format_quota": format_quota, "document_score": document_score},
)
