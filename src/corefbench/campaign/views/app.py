"""Application factory of the campaign server."""

from asyncio import get_running_loop, to_thread
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from inspect import signature
from typing import Any

import msgspec
from litestar import Litestar, Response, get, post
from litestar.handlers import HTTPRouteHandler
from sqlalchemy.exc import SQLAlchemyError

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.auth import Visitor, authorize
from corefbench.campaign.views.health import RequestTimer
from corefbench.campaign.views.responses import error_response, page_response, redisplay_form
from corefbench.campaign.views.routes import ROUTES, Route
from corefbench.campaign.views.state import Limits, get_state, make_state
from corefbench.errors import CorefbenchError, UsageError
from corefbench.web import app as web
from corefbench.web.errors import status_code
from corefbench.web.forms import CSRF_FIELD, CSRF_HEADER, check_csrf, check_values, read_form, read_query
from corefbench.web.pages import Page
from corefbench.web.responses import AnyRequest, file_response, json_response, redirect
from corefbench.web.security import LOOPBACK_HOSTS, SecurityMiddleware

_MAX_FORM_BYTES = 256 << 10
"""Bytes of a form, or of JSON."""
_THREADS = 24
"""They mostly wait for the disk or for their turn to write, not for the processor."""


def create_app(
    platform: Platform, *, hosts: Iterable[str] = LOOPBACK_HOSTS, worker: int = 1, limits: Limits = Limits()
) -> SecurityMiddleware:
    """Build the application of a campaign; ``worker`` threads score submissions."""

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        from corefbench.campaign.jobs.worker import start_background

        # The default has too few threads on a machine of two cores.
        get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "request"))
        stop_background = start_background(platform, worker)
        try:
            yield
        finally:
            await to_thread(stop_background)

    return web.create_app(
        [make_handler(route) for route in ROUTES.values()],
        hosts=hosts,
        respond_to_error=error_response,
        max_body_bytes=_MAX_FORM_BYTES,
        lifespan=[lifespan],
        busy_errors=(SQLAlchemyError,),
        state={"server": make_state(platform, limits)},
    )


def make_handler(route: Route) -> HTTPRouteHandler:
    """Return the handler of a route: authorize, call the view, build the response, measure."""
    respond = _RESPONDERS[route.kind]

    async def handle(request: AnyRequest) -> Response[Any]:
        with RequestTimer(route.name) as timer:
            try:
                visitor = await authorize(request, route)
                response = await respond(request, visitor, route)
            except CorefbenchError as error:
                timer.status = status_code(error)
                raise
            timer.status = response.status_code or 200
            return response

    if route.method == "GET":
        return get(route.litestar_path, name=route.name)(handle)
    # The store that an upload streams to limits its size.
    max_bytes = None if route.kind == "upload" else _MAX_FORM_BYTES
    options: Any = {"status_code": 200, "request_max_body_size": max_bytes}
    return post(route.litestar_path, name=route.name, **options)(handle)


async def _respond_page(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    page = await _call_view(request, visitor, route)
    return await to_thread(page_response, request, visitor, page)


async def _respond_file(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    return file_response(await _call_view(request, visitor, route))


async def _respond_api(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    if route.method == "POST" and not visitor.by_token and visitor.role != "visitor":
        check_csrf(request.headers.get(CSRF_HEADER, ""), visitor.csrf)
    body = signature(ROUTES.load_view(route.name), eval_str=True).parameters.get("body")
    arguments = () if body is None else (_decode_json(await request.body(), body.annotation),)
    return json_response(await _call_view(request, visitor, route, *arguments), route.status)


async def _respond_form(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    form = await _read_form(request, visitor)
    platform = get_state(request).platform
    try:
        result = await to_thread(ROUTES.load_view(route.name), platform, visitor, form)
    except CorefbenchError as error:
        return await redisplay_form(request, visitor, route, form, error)
    if isinstance(result, Page):
        return await to_thread(page_response, request, visitor, result)
    return redirect(result)


async def _respond_account(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    form = await _read_form(request, visitor)
    try:
        response: Response[Any] = await to_thread(ROUTES.load_view(route.name), request, visitor, form)
    except CorefbenchError as error:
        return await redisplay_form(request, visitor, route, form, error)
    return response


async def _respond_upload(request: AnyRequest, visitor: Visitor, route: Route) -> Response[Any]:
    response: Response[Any] = await ROUTES.load_view(route.name)(request, visitor, route)
    return response


_RESPONDERS: dict[str, Callable[[AnyRequest, Visitor, Route], Awaitable[Response[Any]]]] = {
    "page": _respond_page,
    "file": _respond_file,
    "api": _respond_api,
    "form": _respond_form,
    "account": _respond_account,
    "upload": _respond_upload,
}


async def _call_view(request: AnyRequest, visitor: Visitor, route: Route, *arguments: Any) -> Any:
    query = read_query(request)
    check_values(query.items())
    platform = get_state(request).platform
    return await to_thread(ROUTES.load_view(route.name), platform, visitor, query, *arguments)


async def _read_form(request: AnyRequest, visitor: Visitor) -> dict[str, str]:
    """Return the fields of a form with the parameters of its path; check its CSRF token."""
    form = await read_form(request)
    fields = {name: values[-1] for name, values in form.fields.items()}
    check_csrf(fields.pop(CSRF_FIELD, ""), visitor.csrf)
    check_values(fields.items())
    return fields


def _decode_json(body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError("the JSON that was sent cannot be understood", code="CB345", found=str(error)[:300]) from error
