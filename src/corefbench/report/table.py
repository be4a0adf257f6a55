"""Tables of text cells, and how values are written into them."""

from collections.abc import Callable, Iterable, Mapping
from math import floor
from operator import attrgetter
from typing import Any, TypeAlias

from corefbench.records import Record
from corefbench.scoring.profiles.profile import Rounding

Cell: TypeAlias = str | int | float | None
"""A text, a count, a fraction (shown in per cent), or None for what is not known."""
Column: TypeAlias = str | Callable[[Any], Cell]
"""How to read a cell from the item of a row: the path of an attribute, or a function."""

DASH = "–"
"""Stands for what is not known."""
_NAME_HEADERS = ("Measure", "Response", "Document")
"""Headers of columns that hold names even if all are digits, as those of documents often are."""


class Table(Record, frozen=True):
    """Rows under headers, with a caption and notes below."""

    caption: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def text_columns(self) -> set[int]:
        """Return the columns that hold names rather than numbers."""
        return {
            number
            for number, header in enumerate(self.headers)
            if header in _NAME_HEADERS or not all(map(_is_numeric, (row[number] for row in self.rows)))
        }

    def word_columns(self) -> set[int]:
        """Return the text columns with words; signs, intervals and percentages align as numbers."""
        return {number for number in self.text_columns() if self._is_prose(number)}

    def _is_prose(self, number: int) -> bool:
        cells = [row[number] for row in self.rows if row[number]]
        return sum(cell[0].isalpha() for cell in cells) * 2 > len(cells)


def make_table(
    caption: str, headers: Iterable[str], rows: Iterable[Iterable[Cell]], notes: Iterable[str] = ()
) -> Table:
    """Return a table of formatted cells.

    >>> make_table("c", ["Name", "Count", "F1", "p"], [["a", 1200, 0.5, None]]).rows
    (('a', '1200', '50.00', '–'),)
    """
    cells = tuple(tuple(map(format_cell, row)) for row in rows)
    return Table(caption=caption, headers=tuple(headers), rows=cells, notes=tuple(notes))


def tabulate(caption: str, items: Iterable[object], columns: Mapping[str, Column], notes: Iterable[str] = ()) -> Table:
    """Return a table with one row per item, declared by its columns.

    >>> tabulate("c", [1 + 2j], {"Real": "real", "Size": lambda number: f"{abs(number):.1f}"}).rows
    (('100.00', '2.2'),)
    """
    readers = [attrgetter(column) if isinstance(column, str) else column for column in columns.values()]
    return make_table(caption, columns, ([read(item) for read in readers] for item in items), notes)


def format_cell(value: Cell) -> str:
    """Format the value of a cell."""
    if isinstance(value, float):
        return percent(value)
    return DASH if value is None else str(value)


def _is_numeric(cell: str) -> bool:
    """Whether a cell is a number or empty."""
    return not cell or cell.replace(".", "", 1).isdigit()


def percent(fraction: float, rounding: Rounding = "half-up") -> str:
    """Format a fraction as a percentage with two decimals.

    ``truncate`` is what the reference scorer does: 0.8 that was computed as 0.7999… is 79.99.

    >>> percent(0.66666), percent(0.66666, "truncate"), percent(0.12345)
    ('66.67', '66.66', '12.35')
    """
    if rounding == "truncate":
        return f"{int(fraction * 10000) / 100:.2f}"
    # Rounding first hides errors of the last bit: 0.00015 * 10000 is 1.4999999999999998.
    return f"{floor(round(fraction * 10000, 6) + 0.5) / 100:.2f}"


def count_noun(number: int, noun: str) -> str:
    """Write a count with its noun: ``1 document``, ``1,200 documents``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
