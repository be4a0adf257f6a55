"""Reproduced tables: printed values, ours, verdicts, errata and chart."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from corefbench.papers.reproduction import VERDICTS, Cell, RebuiltTable, Reproduction, Verdict
from corefbench.report.charts import PALETTE
from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.table import Table
from corefbench.version import __version__

if TYPE_CHECKING:
    import altair

_DASH = "–"
_MAX_NAMED = 3
"""Largest number of columns that are named; more are counted."""
_DRAWN_VERDICTS: tuple[Verdict, ...] = ("same", "consistent", "erratum", "differs")
_SHAPES = ("circle", "diamond", "square", "cross")


def report_reproductions(
    reproductions: Sequence[Reproduction], format: ReportFormat = "table", *, brief: bool = False
) -> str:
    """Render all papers; ``brief`` omits reproduced cells and free data."""
    if format == "json":
        return render_json({"papers": list(map(reproduction_to_dict, reproductions))})
    tables = reproduction_tables(reproductions, brief=brief)
    if format == "html":  # a page has one list of signatures, under its first table
        notes = tuple(note for table in tables for note in table.notes)
        tables[0] = msgspec.structs.replace(tables[0], notes=notes)
    return render_tables(tables, format)


def reproduction_tables(reproductions: Sequence[Reproduction], *, brief: bool = False) -> list[Table]:
    """Return the summary, every table of every paper, and the errata."""
    errata = errata_table(reproductions)
    return [
        _summary_table(reproductions),
        *(t for reproduction in reproductions for t in _paper_tables(reproduction, brief=brief)),
        *([errata] if errata.rows else []),
    ]


def errata_table(reproductions: Sequence[Reproduction]) -> Table:
    """Tabulate errata with their evidence."""
    return Table(
        caption="Errata, and what the papers do not say",
        headers=("Paper", "Place", "What", "Printed", "Should be", "Evidence"),
        rows=tuple(_errata_rows(reproductions)),
    )


def _errata_rows(reproductions: Sequence[Reproduction]) -> Iterator[tuple[str, ...]]:
    for reproduction in reproductions:
        for erratum in reproduction.errata:
            place = "Text" if erratum.table == "text" else f"Table {erratum.table}"
            what = ", ".join(filter(None, (erratum.row, _column_names(erratum.columns))))
            printed = erratum.printed or _printed_values(reproduction, erratum.table, erratum.row, erratum.columns)
            kind = "" if erratum.kind == "erratum" else f"({erratum.kind}) "
            correct = erratum.correct or _DASH
            yield reproduction.paper.short, place, what, printed, correct, kind + erratum.evidence


def _column_names(columns: tuple[str, ...]) -> str:
    return ", ".join(columns) if len(columns) <= _MAX_NAMED else f"{len(columns)} cells"


def _printed_values(reproduction: Reproduction, table: str, row: str, columns: tuple[str, ...]) -> str:
    """Return what the paper prints in the cells of an erratum."""
    printed = {
        cell.column: cell.printed
        for rebuilt in reproduction.tables
        if rebuilt.number == table
        for cell in rebuilt.cells
        if cell.row == row and cell.column in columns
    }
    return ", ".join(printed.values()) if len(printed) <= _MAX_NAMED else _DASH


def reproduction_to_dict(reproduction: Reproduction) -> dict[str, Any]:
    """Return a reproduction in plain values, unrounded."""
    values: dict[str, Any] = msgspec.to_builtins(reproduction)
    for raw, table in zip(values["tables"], reproduction.tables, strict=True):
        raw["counts"] = dict(table.counts())
    return {**values, "counts": dict(reproduction.counts()), "holds": reproduction.holds}


def _summary_table(reproductions: Sequence[Reproduction]) -> Table:
    used = [v for v in VERDICTS if any(reproduction.counts()[v] for reproduction in reproductions)]
    rows = []
    for reproduction in reproductions:
        for number, tables in groupby(reproduction.tables, key=lambda table: table.number):
            counts = Reproduction(paper=reproduction.paper, tables=tuple(tables)).counts()
            rows.append((reproduction.paper.short, number, *(str(counts[v] or "") for v in used)))
    return Table(
        caption="Cells by verdict",
        headers=("Paper", "Table", *(verdict.capitalize() for verdict in used)),
        rows=tuple(rows),
        notes=(f"corefbench {__version__}",),
    )


def _paper_tables(reproduction: Reproduction, *, brief: bool) -> Iterator[Table]:
    for rebuilt in reproduction.tables:
        if not rebuilt.cells:
            if not brief:
                yield _missing_data_table(reproduction, rebuilt)
        elif rebuilt.is_free:
            if not brief:
                yield _free_data_table(reproduction, rebuilt)
        else:
            table = _comparison_table(reproduction, rebuilt, brief=brief)
            if table.rows:
                yield table


def _caption(reproduction: Reproduction, rebuilt: RebuiltTable, label: str = "") -> str:
    table = f"Table {rebuilt.number}" if rebuilt.number[:1].isdigit() else rebuilt.number
    place = f"{reproduction.paper.short}, {table}{label}: {rebuilt.title}"
    needs = f"needs {rebuilt.needs}" if rebuilt.needs else ""
    return "; ".join(filter(None, (place, rebuilt.how, needs)))


def _missing_data_table(reproduction: Reproduction, rebuilt: RebuiltTable) -> Table:
    """Return a table for an experiment on free data that is missing, too."""
    return Table(
        caption=_caption(reproduction, rebuilt, " on free data"),
        headers=("Row", "Verdict"),
        rows=(("all", "needs data"),),
    )


def _free_data_table(reproduction: Reproduction, rebuilt: RebuiltTable) -> Table:
    """Tabulate free data in the layout of the paper."""
    columns = list(dict.fromkeys(cell.column for cell in rebuilt.cells))
    rows = []
    for name in dict.fromkeys(cell.row for cell in rebuilt.cells):
        cells = {cell.column: cell for cell in rebuilt.cells if cell.row == name}
        rows.append((name, *(format_cell(cells[c]) if c in cells else _DASH for c in columns)))
    return Table(
        caption=_caption(reproduction, rebuilt, " on free data"),
        headers=("Row", *columns),
        rows=tuple(rows),
        notes=rebuilt.signatures,
    )


def _comparison_table(reproduction: Reproduction, rebuilt: RebuiltTable, *, brief: bool) -> Table:
    cells = [c for c in rebuilt.cells if not brief or c.verdict in ("erratum", "differs")]
    if not any(cell.verdict == "needs data" for cell in cells):
        rebuilt = msgspec.structs.replace(rebuilt, needs="")
    return Table(
        caption=_caption(reproduction, rebuilt),
        headers=("Row", "Column", "Printed", "Ours", "Difference", "Verdict"),
        rows=tuple(_rows(cells)),
    )


def _rows(cells: Iterable[Cell]) -> Iterator[tuple[str, ...]]:
    """Yield a row per cell; neighbouring cells that need data share one."""
    for (row, needs_data), group in groupby(cells, key=lambda cell: (cell.row, cell.verdict == "needs data")):
        neighbours = list(group)
        if not needs_data:
            for c in neighbours:
                yield row, c.column, c.printed, format_cell(c), _format_difference(c), c.verdict
            continue
        are_few = len(neighbours) <= _MAX_NAMED
        names = ", ".join(cell.column for cell in neighbours)
        columns = names if are_few else f"{len(neighbours)} columns"
        printed = ", ".join(cell.printed for cell in neighbours) if are_few else ""
        yield row, columns, printed, "", "", "needs data"


def format_cell(cell: Cell) -> str:
    """Format our value with the digits of the printed one.

    >>> format_cell(Cell(row="", column="", verdict="same", ours=66.6666, digits=1))
    '66.7'
    """
    return _DASH if cell.ours is None else f"{_round_half_up(cell.ours, cell.digits):,}"


def _round_half_up(value: float, digits: int) -> Decimal:
    # Not the float itself, which may be a little less than the 56.875 that was meant.
    return Decimal(f"{value:.9f}").quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def _format_difference(cell: Cell) -> str:
    """Format the difference of the rounded values, with a minus that is no formula."""
    if cell.ours is None or cell.difference is None:
        return ""
    printed = _round_half_up(cell.ours - cell.difference, cell.digits)
    difference = _round_half_up(cell.ours, cell.digits) - printed
    return f"{difference:+,}".replace("-", "−") if difference else "0"


def reproduction_chart(reproductions: Sequence[Reproduction]) -> "altair.LayerChart":
    """Draw a point for every score that has both values."""
    import altair

    rows = reproduction_points(reproductions)
    seen = {row["verdict"] for row in rows}
    used = [number for number, verdict in enumerate(_DRAWN_VERDICTS) if verdict in seen]
    names = [_DRAWN_VERDICTS[number] for number in used]
    colours = altair.Scale(domain=names, range=[PALETTE[number] for number in used])
    shapes = altair.Scale(domain=names, range=[_SHAPES[number] for number in used])
    axis = altair.Scale(domain=[0, 100])
    points = (
        altair.Chart(altair.InlineData(rows))
        .mark_point(filled=True, size=60, opacity=0.8)
        .encode(
            x=altair.X("printed:Q", title="Printed", scale=axis),
            y=altair.Y("ours:Q", title="Ours", scale=axis),
            color=altair.Color("verdict:N", title="Verdict", scale=colours),
            shape=altair.Shape("verdict:N", title="Verdict", scale=shapes),
            tooltip=["paper:N", "cell:N", "printed:Q", "ours:Q", "verdict:N"],
        )
    )
    ends = altair.InlineData([{"x": 0, "y": 0}, {"x": 100, "y": 100}])
    diagonal = altair.Chart(ends).mark_line(color="#999", strokeDash=[4, 4])
    papers = ", ".join(reproduction.paper.short for reproduction in reproductions)
    title = altair.TitleParams("Printed and ours", subtitle=papers, anchor="start")
    chart: altair.LayerChart = (diagonal.encode(x="x:Q", y="y:Q") + points).properties(
        width=380, height=380, title=title
    )
    return chart


def reproduction_points(reproductions: Sequence[Reproduction]) -> list[dict[str, Any]]:
    """Return the scores; those that differ come last, so that they are drawn on top."""
    rows: list[dict[str, Any]] = [
        {
            "paper": reproduction.paper.short,
            "cell": f"Table {table.number}, {cell.row}, {cell.column}",
            "printed": cell.ours - cell.difference,
            "ours": cell.ours,
            "verdict": cell.verdict,
        }
        for reproduction in reproductions
        for table in reproduction.tables
        for cell in table.cells
        if cell.ours is not None and cell.difference is not None
    ]
    # Counts of words and mentions have another scale.
    scores = [row for row in rows if max(row["printed"], row["ours"]) <= 100]
    return sorted(scores, key=lambda row: _DRAWN_VERDICTS.index(row["verdict"]))
