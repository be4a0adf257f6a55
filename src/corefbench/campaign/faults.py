"""A fault of a definition, and the first kind of them: fields that no record has."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, get_args, get_origin

import msgspec

from corefbench.findings import Severity
from corefbench.record import Record


class Fault(Record, frozen=True):
    """What is wrong with a definition, and where in it."""

    path: tuple[str | int, ...]
    message: str
    found: str = ""
    expected: str = ""
    remedy: str = ""
    code: str = "CB308"
    severity: Severity = "error"


def unknown_fields(raw: Any, kind: Any, path: tuple[str | int, ...] = ()) -> Iterator[Fault]:
    """Fields that no record has."""
    if get_origin(kind) is tuple and isinstance(raw, list):
        for place, one in enumerate(raw):
            yield from unknown_fields(one, get_args(kind)[0], (*path, place))
    elif isinstance(kind, type) and issubclass(kind, Record) and isinstance(raw, dict):
        known = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        for name, value in raw.items():
            if name in known:
                yield from unknown_fields(value, known[name], (*path, name))
            else:
                near = get_close_matches(name, known, n=1)
                yield Fault(
                    path=(*path, name),
                    message="there is no such field",
                    found=name,
                    expected=", ".join(known),
                    remedy=f"did you mean {near[0]}?" if near else "",
                )
