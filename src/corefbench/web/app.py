"""The web app: every page of the table of routes, its JSON twin, and what forms ask for."""

from asyncio import to_thread
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.exceptions import HTTPException, NotFoundException
from litestar.response import Stream

from corefbench.errors import CorefbenchError, UnknownName
from corefbench.web.actions import actions
from corefbench.web.assets import STATIC, assets
from corefbench.web.drawings import as_svg
from corefbench.web.page import Page
from corefbench.web.render import as_html, as_json, in_app, in_parts
from corefbench.web.routes import Route, all_routes, visit
from corefbench.web.security import LOCAL, Guard
from corefbench.web.workbench import Workbench

__all__ = ["STATIC", "make_app"]

_BODY = 64 * 1024 * 1024
"""Bytes of a request, at most."""

_JSON = ".json"
_FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}

Asked = Request[Any, Any, Any]


def make_app(workbench: Workbench, hosts: frozenset[str] = LOCAL) -> Litestar:
    """The app over a workbench, answering to these names only."""
    handlers: list[Any] = [
        handler for route in all_routes() for handler in _handlers(route, workbench)
    ]
    handlers += [_static, _drawing(workbench), *actions(workbench)]
    made = Litestar(
        handlers,
        exception_handlers={CorefbenchError: _explain, HTTPException: _explain_http},
        request_max_body_size=_BODY,
        openapi_config=None,
    )
    # Middleware would stand behind the router and not see what is not found.
    made.asgi_handler = Guard(made.asgi_handler, hosts)
    return made


def _handlers(route: Route, workbench: Workbench) -> list[Any]:
    """A page, and its twin."""

    def made(request: Asked, **values: str) -> Page:
        query = {**request.query_params, **request.path_params, **values}
        page = visit(route.name, workbench, query)
        for drawing in page.drawings.values():
            workbench.keep_drawing(drawing)
        return page

    def shown(request: Asked) -> Response[Any]:
        if request.url.path.endswith(_JSON) and route.path.endswith("}"):
            # A path that ends in a value takes its twin, too: routers have no ``{run}.json``.
            last = route.parameters[-1]
            return _json(made(request, **{last: request.path_params[last].removesuffix(_JSON)}))
        page = made(request)
        twin = str(request.url.with_replacements(path=_twin(request.url.path)))
        return _html(page, str(request.url.path), twin)

    # Not ``sync_to_thread``: a path with a second method would be handed to a thread twice.
    @get(_typed(route.path), name=route.name)
    async def html(request: Asked) -> Response[Any]:
        return await to_thread(shown, request)

    @get(_typed(route.twin), name=f"{route.name}.json")
    async def json(request: Asked) -> Response[bytes]:
        return await to_thread(lambda: _json(made(request)))

    return [html] if route.path.endswith("}") else [html, json]


def _json(page: Page) -> Response[bytes]:
    return Response(as_json(page), status_code=page.status, media_type="application/json")


def _typed(path: str) -> str:
    """The path as the router takes it."""
    return path.replace("}", ":str}")


def _twin(path: str) -> str:
    return "/index.json" if path == "/" else f"{path}.json"


def _html(page: Page, path: str, twin: str = "") -> Response[Any]:
    if page.long:
        parts = in_parts(page, in_app(), path=path, twin=twin)
        return Stream(parts, status_code=page.status, media_type="text/html; charset=utf-8")
    body = as_html(page, in_app(), path=path, twin=twin)
    return Response(body, status_code=page.status, media_type="text/html")


@get("/static/{name:str}")
async def _static(request: Asked) -> Response[bytes]:
    """A style sheet or script; what is asked for by its digest never changes."""
    found = assets().get(request.path_params["name"])
    if found is None:
        raise NotFoundException
    named = request.query_params.get("v") == found.digest
    kept = _FOR_EVER if named else {"cache-control": "no-cache"}
    return Response(found.content, media_type=found.media_type, headers=kept)


def _drawing(workbench: Workbench) -> Any:
    @get("/drawings/{name:str}", sync_to_thread=True)
    def drawn(request: Asked) -> Response[str]:
        name = str(request.path_params["name"])
        digest, _, theme = name.removesuffix(".svg").partition("-")
        if digest not in workbench.drawings:
            raise UnknownName("drawing", digest, [])
        svg = as_svg(workbench.drawings[digest], theme)
        return Response(svg, media_type="image/svg+xml", headers=_FOR_EVER)

    return drawn


def _explain(request: Asked, error: CorefbenchError) -> Response[Any]:
    """An error as a page or as JSON: what is wrong, where, and what to do."""
    status = 404 if isinstance(error, UnknownName) else 422
    model = {"error": error.code, "message": str(error), "status": status}
    return _failed(request, model)


def _explain_http(request: Asked, error: HTTPException) -> Response[Any]:
    return _failed(request, {"error": "", "message": error.detail, "status": error.status_code})


def _failed(request: Asked, model: dict[str, Any]) -> Response[Any]:
    page = Page(
        template="failed.html",
        title="Not found" if model["status"] == 404 else "This did not work",
        model=model,
        status=model["status"],
    )
    return _json(page) if request.url.path.endswith(_JSON) else _html(page, request.url.path)
