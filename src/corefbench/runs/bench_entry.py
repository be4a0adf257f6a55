"""Encode and decode the bench results of a run file, and open files of schema 1."""

from collections import Counter
from typing import Any, get_args, get_origin

import msgspec
from msgspec.structs import replace

from corefbench.bench.run import Bench
from corefbench.errors import FormatError, Place
from corefbench.records import Record
from corefbench.runs.archive import BENCH, MemoryEntries
from corefbench.runs.run_file import Run
from corefbench.runs.schema import Header, Timing

SCHEMA_1 = 1


class _Schema1File(Record, frozen=True):
    """The contents of a file of schema 1."""

    schema: int
    kind: str
    bench: Bench


def encode_bench(bench: Bench) -> bytes:
    """Encode a bench without texts, chains and reasons, which are stored with the documents."""
    bare = tuple(replace(performance, clusters=(), reasons=()) for performance in bench.performances)
    return msgspec.json.encode(replace(bench, texts=(), performances=bare))


def decode_bench(content: bytes, source: str) -> Bench:
    """Decode a bench."""
    try:
        return msgspec.json.decode(content, type=Bench, dec_hook=_decode_counter)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            "the run file is damaged",
            code="CB246",
            place=Place(source=source),
            found=f"{BENCH}: {error}",
            remedy="make the run again",
        ) from error


def open_schema_1(content: bytes) -> Run:
    """Open a run of schema 1, which has the bench but no documents."""
    bench = msgspec.json.decode(content, type=_Schema1File, dec_hook=_decode_counter).bench
    header = Header(
        schema=SCHEMA_1,
        kind="bench",
        version=bench.version,
        created="",
        command=(),
        inputs=(),
        documents=(),
        results=(),
        timing=Timing(),
    )
    return Run(header, MemoryEntries({BENCH: msgspec.json.encode(bench)}))


def _decode_counter(kind: Any, value: Any) -> Any:
    """Decode counters, whose keys are strings in JSON."""
    if get_origin(kind) is not Counter:
        raise NotImplementedError
    key = get_args(kind)[0]
    return Counter({key(name): count for name, count in value.items()})
