"""The run file: one comparison with all its decisions, so that it can be shown again."""

import os
from collections import Counter
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec

from corefbench.bench.result import Bench
from corefbench.errors import FormatError, Place
from corefbench.record import Record

SCHEMA = 1


class _Header(msgspec.Struct, frozen=True):
    """What every version of the file holds."""

    schema: int


class RunFile(Record, frozen=True):
    """What the file holds."""

    schema: int
    kind: str
    bench: Bench


def save(bench: Bench, path: Path) -> None:
    """Write a run file; it is there whole or not at all."""
    content = msgspec.json.encode(RunFile(schema=SCHEMA, kind="bench", bench=bench))
    path.parent.mkdir(parents=True, exist_ok=True)
    partly = path.with_name(path.name + ".partly")
    partly.write_bytes(content)
    os.replace(partly, path)


def open_run(path: Path) -> Bench:
    """Read a run file that this version understands."""
    try:
        content = path.read_bytes()
        schema = msgspec.json.decode(content, type=_Header).schema
        if schema == SCHEMA:
            return msgspec.json.decode(content, type=RunFile, dec_hook=_counter).bench
    except (msgspec.DecodeError, OSError) as error:
        raise FormatError(
            "this is not a run file",
            place=Place(source=str(path)),
            found=str(error),
            remedy="write one with `corefbench bench CORPUS --run FILE`",
        ) from error
    raise FormatError(
        "the run file is of another version",
        place=Place(source=str(path)),
        found=f"schema {schema}",
        expected=f"schema {SCHEMA}",
        remedy="run the comparison again",
    )


def _counter(kind: Any, value: Any) -> Any:
    """JSON has objects with strings as keys where we count words or numbers."""
    if get_origin(kind) is not Counter:
        raise NotImplementedError
    key = get_args(kind)[0]
    return Counter({key(name): count for name, count in value.items()})
