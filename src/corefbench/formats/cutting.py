"""Where a large file can be cut: before a document, found without reading all of the file.

Formats that mark where a document begins, at the beginning of a line, can be cut there: the CoNLL
family, CorefUD, JSON lines. A place is looked for every so many bytes; in another file with the
same documents the same ones are looked for, by name, about where they should be.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from corefbench.record import Record

# The sign first and then the beginning of the line: a sign is found seventeen times as fast.
_HEADER = re.compile(rb"#(?<=^#)[ \t]*begin[ \t]+document[ \t]*(?P<name>[^\r\n]*)", re.MULTILINE)
MARKS = {
    "conll": _HEADER,
    "semeval": _HEADER,
    "corefud": re.compile(rb"#(?<=^#) newdoc(?P<name>[^\r\n]*)", re.MULTILINE),
    "jsonlines": re.compile(
        rb'^\{(?:[^\n]*?"doc_key"[ \t]*:[ \t]*"(?P<name>[^"\n]*)")?', re.MULTILINE
    ),
    "preco": re.compile(rb'^\{(?:[^\n]*?"id"[ \t]*:[ \t]*"(?P<name>[^"\n]*)")?', re.MULTILINE),
}
"""What the first line of a document looks like, by format, and which part of it is its name."""

_BLOCK = 1 << 16
_REACH = 1 << 24
"""How far from where it should be a document is looked for."""


class Beginning(Record, frozen=True):
    """Where a document begins, in bytes, and what it is called; None where that is not said."""

    place: int
    name: bytes | None


def can_be_cut(path: Path, format: str) -> bool:
    """Whether documents have marks and the bytes of the file are those of the text."""
    return format in MARKS and is_plain(path)


def is_plain(path: Path) -> bool:
    """Whether there is a file with something in it that is not packed."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(2) not in (b"", b"\x1f\x8b")


def cut(path: Path, format: str, size: int) -> list[Beginning]:
    """The documents to cut before, so that pieces have at least so many bytes.

    Never before the first: what stands before it goes with it.
    """
    with open(path, "rb") as file:
        first = next(_beginnings(file, format, 0), None)
        if first is None:
            return []
        found, place = [], max(size, first.place + 1)
        while (one := next(_beginnings(file, format, place), None)) is not None:
            found.append(one)
            place = one.place + size
        return found


def cut_alike(
    path: Path, format: str, other: Path, beginnings: Sequence[Beginning]
) -> list[Beginning] | None:
    """The documents of the same names as those of another file; None where one is not found."""
    times = path.stat().st_size / max(other.stat().st_size, 1)
    found, before, last = [], 0, 0
    with open(path, "rb") as file:
        for one in beginnings:
            guess = last + round((one.place - before) * times)
            same = _near(file, format, one.name, guess, after=last)
            if same is None:
                return None
            found.append(same)
            before, last = one.place, same.place
    return found


def _near(
    file: BinaryIO, format: str, name: bytes | None, guess: int, *, after: int
) -> Beginning | None:
    """The document of that name, looked for ever farther from where it should be."""
    reach = _BLOCK
    while name is not None and reach <= _REACH:
        for one in _beginnings(file, format, max(guess - reach, after + 1)):
            if one.name == name:
                return one
            if one.place > guess + reach:
                break
        reach *= 4
    return None


def _beginnings(file: BinaryIO, format: str, place: int) -> Iterator[Beginning]:
    """The documents that begin there or later."""
    for start, lines in blocks(file, place):
        for match in MARKS[format].finditer(lines):
            yield Beginning(place=start + match.start(), name=match["name"])


def blocks(file: BinaryIO, place: int = 0, size: int = _BLOCK) -> Iterator[tuple[int, bytes]]:
    """Whole lines, about so many bytes together, from the first that begins there or later."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    at = file.tell()
    while lines := file.read(size) + file.readline():
        yield at, lines
        at += len(lines)
