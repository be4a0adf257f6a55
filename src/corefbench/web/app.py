"""Application factory shared by the workbench and the campaign server."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from corefbench.web.errors import ErrorResponder, make_exception_handlers
from corefbench.web.security import SecurityMiddleware


def create_app(
    handlers: Sequence[HTTPRouteHandler],
    *,
    hosts: Iterable[str],
    respond_to_error: ErrorResponder,
    max_body_bytes: int,
    middleware: Sequence[Callable[[ASGIApp], ASGIApp]] = (),
    lifespan: Sequence[Any] = (),
    busy_errors: tuple[type[Exception], ...] = (),
    state: Mapping[str, Any] | None = None,
) -> SecurityMiddleware:
    """Build an ASGI application.

    Middleware is wrapped around the whole application, the first one outermost: Litestar's own
    middleware stands behind its router and would not see requests for unknown paths.
    """
    app: ASGIApp = Litestar(
        handlers,
        exception_handlers=make_exception_handlers(respond_to_error, busy_errors),
        request_max_body_size=max_body_bytes,
        lifespan=lifespan,
        state=State(dict(state or {})),
        openapi_config=None,
        logging_config=None,
    )
    for wrap in reversed(middleware):
        app = wrap(app)
    return SecurityMiddleware(app, hosts)
