"""Formats that keep documents as rows, any of which can be read without those before it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from corefbench.formats import make
from corefbench.formats.base import Format, Reading
from corefbench.formats.cutting import is_plain
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus


@runtime_checkable
class RowFormat(Format, Protocol):
    """A format whose documents are rows."""

    def beginnings(self, path: Path) -> tuple[int, ...]:
        """About where, in bytes, each document begins."""
        ...

    def read_rows(
        self, source: Source, reading: Reading, first: int, last: int
    ) -> Iterator[Corpus]:
        """The documents from ``first`` to before ``last``."""
        ...


def has_rows(path: Path, format: str) -> bool:
    """Whether the documents of the file are rows that can be read by themselves."""
    return isinstance(make(format), RowFormat) and is_plain(path)


def beginnings(path: Path, format: str) -> tuple[int, ...]:
    """About where, in bytes, each document of such a file begins."""
    form = make(format)
    return form.beginnings(path) if isinstance(form, RowFormat) else ()


def starts(places: tuple[int, ...], size: int) -> list[int]:
    """The rows that shards of at least so many bytes begin with.

    >>> starts((0, 40, 90, 130, 170), 80)
    [0, 2, 4]
    """
    chosen, last = [0], 0
    for number, place in enumerate(places):
        if place - last >= size:
            chosen.append(number)
            last = place
    return chosen
