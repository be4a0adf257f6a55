"""From a row of the table to something the app can call."""

from asyncio import to_thread
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.response import File, Redirect

from corefbench.campaign.views.again import again, view_of
from corefbench.campaign.views.answers import json_answer, page_answer
from corefbench.campaign.views.asked import Asked, admitted, form_of, must_be_ours, query_of
from corefbench.campaign.views.entrance import ENTRANCES
from corefbench.campaign.views.failures import status_of
from corefbench.campaign.views.given import Given
from corefbench.campaign.views.meters import Timed
from corefbench.campaign.views.routes import Route
from corefbench.campaign.views.site import Site
from corefbench.campaign.views.uploads import take_upload
from corefbench.errors import CorefbenchError, UsageError
from corefbench.web.page import Page

_FORM = 256 << 10
"""Bytes of a form, or of JSON, at most."""

Handle = Callable[[Asked], Any]


def handler(route: Route, site: Site) -> HTTPRouteHandler:
    """What the app calls for a route."""
    make = {
        "page": _page,
        "form": _form,
        "file": _file,
        "api": _api,
        "entrance": _entrance,
        "upload": _upload,
    }[route.kind]
    inner = make(route, site)

    async def handle(request: Asked) -> Response[Any]:
        with Timed(route.name) as timed:
            try:
                answer: Response[Any] = await inner(request)
            except CorefbenchError as error:
                timed.status = status_of(error)
                raise
            timed.status = answer.status_code or 200
            return answer

    path = route.path.replace("}", ":str}")
    if route.method == "GET":
        return get(path, name=route.name)(handle)
    # An upload is measured by the store that it streams to.
    most = None if route.kind == "upload" else _FORM
    return post(path, name=route.name, status_code=200, request_max_body_size=most)(handle)


def _page(route: Route, site: Site) -> Handle:
    async def shown(request: Asked) -> Response[Any]:
        visitor = await admitted(request, route, site)
        page = await to_thread(view_of(route), site.platform, visitor, query_of(request))
        return await to_thread(page_answer, request, site, visitor, page)

    return shown


def _form(route: Route, site: Site) -> Handle:
    async def acted(request: Asked) -> Response[Any]:
        visitor = await admitted(request, route, site)
        form = await form_of(request, visitor)
        act = import_module(route.module).act
        try:
            made: str | Page = await to_thread(act, site.platform, visitor, form)
        except CorefbenchError as error:
            return await again(request, site, visitor, route, form, error)
        if isinstance(made, Page):
            return await to_thread(page_answer, request, site, visitor, made)
        return Redirect(made, status_code=303)

    return acted


def _file(route: Route, site: Site) -> Handle:
    async def given(request: Asked) -> Response[Any]:
        visitor = await admitted(request, route, site)
        give = import_module(route.module).give
        made: Given = await to_thread(give, site.platform, visitor, query_of(request))
        return handed(made)

    return given


def handed(given: Given) -> Response[Any]:
    """A file as an answer."""
    kept = "public, max-age=31536000, immutable" if given.kept else "no-store"
    headers = {"cache-control": kept}
    if given.name:
        headers["content-disposition"] = (
            f"attachment; filename*=UTF-8''{quote(given.name, safe='')}"
        )
    if isinstance(given.body, Path):
        return File(path=given.body, media_type=given.media_type, headers=headers)
    return Response(
        given.body, status_code=given.status, media_type=given.media_type, headers=headers
    )


def _api(route: Route, site: Site) -> Handle:
    module = import_module(route.module)
    takes = signature(module.answer, eval_str=True).parameters.get("body")

    async def answered(request: Asked) -> Response[Any]:
        visitor = await admitted(request, route, site)
        if route.method == "POST" and not visitor.by_token and visitor.role != "visitor":
            must_be_ours(request.headers.get("x-csrf-token", ""), visitor)
        further = () if takes is None else (_decoded(await request.body(), takes.annotation),)
        made = await to_thread(module.answer, site.platform, visitor, query_of(request), *further)
        return json_answer(made, getattr(module, "STATUS", 200))

    return answered


def _decoded(body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(
            "the JSON that was sent cannot be understood", code="CB345", found=str(error)[:300]
        ) from error


def _entrance(route: Route, site: Site) -> Handle:
    enter = ENTRANCES[route.name]

    async def entered(request: Asked) -> Response[Any]:
        visitor = await admitted(request, route, site)
        form = await form_of(request, visitor)
        try:
            return await to_thread(enter, site, visitor, form, request)
        except CorefbenchError as error:
            return await again(request, site, visitor, route, form, error)

    return entered


def _upload(route: Route, site: Site) -> Handle:
    async def uploaded(request: Asked) -> Response[Any]:
        visitor = await admitted(request, route, site)
        return await take_upload(request, site, visitor, route)

    return uploaded
