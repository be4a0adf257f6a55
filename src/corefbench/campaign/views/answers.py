"""Answers: a page with its headers, JSON, and errors as either."""

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Any

import msgspec
from litestar import Response
from litestar.datastructures import Cookie
from litestar.response import Redirect
from msgspec.structs import replace

from corefbench.campaign.views.access import FIRST_COOKIE, Unknown, Visitor, first_csrf
from corefbench.campaign.views.asked import Asked
from corefbench.campaign.views.failures import Failure, failed_page, failure_of
from corefbench.campaign.views.render import as_html, in_server
from corefbench.campaign.views.routes import address
from corefbench.campaign.views.site import Site
from corefbench.errors import CorefbenchError
from corefbench.web.page import Page

_NOT_KEPT = {"cache-control": "no-store"}
"""Pages say what a role may see: no cache may show them to another."""


def page_answer(
    request: Asked,
    site: Site,
    visitor: Visitor,
    page: Page,
    *,
    said: CorefbenchError | None = None,
    typed: Mapping[str, str] | None = None,
) -> Response[Any]:
    """The page; those who have not signed in get the cookie that their forms are held against."""
    cookies = []
    if visitor.role == "visitor" and not visitor.csrf:
        first = token_urlsafe(24)
        visitor = replace(visitor, csrf=first_csrf(site.platform, first))
        cookies.append(cookie(request, FIRST_COOKIE, first))
    html = as_html(
        page,
        in_server(),
        campaign=site.platform.campaign,
        visitor=visitor,
        now=site.platform.clock(),
        path=request.url.path,
        said=said,
        typed=typed,
    )
    return Response(
        html,
        status_code=page.status,
        media_type="text/html; charset=utf-8",
        headers=_NOT_KEPT,
        cookies=cookies,
    )


def cookie(request: Asked, name: str, value: str, *, age: int | None = None) -> Cookie:
    """A cookie that scripts cannot read and other sites cannot send."""
    return Cookie(
        key=name,
        value=value,
        max_age=age,
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def json_answer(made: Any, status: int = 200) -> Response[bytes]:
    """Records as JSON."""
    return Response(
        msgspec.json.encode(made),
        status_code=status,
        media_type="application/json",
        headers=_NOT_KEPT,
    )


def error_answer(request: Asked, site: Site, error: CorefbenchError) -> Response[Any]:
    """An error as the one who asked can read it; pages send those who are not known to the door."""
    path = request.url.path
    if isinstance(error, Unknown) and request.method == "GET" and not path.startswith("/api/"):
        return Redirect(address("door", to=path), status_code=303)
    return failure_answer(request, site, failure_of(error))


def failure_answer(request: Asked, site: Site, failure: Failure) -> Response[Any]:
    """The same for whatever went wrong."""
    if request.url.path.startswith("/api/"):
        answer: Response[Any] = json_answer(failure, failure.status)
    else:
        visitor: Visitor = getattr(request.state, "visitor", Visitor())
        answer = page_answer(request, site, visitor, failed_page(failure))
    if failure.status in (429, 503):
        answer.headers["retry-after"] = "60" if failure.status == 429 else "2"
    if failure.status == 401:
        answer.headers["www-authenticate"] = 'Bearer realm="corefbench"'
    return answer
