"""The server of a campaign: every row of the table of routes, behind the guard."""

import logging
from asyncio import get_running_loop
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Response
from litestar.exceptions import HTTPException
from sqlalchemy.exc import SQLAlchemyError

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.answers import error_answer, failure_answer
from corefbench.campaign.views.asked import Asked
from corefbench.campaign.views.failures import Failure
from corefbench.campaign.views.handlers import handler
from corefbench.campaign.views.routes import ROUTES
from corefbench.campaign.views.site import Allowed, Site, site_of
from corefbench.campaign.views.working import workers
from corefbench.errors import CorefbenchError
from corefbench.web.security import LOCAL, Guard

_THREADS = 24
_log = logging.getLogger("corefbench.campaign")


def make_app(
    platform: Platform,
    *,
    hosts: Iterable[str] = LOCAL,
    worker: int = 1,
    allowed: Allowed = Allowed(),
) -> Litestar:
    """The app over a campaign, answering to these names only; scoring with so many workers."""
    site = site_of(platform, allowed)
    made = Litestar(
        [handler(route, site) for route in ROUTES.values()],
        exception_handlers=_explained(site),
        lifespan=[_lifespan(platform, worker)],
        openapi_config=None,
        logging_config=None,
    )
    # Middleware would stand behind the router and not see what is not found.
    made.asgi_handler = Guard(made.asgi_handler, hosts, shared=True)
    return made


def _lifespan(platform: Platform, worker: int) -> Any:
    @asynccontextmanager
    async def lives(_: Litestar) -> AsyncIterator[None]:
        # Threads mostly wait for the disk or for their turn to write, not for the processor.
        get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "request"))
        async with workers(platform, worker):
            yield

    return lives


def _explained(site: Site) -> Any:
    """Errors as answers: ours with their code, the framework's, and those nobody meant."""

    def ours(request: Asked, error: CorefbenchError) -> Response[Any]:
        return error_answer(request, site, error)

    def http(request: Asked, error: HTTPException) -> Response[Any]:
        code = {404: "CB003", 413: "CB309"}.get(error.status_code, "CB345")
        if error.status_code >= 500:
            return unmeant(request, error)
        words = {404: "there is nothing at this address", 413: "this is too much at once"}
        message = words.get(error.status_code, error.detail or "the request is not understood")
        failure = Failure(error=code, message=message, status=error.status_code)
        return failure_answer(request, site, failure)

    def unmeant(request: Asked, error: Exception) -> Response[Any]:
        _log.error("request failed", exc_info=error, extra={"path": request.url.path})
        busy = isinstance(error, SQLAlchemyError)
        failure = Failure(
            error="CB001",
            message="the platform could not do this; nothing is lost",
            remedy="try again in a moment",
            status=503 if busy else 500,
        )
        return failure_answer(request, site, failure)

    return {CorefbenchError: ours, HTTPException: http, Exception: unmeant}
