"""The JSON interface, to read: what can be asked, with what, and what comes back."""

from typing import Any

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.openapi import Operation, document, operations
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Described(Record, frozen=True):
    """One thing that can be asked."""

    method: str
    path: str
    summary: str
    roles: tuple[str, ...]
    query: tuple[str, ...]
    takes: str
    gives: str
    status: int
    anchor: str


class Field(Record, frozen=True):
    """One field of a record."""

    name: str
    kind: str


class Interface(Record, frozen=True):
    """What the page says."""

    operations: tuple[Described, ...]
    records: dict[str, tuple[Field, ...]]


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """All of it."""
    schemas = document()["components"]["schemas"]
    model = Interface(
        operations=tuple(_described(one) for one in operations()),
        records={name: tuple(_fields(schema)) for name, schema in sorted(schemas.items())},
    )
    return Page(template="interface.html", title="JSON interface", model=model)


def _described(one: Operation) -> Described:
    upload = "the file: its bytes, or a form with a field file"
    return Described(
        method=one.route.method,
        path=one.route.path,
        summary=one.summary,
        roles=() if "visitor" in one.route.roles else tuple(sorted(one.route.roles)),
        query=one.route.query,
        takes=upload if one.route.kind == "upload" else _name(one.takes),
        gives="a file" if one.gives is None else _name(one.gives),
        status=one.status,
        anchor=one.route.name,
    )


def _name(kind: Any) -> str:
    if kind is None:
        return ""
    inner = getattr(kind, "__args__", None)
    return f"list of {inner[0].__name__}" if inner else str(kind.__name__)


def _fields(schema: dict[str, Any]) -> list[Field]:
    return [
        Field(name=name, kind=_kind(kind)) for name, kind in schema.get("properties", {}).items()
    ]


def _kind(schema: dict[str, Any]) -> str:
    """The type of a field, in words."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema.get('items') or {})}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{_kind(schema['additionalProperties'])} by name"
    return str(schema.get("format", kind))
