"""Application factory of the local workbench."""

from asyncio import to_thread
from typing import Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from corefbench.errors import CorefbenchError
from corefbench.web import app as web
from corefbench.web.forms import CSRF_FIELD, check_csrf, read_form, read_query
from corefbench.web.pages import Page
from corefbench.web.rendering import encode_json
from corefbench.web.responses import AnyRequest, file_response, html_response, json_response, redirect
from corefbench.web.security import LOOPBACK_HOSTS, SecurityMiddleware
from corefbench.workbench.auth import AccessToken, TokenMiddleware
from corefbench.workbench.routes import RENDERER, ROUTES, SERVER_LINKS, Route, build_page
from corefbench.workbench.storage import Workbench

_MAX_BODY_BYTES = 64 << 20
_JSON_SUFFIX = ".json"


def create_app(workbench: Workbench, token: AccessToken, hosts: frozenset[str] = LOOPBACK_HOSTS) -> SecurityMiddleware:
    """Build the application over a workbench for whoever has the token."""
    server = _Server(workbench, token)

    def require_token(app: ASGIApp) -> ASGIApp:
        return TokenMiddleware(app, token, server.refusal_page)

    return web.create_app(
        [handler for route in ROUTES.values() for handler in server.handlers(route)],
        hosts=hosts,
        respond_to_error=server.respond_to_error,
        max_body_bytes=_MAX_BODY_BYTES,
        middleware=[require_token],
    )


class _Server:
    """Turns routes into handlers and pages into responses."""

    def __init__(self, workbench: Workbench, token: AccessToken) -> None:
        self.workbench = workbench
        self.token = token

    def handlers(self, route: Route) -> list[HTTPRouteHandler]:
        """Return the handlers of a route: a page has a second one for its JSON."""
        if route.kind == "form":

            @post(route.litestar_path, name=route.name)
            async def submit(request: AnyRequest) -> Response[Any]:
                return await self._submit(route, request)

            return [submit]
        work = {"page": self._show, "fragment": self._show, "file": self._send}[route.kind]

        # Not ``sync_to_thread``: a path with a second method would be handed to a thread twice.
        @get(route.litestar_path, name=route.name)
        async def respond(request: AnyRequest) -> Response[Any]:
            return await to_thread(work, route, request)

        @get(route.json_path.replace("}", ":str}"), name=f"{route.name}.json")
        async def respond_json(request: AnyRequest) -> Response[Any]:
            return await to_thread(self._show_json, route, read_query(request))

        # A path that ends in a parameter matches its JSON variant, too.
        has_own_json = route.kind == "page" and not route.path.endswith("}")
        return [respond, respond_json] if has_own_json else [respond]

    def _show(self, route: Route, request: AnyRequest) -> Response[Any]:
        query, path = read_query(request), request.url.path
        if route.path.endswith("}") and path.endswith(_JSON_SUFFIX):
            last = route.parameters[-1]
            return self._show_json(route, query | {last: query[last].removesuffix(_JSON_SUFFIX)})
        json_path = "/index.json" if path == "/" else f"{path}{_JSON_SUFFIX}"
        json_url = str(request.url.with_replacements(path=json_path))
        return self._render(self._build(route, query), path, json_url)

    def _show_json(self, route: Route, query: dict[str, str]) -> Response[Any]:
        page = self._build(route, query)
        return json_response(encode_json(page), page.status)

    def _build(self, route: Route, query: dict[str, str]) -> Page:
        page = build_page(route.name, self.workbench, query)
        for chart in page.charts.values():
            self.workbench.keep_chart(chart)
        return page

    def _send(self, route: Route, request: AnyRequest) -> Response[Any]:
        return file_response(ROUTES.load_view(route.name)(self.workbench, read_query(request)))

    async def _submit(self, route: Route, request: AnyRequest) -> Response[Any]:
        form = await read_form(request)
        if not self.token.is_script(request):
            check_csrf(form.get(CSRF_FIELD), self.token.csrf)
        result: str | Page = await to_thread(ROUTES.load_view(route.name), self.workbench, form)
        if isinstance(result, Page):
            return await to_thread(self._render, result, request.url.path)
        return redirect(result)

    def _render(self, page: Page, path: str, json_url: str = "") -> Response[Any]:
        render = RENDERER.stream if page.is_long else RENDERER.render
        html = render(page, SERVER_LINKS, path=path, json_url=json_url, csrf=self.token.csrf)
        return html_response(html, page.status, headers=page.headers)

    def respond_to_error(self, request: AnyRequest, error: CorefbenchError, status: int) -> Response[Any]:
        """Return an error as a page or as JSON."""
        page = Page(
            template="error.html",
            title="Not found" if status == 404 else "This did not work",
            model={"error": error.code, "message": str(error), "status": status},
            status=status,
        )
        if request.url.path.endswith(_JSON_SUFFIX):
            return json_response(encode_json(page), status)
        return self._render(page, request.url.path)

    def refusal_page(self) -> str:
        """Return the page for those who have no token."""
        page = Page(template="sign_in.html", title="This workbench is private", model={})
        return RENDERER.render(page, SERVER_LINKS, path="", json_url="", csrf="")
