"""Reproductions as tables: the printed value, ours, the difference, the verdict, and the errata."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import Any

import msgspec

from corefbench.experiments.base import VERDICTS, Cell, Rebuilt, Reproduction
from corefbench.report import ReportFormat, render_tables
from corefbench.report.errata import errata_table
from corefbench.report.table import Table
from corefbench.version import __version__

_NONE = "–"
_NAMED = 3
"""So many columns without a value of ours are named; more are counted."""


def report_reproductions(
    reproductions: Sequence[Reproduction], format: ReportFormat = "table", *, brief: bool = False
) -> str:
    """All papers as text; ``brief`` leaves out the cells that came out and the free data."""
    if format == "json":
        made = {"papers": [as_object(one) for one in reproductions]}
        return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()
    tables = reproduction_tables(reproductions, brief=brief)
    if format == "html":  # a page has one list of signatures, under its first table
        notes = tuple(note for table in tables for note in table.notes)
        tables[0] = msgspec.structs.replace(tables[0], notes=notes)
    return render_tables(tables, format)


def as_object(reproduction: Reproduction) -> dict[str, Any]:
    """A reproduction in plain values, unrounded."""
    made: dict[str, Any] = msgspec.to_builtins(reproduction)
    for raw, table in zip(made["tables"], reproduction.tables, strict=True):
        raw["counts"] = dict(table.counts())
    return {**made, "counts": dict(reproduction.counts()), "holds": reproduction.holds}


def reproduction_tables(
    reproductions: Sequence[Reproduction], *, brief: bool = False
) -> list[Table]:
    """The summary, then every table of every paper, then what is wrong in print."""
    errata = errata_table(reproductions)
    return [
        _summary(reproductions),
        *(t for one in reproductions for t in _tables(one, brief=brief)),
        *([errata] if errata.rows else []),
    ]


def _summary(reproductions: Sequence[Reproduction]) -> Table:
    used = [v for v in VERDICTS if any(one.counts()[v] for one in reproductions)]
    rows = []
    for one in reproductions:
        for number, some in groupby(one.tables, key=lambda table: table.number):
            counts = Reproduction(paper=one.paper, tables=tuple(some)).counts()
            rows.append((one.paper.short, number, *(str(counts[v] or "") for v in used)))
    return Table(
        caption="Cells by verdict",
        headers=("Paper", "Table", *(verdict.capitalize() for verdict in used)),
        rows=tuple(rows),
        notes=(f"corefbench {__version__}",),
    )


def _tables(reproduction: Reproduction, *, brief: bool) -> Iterator[Table]:
    for rebuilt in reproduction.tables:
        if not rebuilt.cells:
            if not brief:
                yield _absent(reproduction, rebuilt)
        elif rebuilt.is_free:
            if not brief:
                yield _pivot(reproduction, rebuilt)
        else:
            table = _compared(reproduction, rebuilt, brief=brief)
            if table.rows:
                yield table


def _caption(reproduction: Reproduction, rebuilt: Rebuilt, label: str = "") -> str:
    table = f"Table {rebuilt.number}" if rebuilt.number[:1].isdigit() else rebuilt.number
    place = f"{reproduction.paper.short}, {table}{label}: {rebuilt.title}"
    needs = f"needs {rebuilt.needs}" if rebuilt.needs else ""
    return "; ".join(filter(None, (place, rebuilt.how, needs)))


def _absent(reproduction: Reproduction, rebuilt: Rebuilt) -> Table:
    """An experiment on free data that is not here either."""
    return Table(
        caption=_caption(reproduction, rebuilt, " on free data"),
        headers=("Row", "Verdict"),
        rows=(("all", "needs data"),),
    )


def _pivot(reproduction: Reproduction, rebuilt: Rebuilt) -> Table:
    """Free data in the layout of the paper."""
    columns = list(dict.fromkeys(cell.column for cell in rebuilt.cells))
    rows = []
    for name in dict.fromkeys(cell.row for cell in rebuilt.cells):
        of = {cell.column: cell for cell in rebuilt.cells if cell.row == name}
        rows.append((name, *(shown(of[c]) if c in of else _NONE for c in columns)))
    return Table(
        caption=_caption(reproduction, rebuilt, " on free data"),
        headers=("Row", *columns),
        rows=tuple(rows),
        notes=rebuilt.signatures,
    )


def _compared(reproduction: Reproduction, rebuilt: Rebuilt, *, brief: bool) -> Table:
    cells = [c for c in rebuilt.cells if not brief or c.verdict in ("erratum", "differs")]
    missing = any(cell.verdict == "needs data" for cell in cells)
    shown_of = rebuilt if missing else msgspec.structs.replace(rebuilt, needs="")
    return Table(
        caption=_caption(reproduction, shown_of),
        headers=("Row", "Column", "Printed", "Ours", "Difference", "Verdict"),
        rows=tuple(_rows(cells)),
    )


def _rows(cells: Iterable[Cell]) -> Iterator[tuple[str, ...]]:
    """A line a cell; cells of a row that need data share one."""
    for (row, missing), some in groupby(cells, key=lambda c: (c.row, c.verdict == "needs data")):
        run = list(some)
        if not missing:
            for c in run:
                yield row, c.column, c.printed, shown(c), _difference(c), c.verdict
            continue
        few = len(run) <= _NAMED
        columns = ", ".join(c.column for c in run) if few else f"{len(run)} columns"
        printed = ", ".join(c.printed for c in run) if few else ""
        yield row, columns, printed, "", "", "needs data"


def shown(cell: Cell) -> str:
    """Our value with the digits of the printed one.

    >>> shown(Cell(row="", column="", verdict="same", ours=66.6666, digits=1))
    '66.7'
    """
    return _NONE if cell.ours is None else f"{_rounded(cell.ours, cell.digits):,}"


def _rounded(value: float, digits: int) -> Decimal:
    # Not of the float itself: 56.875 may be a little less than that.
    return Decimal(f"{value:.9f}").quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def _difference(cell: Cell) -> str:
    """Of the values as they are shown, with a true minus, which spreadsheets leave alone."""
    if cell.ours is None or cell.difference is None:
        return ""
    printed = _rounded(cell.ours - cell.difference, cell.digits)
    made = _rounded(cell.ours, cell.digits) - printed
    return f"{made:+,}".replace("-", "−") if made else "0"
