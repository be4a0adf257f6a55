"""The tables and errata of a paper as printed, read from data files."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from corefbench.errors import UnknownName
from corefbench.records import Record

NO_VALUE = "–"
"""A cell in which the paper has no value."""
_SCALE = {"K": 1e3, "M": 1e6}


class PrintedValue(Record, frozen=True):
    """A printed number and the unit of its last digit."""

    text: str
    value: float
    unit: float

    @property
    def digits(self) -> int:
        """Decimals of the unit."""
        return max(0, len(f"{self.unit:.6f}".rstrip("0").partition(".")[2]))


def read_value(text: str, digits: int = 0) -> PrintedValue:
    """Parse a printed number; ``digits`` is the number of decimals of the table.

    >>> read_value("66.7").unit, read_value("100", 1).unit, read_value("2.8K").unit
    (0.1, 0.1, 100.0)
    """
    bare = text.rstrip("KM")
    scale = _SCALE.get(text[len(bare) :], 1.0)
    # A whole number such as 100 has the precision of its table.
    decimals = max(len(bare.partition(".")[2]), digits)
    return PrintedValue(text=text, value=float(bare) * scale, unit=scale * round(10.0**-decimals, 6))


class PrintedRow(Record, frozen=True):
    """A row of a table, and further fields of the data file."""

    name: str
    values: Mapping[str, PrintedValue]
    given: Mapping[str, str] = {}

    def __getitem__(self, column: str) -> float:
        return self.values[column].value


class Erratum(Record, frozen=True):
    """A value or sentence of a paper that cannot be correct."""

    table: str
    """The table, or ``text``."""
    row: str
    evidence: str
    columns: tuple[str, ...] = ()
    printed: str = ""
    correct: str = ""
    kind: str = "erratum"
    """``finding`` if nothing is wrong but something is not stated."""


class PrintedTable(Record, frozen=True):
    """A table as it is printed."""

    number: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[PrintedRow, ...]
    needs: str = ""
    """The data required to rebuild it."""
    errata: tuple[Erratum, ...] = ()

    def __getitem__(self, name: str) -> PrintedRow:
        for row in self.rows:
            if row.name == name:
                return row
        raise UnknownName("row", name, [row.name for row in self.rows])

    def erratum(self, row: str, column: str) -> Erratum | None:
        """Return the erratum of a cell, if there is one."""
        return next((e for e in self.errata if e.row == row and column in e.columns), None)


class PrintedPaper(Record, frozen=True):
    """The tables, errata and examples of a paper."""

    name: str
    tables: Mapping[str, PrintedTable]
    errata: tuple[Erratum, ...]
    example: Mapping[str, Any] = {}

    def __getitem__(self, number: str) -> PrintedTable:
        return self.tables[number]


@cache
def read_printed(name: str) -> PrintedPaper:
    """Read the data file of a paper."""
    file = files(__package__) / "data" / f"{name.replace('-', '_')}.toml"
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    errata = msgspec.convert(raw.get("erratum", []), tuple[Erratum, ...])
    tables = {table["number"]: _read_table(table, errata) for table in raw["table"]}
    return PrintedPaper(name=raw["name"], tables=tables, errata=errata, example=raw.get("example", {}))


def _read_table(raw: dict[str, Any], errata: tuple[Erratum, ...]) -> PrintedTable:
    columns, digits = tuple(raw["columns"]), raw.get("digits", 0)
    return PrintedTable(
        number=raw["number"],
        title=raw["title"],
        columns=columns,
        rows=tuple(_read_row(row, columns, digits) for row in raw["row"]),
        needs=raw.get("needs", ""),
        errata=tuple(erratum for erratum in errata if erratum.table == raw["number"]),
    )


def _read_row(raw: dict[str, str], columns: tuple[str, ...], digits: int) -> PrintedRow:
    pairs = zip(columns, raw["cells"].split(), strict=True)
    return PrintedRow(
        name=raw["name"],
        values={column: read_value(text, digits) for column, text in pairs if text != NO_VALUE},
        given={key: value for key, value in raw.items() if key not in ("name", "cells")},
    )
