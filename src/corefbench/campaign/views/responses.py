"""Build page, form and error responses of the campaign server."""

from asyncio import to_thread
from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Any

from litestar import Response
from msgspec.structs import replace

from corefbench.campaign.views.auth import VISITOR_COOKIE, Visitor, anonymous_csrf_token
from corefbench.campaign.views.rendering import SERVER_LINKS, render_page
from corefbench.campaign.views.routes import ROUTES, Route, url_for
from corefbench.campaign.views.schemas import ErrorBody
from corefbench.campaign.views.state import get_state
from corefbench.diagnostics import Finding
from corefbench.errors import CorefbenchError, DataError
from corefbench.web.errors import AuthenticationRequired, status_code
from corefbench.web.pages import Page
from corefbench.web.responses import NO_STORE, AnyRequest, html_response, json_response, make_cookie, redirect

_RETRY_SECONDS = {429: "60", 503: "2"}
_ERROR_TITLES = {401: "Sign in first", 403: "Not permitted", 404: "Not found"}


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
        SERVER_LINKS,
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
