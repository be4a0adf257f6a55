"""The sentences of ECB+ that are annotated in full: Topic, File, Sentence Number."""

import csv
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from corefbench.errors import FormatError, Place
from corefbench.findings import Finding
from corefbench.formats.base import Reading
from corefbench.formats.source import Source, unreadable

Curated: TypeAlias = Mapping[str, frozenset[int]]
"""The numbers of the curated sentences of each document."""

FILE = "ECBplus_coreference_sentences.csv"
_ABOVE = 3
"""Topic folder, the folder of topics, and the folder that the release unpacks to."""


def curated_sentences(source: Source, given: str | Path | None) -> Curated | None:
    """The list that is given, or found beside or above the file; None where there is none."""
    path = Path(given) if given is not None else _near(source)
    if path is None:
        return None
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise unreadable(str(path), error) from error


def _near(source: Source) -> Path | None:
    if source.path is None:
        return None
    for folder in list(source.path.absolute().parents)[:_ABOVE]:
        if (folder / FILE).is_file():
            return folder / FILE
    return None


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> Curated:
    """The list, read once for all the files of a corpus, unless it changed."""
    sentences: dict[str, set[int]] = {}
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        for row in rows:
            cells = [cell.strip() for cell in row]  # the release has "14 "
            if not any(cells):
                continue
            if len(cells) < 3 or not (cells[2].isascii() and cells[2].isdigit()):
                raise _broken(path, rows.line_num, row)
            sentences.setdefault(f"{cells[0]}_{cells[1]}", set()).add(int(cells[2]))
    if not sentences:
        raise _broken(path, 1, [])
    return {name: frozenset(numbers) for name, numbers in sentences.items()}


def _broken(path: Path, line: int, row: list[str]) -> FormatError:
    return FormatError(
        "the list of curated sentences is broken",
        code="CB134",
        place=Place(source=str(path), line=line),
        found=",".join(row)[:60] or "no sentences",
        expected="Topic,File,Sentence Number",
        remedy="restore the file of the release, or read with curated=False",
    )


def report_missing(source: Source, reading: Reading) -> None:
    """Say that all sentences are read, since counts and scores depend on it."""
    reading.strictness.report(
        Finding(
            code="CB134",
            severity="warning",
            message="no list of curated sentences was found: all sentences are read",
            place=Place(source=source.name),
            remedy=f"put {FILE} beside or above the files, or read with curated=False",
        )
    )
