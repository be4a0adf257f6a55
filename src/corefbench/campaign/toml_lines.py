"""Where in a TOML file a value stands: the parser of Python does not tell."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Path: TypeAlias = Sequence[str | int]
"""Keys and numbers of entries, such as ``("phases", 1, "opens")``."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"' -]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w\"'.-]+)\s*=")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def line_of(text: str, path: Path) -> int:
    """The line, from 1, of a value, or else of the nearest table around it; 0 where there is none.

    >>> line_of('name = "a"\\n[[phases]]\\ntitle = "b"\\n[[phases]]\\n', ("phases", 1, "title"))
    4
    >>> line_of('name = "a"\\n[[phases]]\\ntitle = "b"\\n', ("phases", 0, "title"))
    3
    """
    best, found = 0, 0
    for number, here in _places(text):
        shared = _shared(here, path)
        if shared == len(here) and shared > best:
            best, found = shared, number
    return found


def path_of(said: str) -> tuple[str | int, ...]:
    """The path that a message of msgspec names, ``$.phases[1].opens``.

    >>> path_of("$.phases[1].opens")
    ('phases', 1, 'opens')
    """
    steps = _STEP.findall(said.removeprefix("$"))
    return tuple(int(number) if number else key for key, number in steps)


def _places(text: str) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """Every header and key with its path."""
    table: tuple[str | int, ...] = ()
    counts: dict[tuple[str | int, ...], int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            table = _table(header[1] == "[[", header[2], counts)
            yield number, table
        elif key := _KEY.match(line):
            yield number, (*table, *_keys(key[1]))


def _table(
    repeats: bool, name: str, counts: dict[tuple[str | int, ...], int]
) -> tuple[str | int, ...]:
    """The path of a header; entries of arrays of tables are counted."""
    path: tuple[str | int, ...] = ()
    keys = _keys(name)
    for place, key in enumerate(keys):
        path = (*path, key)
        if repeats and place == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _keys(name: str) -> list[str]:
    return [key.strip().strip("\"'") for key in name.split(".")]


def _shared(one: Path, other: Path) -> int:
    """How many first steps are the same."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
