"""HTTP status codes of errors, and the exception handlers of an application."""

import errno
import logging
from collections.abc import Callable
from typing import Any, TypeAlias

from litestar import Response
from litestar.exceptions import HTTPException, ValidationException

from corefbench.errors import CorefbenchError, UnknownName, UsageError
from corefbench.web.responses import AnyRequest

ErrorResponder: TypeAlias = Callable[[AnyRequest, CorefbenchError, int], Response[Any]]
"""Renders an error with its status code as a page or as JSON."""

_log = logging.getLogger("corefbench.web")
_CODES_BY_STATUS = {
    400: ("CB345",),
    403: ("CB301", "CB312", "CB342", "CB344"),
    404: ("CB003",),
    409: ("CB302", "CB303", "CB304", "CB305", "CB306", "CB307", "CB317", "CB318"),
    413: ("CB309",),
    429: ("CB343",),
    500: ("CB311",),
    503: ("CB314", "CB320"),
}
_STATUS_CODES = {code: status for status, codes in _CODES_BY_STATUS.items() for code in codes}


class AuthenticationRequired(UsageError):
    """The visitor has to sign in first."""

    default_code = "CB341"


class PermissionDenied(UsageError):
    """The visitor is known and may not do this."""

    default_code = "CB312"


class NotFound(UsageError):
    """Nothing is there, or nothing that this visitor may know of."""

    default_code = "CB003"


def status_code(error: CorefbenchError) -> int:
    """Return the HTTP status code of an error."""
    if isinstance(error, AuthenticationRequired):
        return 401
    if isinstance(error, UnknownName | NotFound):
        return 404
    if isinstance(error, PermissionDenied):
        return 403
    return _STATUS_CODES.get(error.code, 422)


def make_exception_handlers(respond: ErrorResponder, busy_errors: tuple[type[Exception], ...] = ()) -> Any:
    """Return Litestar's table of exception handlers; every error becomes a coded one.

    ``busy_errors`` are those after which the same request may work a moment later.
    """

    def handle_error(request: AnyRequest, error: CorefbenchError) -> Response[Any]:
        status = status_code(error)
        if is_disk_full(error):
            return handle_crash(request, error)
        if status >= 500:
            _log_failure(request, error)
        return respond(request, error, status)

    def handle_http_error(request: AnyRequest, error: HTTPException) -> Response[Any]:
        if error.status_code >= 500:
            return handle_crash(request, error)
        return respond(request, _from_http_error(error), error.status_code)

    def handle_crash(request: AnyRequest, error: Exception) -> Response[Any]:
        _log_failure(request, error)
        if is_disk_full(error):
            full = UsageError(
                "the disk of the server is full; nothing was stored",
                code="CB320",
                remedy="try again later; whoever runs the server has to make room",
            )
            return respond(request, full, status_code(full))
        crash = CorefbenchError(
            "the server could not do this; nothing is lost", code="CB001", remedy="try again in a moment"
        )
        return respond(request, crash, 503 if isinstance(error, busy_errors) else 500)

    return {CorefbenchError: handle_error, HTTPException: handle_http_error, Exception: handle_crash}


def _log_failure(request: AnyRequest, error: Exception) -> None:
    _log.error("request failed", exc_info=error, extra={"path": request.url.path})


def is_disk_full(error: BaseException | None) -> bool:
    """Whether an error, or one that it was raised from, says that no space is left.

    SQLite has no error number of its own in the exception, only this text.
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if "database or disk is full" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _from_http_error(error: HTTPException) -> CorefbenchError:
    if error.status_code == 404:
        return NotFound("there is nothing at this address")
    if error.status_code == 413:
        return UsageError("the request is too large", code="CB309")
    if isinstance(error, ValidationException):
        details = "; ".join(str(item) for item in error.extra or ())
        return UsageError("the request cannot be understood", code="CB345", found=details[:300])
    return UsageError(error.detail or "the request cannot be understood", code="CB345")
