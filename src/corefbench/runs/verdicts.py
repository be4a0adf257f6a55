"""The verdicts of a comparison of resolvers as JSON, and schema 1, which had no more."""

from collections import Counter
from typing import Any, get_args, get_origin

import msgspec
from msgspec.structs import replace

from corefbench.bench.result import Bench
from corefbench.errors import FormatError, Place
from corefbench.record import Record
from corefbench.runs.archive import BENCH, InMemory
from corefbench.runs.run import Run
from corefbench.runs.schema import Header, Timing

FIRST_SCHEMA = 1


class FirstRunFile(Record, frozen=True):
    """What a file of schema 1 held."""

    schema: int
    kind: str
    bench: Bench


def encode_bench(bench: Bench) -> bytes:
    """The comparison without its texts, chains and reasons, which the documents hold."""
    bare = tuple(replace(one, clusters=(), reasons=()) for one in bench.performances)
    return msgspec.json.encode(replace(bench, texts=(), performances=bare))


def decode_bench(content: bytes, source: str) -> Bench:
    """The comparison."""
    try:
        return msgspec.json.decode(content, type=Bench, dec_hook=_counter)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            "the run file is damaged",
            code="CB246",
            place=Place(source=source),
            found=f"{BENCH}: {error}",
            remedy="make the run again",
        ) from error


def open_first(content: bytes) -> Run:
    """A run of schema 1: the comparison, and nothing to read or score again."""
    bench = msgspec.json.decode(content, type=FirstRunFile, dec_hook=_counter).bench
    header = Header(
        schema=FIRST_SCHEMA,
        kind="bench",
        version=bench.version,
        created="",
        command=(),
        inputs=(),
        documents=(),
        results=(),
        timing=Timing(),
    )
    return Run(header, InMemory({BENCH: msgspec.json.encode(bench)}))


def _counter(kind: Any, value: Any) -> Any:
    """JSON has objects with strings as keys where we count words or numbers."""
    if get_origin(kind) is not Counter:
        raise NotImplementedError
    key = get_args(kind)[0]
    return Counter({key(name): count for name, count in value.items()})
