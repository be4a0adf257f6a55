"""OpenAPI document of the JSON API and its page.

Litestar makes the document from handlers. Those of the application serve every kind of route, so
handlers with the types of the views stand in for them here.
"""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Litestar, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.spec import (
    Components,
    OpenAPIMediaType,
    OpenAPIType,
    Operation,
    RequestBody,
    Schema,
    SecurityScheme,
)
from litestar.openapi.spec.enums import OpenAPIFormat
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import File

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.routes import ROUTES, Route
from corefbench.campaign.views.schemas import CheckResult, ErrorBody, SubmissionAccepted
from corefbench.errors import CODES
from corefbench.version import __version__
from corefbench.web.pages import Page, Query
from corefbench.web.responses import FileContent

_UPLOADS: dict[str, tuple[type, str]] = {
    "api-check": (CheckResult, "Check answers as corefbench check does; nothing is submitted."),
    "api-submit": (SubmissionAccepted, "Submit answers; the time that counts is that of the last byte."),
}
_FILES = {
    "api-data": "The data of a download, for the team that created it, while the phase is open.",
    "api-openapi": "This document.",
}
_PARAMETERS = {
    "phase": "The name of a phase.",
    "task": "The name of a task.",
    "submission": "The number of a submission.",
    "download": "The number of a download.",
    "file_name": "The name of the file, if its bytes are sent without a form.",
    "label": "A label for the submission, at most 120 characters.",
    "request": "A number of your own, at most 64 characters; a request that is repeated with it is accepted only once.",
    "check": "true: check the answers first, and submit them only if they can be read.",
}
_ERROR_STATUSES = {
    400: "The request cannot be understood",
    401: "A token is needed",
    403: "Not permitted",
    404: "It does not exist, or not for you",
    409: "Refused by the rules: time, window, quota, state",
    413: "The request is too large",
    422: "The content cannot be accepted",
    429: "Too many attempts",
    503: "The server is busy; try again",
}


@dataclass
class _UploadOperation(Operation):
    """An operation that takes a file, bare or in a form; plain, gzip or zip."""

    def __post_init__(self) -> None:
        text = Schema(type=OpenAPIType.STRING)
        binary = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        form = Schema(
            type=OpenAPIType.OBJECT,
            required=["file"],
            properties={"label": text, "request": text, "check": text, "file": binary},
        )
        self.request_body = RequestBody(
            required=True,
            content={
                "application/octet-stream": OpenAPIMediaType(schema=binary),
                "multipart/form-data": OpenAPIMediaType(schema=form),
            },
        )


@cache
def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document."""
    codes = "; ".join(f"{code} {title}" for code, title in CODES.items() if code >= "CB301")
    app = Litestar(
        [_documented_handler(route) for route in _api_routes()],
        openapi_config=OpenAPIConfig(
            title="corefbench campaign",
            version=__version__,
            description=f"Times are UTC, scores are fractions. Errors have a code: {codes}",
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
        ),
    )
    return app.openapi_schema.to_schema()


def openapi_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return the OpenAPI document as JSON."""
    body = msgspec.json.encode(openapi_document())
    return FileContent(body=body, media_type="application/json")


def api_docs_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show all operations and schemas."""
    schemas = openapi_document()["components"]["schemas"]
    model = {
        "operations": list(map(_operation_row, _api_routes())),
        "records": {
            name: {field: _describe_type(kind) for field, kind in schema.get("properties", {}).items()}
            for name, schema in sorted(schemas.items())
        },
    }
    return Page(template="api_docs.html", title="JSON interface", model=model)


def _api_routes() -> Iterator[Route]:
    return (route for route in ROUTES.values() if route.is_api)


def _documented_handler(route: Route) -> HTTPRouteHandler:
    """Return a handler with the parameters, body and response of a route."""
    parameters = [
        _parameter(name, Annotated[str, PathParameter(description=_PARAMETERS[name], min_length=1)])
        for name in route.parameters
    ]
    parameters += [
        # Renamed: Litestar reserves some names of arguments, such as ``request``.
        _parameter(
            f"query_{name}", Annotated[str, QueryParameter(name=name, description=_PARAMETERS[name])], default=""
        )
        for name in route.query
    ]
    body, result, summary = _describe(route)
    if body is not None:
        marker: Any = JSONBody
        parameters.append(_parameter("data", marker[body]))

    async def handle(**_: Any) -> None:
        """Stand in for the handler of the application."""

    generic: Any = Response
    is_file = route.name == "api-data"
    returned = File if is_file else generic[result or dict[str, Any]]
    handle.__signature__ = inspect.Signature(parameters, return_annotation=returned)  # type: ignore[attr-defined]
    handle.__annotations__ = {**{parameter.name: parameter.annotation for parameter in parameters}, "return": returned}
    decorate: Any = get if route.method == "GET" else post
    handler: HTTPRouteHandler = decorate(
        route.litestar_path,
        operation_id=route.name,
        operation_class=_UploadOperation if route.kind == "upload" else Operation,
        summary=summary,
        status_code=route.status,
        media_type="application/octet-stream" if is_file else "application/json",
        security=None if "visitor" in route.roles else [{"token": []}],
        responses={
            status: ResponseSpec(ErrorBody, description=description, generate_examples=False)
            for status, description in _ERROR_STATUSES.items()
        },
    )(handle)
    return handler


def _parameter(name: str, annotation: Any, **options: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, **options)


def _describe(route: Route) -> tuple[Any, Any, str]:
    """Return the types of body and response, None for none and for a file, and a summary."""
    if route.kind == "upload":
        return None, *_UPLOADS[route.name]
    if route.kind == "file":
        return None, None, _FILES[route.name]
    view = ROUTES.load_view(route.name)
    described = inspect.signature(view, eval_str=True)
    body = described.parameters.get("body")
    summary = (inspect.getdoc(view) or "").partition("\n")[0]
    return None if body is None else body.annotation, described.return_annotation, summary


def _operation_row(route: Route) -> dict[str, Any]:
    """Return an operation as the page shows it."""
    body, result, summary = _describe(route)
    upload = "the file: its bytes, or a form with a field file"
    return {
        "method": route.method,
        "path": route.path,
        "summary": summary,
        "roles": [] if "visitor" in route.roles else sorted(route.roles),
        "query": route.query,
        "body": upload if route.kind == "upload" else _type_name(body),
        "result": "a file" if result is None else _type_name(result),
        "status": route.status,
        "anchor": route.name,
    }


def _type_name(kind: Any) -> str:
    if kind is None:
        return ""
    inner = getattr(kind, "__args__", None)
    return f"list of {inner[0].__name__}" if inner else str(kind.__name__)


def _describe_type(schema: dict[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        return " or ".join(map(_describe_type, alternatives))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {_describe_type(schema.get('items') or {})}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{_describe_type(schema['additionalProperties'])} by name"
    return str(schema.get("format", kind))
