"""Encode and decode the bench results of a run file."""

from collections import Counter
from typing import Any, get_args, get_origin

import msgspec
from msgspec.structs import replace

from corefbench.bench.run import Bench
from corefbench.records import Record
from corefbench.runs.archive import BENCH
from corefbench.runs.schema import decode_entry


class _Schema1File(Record, frozen=True):
    """The contents of a file of schema 1: a bench, and no documents."""

    schema: int
    kind: str
    bench: Bench


def encode_bench(bench: Bench) -> bytes:
    """Encode a bench without texts, chains and reasons, which are stored with the documents."""
    bare = tuple(replace(performance, clusters=(), reasons=()) for performance in bench.performances)
    return msgspec.json.encode(replace(bench, texts=(), performances=bare))


def decode_bench(content: bytes, source: str) -> Bench:
    """Decode a bench; raise if it does not fit its schema."""
    return decode_entry(content, Bench, source, BENCH, _decode_counter)


def decode_schema_1(content: bytes) -> Bench:
    """Return the bench of a file of schema 1."""
    return msgspec.json.decode(content, type=_Schema1File, dec_hook=_decode_counter).bench


def _decode_counter(kind: Any, value: Any) -> Any:
    """Decode counters, whose keys are strings in JSON."""
    if get_origin(kind) is not Counter:
        raise NotImplementedError
    key = get_args(kind)[0]
    return Counter({key(name): count for name, count in value.items()})
