"""The OpenAPI document, made from the table of routes and the types of what answers them."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import getdoc, signature
from typing import Any

import msgspec

from corefbench.campaign.views.failures import Failure
from corefbench.campaign.views.records import Checked, Taken
from corefbench.campaign.views.routes import ROUTES, Route
from corefbench.errors import CODES
from corefbench.record import Record
from corefbench.version import __version__

_REFERENCE = "#/components/schemas/{name}"
_UPLOADS: dict[str, tuple[type, str, int]] = {
    "api-check": (Checked, "What corefbench check says of answers; nothing is submitted.", 200),
    "api-submit": (Taken, "Submit answers; the time that counts is that of the last byte.", 201),
}
_FILES = {
    "api-data": "The data of a download: for the team that took it, while the phase is open.",
    "api-openapi": "This document.",
}
_SAID = {
    "phase": "The name of a phase.",
    "task": "The name of a task.",
    "submission": "The number of a submission.",
    "download": "The number of a download.",
    "file_name": "What the file is called, where its bytes are sent bare.",
    "label": "A word of your own for the submission, at most 120 signs.",
    "request": "A number of your own, at most 64 signs: sent twice with it, taken once.",
    "check": "true: check the answers first, and submit them only if they can be read.",
}
_STATUSES = (
    (400, "The request cannot be understood"),
    (401, "A token is needed"),
    (403, "Not yours to see or do"),
    (404, "Not there, or not for you"),
    (409, "Refused by the rules: time, window, quota, state"),
    (413, "Too much at once"),
    (422, "What was sent cannot be taken"),
    (429, "Too many attempts"),
    (503, "The platform is busy; try again"),
)


class Operation(Record, frozen=True):
    """One thing that can be asked, as the readable page shows it."""

    route: Route
    summary: str
    status: int
    gives: Any
    """The type of the answer; None for a file."""
    takes: Any = None
    """The type of the body; None where there is none."""


def operations() -> Iterator[Operation]:
    """All that the interface can do, in the order of the table."""
    for route in ROUTES.values():
        if not route.speaks_json:
            continue
        if route.name in _UPLOADS:
            gives, summary, status = _UPLOADS[route.name]
            yield Operation(route=route, summary=summary, status=status, gives=gives)
        elif route.kind == "file":
            yield Operation(route=route, summary=_FILES[route.name], status=200, gives=None)
        else:
            yield _answered(route)


def _answered(route: Route) -> Operation:
    module = import_module(route.module)
    described = signature(module.answer, eval_str=True)
    body = described.parameters.get("body")
    return Operation(
        route=route,
        summary=getdoc(module) or "",
        status=getattr(module, "STATUS", 200),
        gives=described.return_annotation,
        takes=None if body is None else body.annotation,
    )


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    known = list(operations())
    types = [kind for one in known for kind in (one.gives, one.takes) if kind is not None]
    schemas, components = msgspec.json.schema_components([*types, Failure], ref_template=_REFERENCE)
    by_type = dict(zip([repr(kind) for kind in types], schemas, strict=False))
    paths: dict[str, dict[str, Any]] = {}
    for one in known:
        paths.setdefault(one.route.path, {})[one.route.method.lower()] = _described(one, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "corefbench campaign",
            "version": __version__,
            "description": "Times are UTC, scores fractions. Errors carry a code: "
            + "; ".join(f"{code} {title}" for code, title in CODES.items() if code >= "CB301"),
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(one: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    content = (
        {"application/octet-stream": {}}
        if one.route.name == "api-data"
        else {"application/json": {} if one.gives is None else {"schema": schemas[repr(one.gives)]}}
    )
    responses = {str(one.status): {"description": "Done", "content": content}}
    told = {"application/json": {"schema": {"$ref": _REFERENCE.format(name="Failure")}}}
    for status, title in _STATUSES:
        responses[str(status)] = {"description": title, "content": told}
    made: dict[str, Any] = {
        "operationId": one.route.name,
        "summary": one.summary,
        "parameters": list(_parameters(one.route)),
        "responses": responses,
    }
    if "visitor" not in one.route.roles:
        made["security"] = [{"token": []}]
    if one.route.kind == "upload":
        made["requestBody"] = _upload()
    elif one.takes is not None:
        schema = schemas[repr(one.takes)]
        made["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    return made


def _parameters(route: Route) -> Iterator[dict[str, Any]]:
    for name in (*route.parameters, *route.query):
        inside = name in route.parameters
        yield {
            "name": name,
            "in": "path" if inside else "query",
            "required": inside,
            "description": _SAID[name],
            "schema": {"type": "string", "minLength": 1} if inside else {"type": "string"},
        }


def _upload() -> dict[str, Any]:
    """A file, bare or in a form; plain, gzip or zip."""
    text = {"type": "string"}
    form = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "label": text,
            "request": text,
            "check": text,
            "file": {"type": "string", "format": "binary"},
        },
    }
    return {
        "required": True,
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            "multipart/form-data": {"schema": form},
        },
    }
