"""A definition as TOML, as ``campaign.toml`` has it: what is as usual is left out."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from corefbench.campaign.domain.definition import Campaign, Data, Phase, Task
from corefbench.record import Record

_TABLES = {"tasks", "phases", "data"}


def to_toml(campaign: Campaign) -> str:
    """The text of ``campaign.toml``; ``read_campaign`` reads the same campaign from it."""
    lines = list(_fields(campaign))
    for task in campaign.tasks:
        lines += ["", "[[tasks]]", *_fields(task)]
    for phase in campaign.phases:
        lines += ["", "[[phases]]", *_fields(phase)]
        for data in phase.data:
            lines += ["", "  [[phases.data]]", *(f"  {line}" for line in _fields(data))]
    return "\n".join(lines) + "\n"


def _fields(record: Campaign | Task | Phase | Data) -> Iterator[str]:
    for field in msgspec.structs.fields(record):
        value = getattr(record, field.name)
        if field.name in _TABLES or value == _usual(field):
            continue
        yield f"{field.name} = {_value(value)}"


def _usual(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _value(value: object) -> str:
    """A value as TOML writes it.

    >>> _value("a"), _value(True), _value({"day": 3}), _value(48.0)
    ('"a"', 'true', '{ day = 3 }', '48.0')
    """
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Record():
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            return _inline({name: one for name, one in fields.items() if one})
        case dict():
            return _inline(value)
        case _:
            return str(value)


def _inline(values: dict[str, object]) -> str:
    inside = ", ".join(
        f"{json.dumps(k) if '.' in k else k} = {_value(v)}" for k, v in values.items()
    )
    return f"{{ {inside} }}" if inside else "{}"


def _name(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() else json.dumps(name)
