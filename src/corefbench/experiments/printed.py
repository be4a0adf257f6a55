"""What a paper prints: its tables and errata, read from the data file beside this module."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from corefbench.errors import UnknownName
from corefbench.record import Record

NOTHING = "–"
"""A cell in which the paper has no value."""
_SCALE = {"K": 1e3, "M": 1e6}


class Value(Record, frozen=True):
    """A number with the place of its last printed digit."""

    text: str
    value: float
    unit: float

    @property
    def digits(self) -> int:
        """Decimals of the unit."""
        return max(0, len(f"{self.unit:.6f}".rstrip("0").partition(".")[2]))


def read_value(text: str, digits: int = 0) -> Value:
    """A printed number; ``digits`` are decimals that the table has even where a cell is whole.

    >>> read_value("66.7").unit, read_value("100", 1).unit, read_value("2.8K").unit
    (0.1, 0.1, 100.0)
    """
    bare = text.rstrip("KM")
    scale = _SCALE.get(text[len(bare) :], 1.0)
    decimals = max(len(bare.partition(".")[2]), digits)
    return Value(text=text, value=float(bare) * scale, unit=scale * round(10.0**-decimals, 6))


class Row(Record, frozen=True):
    """A row of a table, and what it was made from."""

    name: str
    values: Mapping[str, Value]
    given: Mapping[str, str] = {}

    def __getitem__(self, column: str) -> float:
        return self.values[column].value


class PrintedTable(Record, frozen=True):
    """A table as it is printed."""

    number: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    needs: str = ""
    """The data that rebuilding it takes."""

    def __getitem__(self, name: str) -> Row:
        for row in self.rows:
            if row.name == name:
                return row
        raise UnknownName("row", name, [row.name for row in self.rows])


class Erratum(Record, frozen=True):
    """A value, or a sentence, of a paper that cannot be right."""

    table: str
    """The table, or ``text``."""
    row: str
    evidence: str
    columns: tuple[str, ...] = ()
    printed: str = ""
    correct: str = ""
    kind: str = "erratum"
    """``finding`` where nothing is wrong but something is not said."""


class Printed(Record, frozen=True):
    """All that a recipe needs of its paper."""

    name: str
    tables: Mapping[str, PrintedTable]
    errata: tuple[Erratum, ...]
    example: Mapping[str, Any] = {}

    def __getitem__(self, number: str) -> PrintedTable:
        return self.tables[number]

    def erratum(self, table: str, row: str, column: str) -> Erratum | None:
        """The erratum of a cell, where there is one."""
        for erratum in self.errata:
            if (erratum.table, erratum.row) == (table, row) and column in erratum.columns:
                return erratum
        return None


@cache
def read_printed(name: str) -> Printed:
    """The data file of a paper."""
    file = files(__package__) / "data" / f"{name.replace('-', '_')}.toml"
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    tables = {table["number"]: _table(table) for table in raw["table"]}
    errata = msgspec.convert(raw.get("erratum", []), tuple[Erratum, ...])
    return Printed(name=raw["name"], tables=tables, errata=errata, example=raw.get("example", {}))


def _table(raw: dict[str, Any]) -> PrintedTable:
    columns, digits = tuple(raw["columns"]), raw.get("digits", 0)
    return PrintedTable(
        number=raw["number"],
        title=raw["title"],
        columns=columns,
        rows=tuple(_row(row, columns, digits) for row in raw["row"]),
        needs=raw.get("needs", ""),
    )


def _row(raw: dict[str, str], columns: tuple[str, ...], digits: int) -> Row:
    pairs = zip(columns, raw["cells"].split(), strict=True)
    return Row(
        name=raw["name"],
        values={column: read_value(text, digits) for column, text in pairs if text != NOTHING},
        given={key: value for key, value in raw.items() if key not in ("name", "cells")},
    )
