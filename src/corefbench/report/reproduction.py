"""Reproduced tables: printed values, ours, verdicts, errata and chart."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from corefbench.papers.printed import Erratum
from corefbench.papers.reproduction import VERDICTS, Cell, RebuiltTable, Reproduction, Verdict
from corefbench.report.charts import PALETTE
from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.table import DASH, Table, make_table, tabulate
from corefbench.version import __version__

if TYPE_CHECKING:
    import altair

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
    return tabulate(
        "Errata, and what the papers do not say",
        [(reproduction, erratum) for reproduction in reproductions for erratum in reproduction.errata],
        {
            "Paper": lambda row: row[0].paper.short,
            "Place": lambda row: "Text" if row[1].table == "text" else f"Table {row[1].table}",
            "What": lambda row: ", ".join(filter(None, (row[1].row, _column_names(row[1].columns)))),
            "Printed": lambda row: row[1].printed or _printed_values(*row),
            "Should be": lambda row: row[1].correct or DASH,
            "Evidence": lambda row: ("" if row[1].kind == "erratum" else f"({row[1].kind}) ") + row[1].evidence,
        },
    )


def _column_names(columns: tuple[str, ...]) -> str:
    return ", ".join(columns) if len(columns) <= _MAX_NAMED else f"{len(columns)} cells"


def _printed_values(reproduction: Reproduction, erratum: Erratum) -> str:
    """Return what the paper prints in the cells of an erratum."""
    printed = {
        cell.column: cell.printed
        for rebuilt in reproduction.tables
        if rebuilt.number == erratum.table
        for cell in rebuilt.cells
        if cell.row == erratum.row and cell.column in erratum.columns
    }
    return ", ".join(printed.values()) if len(printed) <= _MAX_NAMED else DASH


def reproduction_to_dict(reproduction: Reproduction) -> dict[str, Any]:
    """Return a reproduction as a dictionary for JSON, unrounded."""
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
            rows.append([reproduction.paper.short, number, *(counts[v] or "" for v in used)])
    headers = ["Paper", "Table", *(verdict.capitalize() for verdict in used)]
    return make_table("Cells by verdict", headers, rows, [f"corefbench {__version__}"])


def _paper_tables(reproduction: Reproduction, *, brief: bool) -> Iterator[Table]:
    for rebuilt in reproduction.tables:
        if rebuilt.cells and not rebuilt.is_free:
            table = _comparison_table(reproduction, rebuilt, brief=brief)
            if table.rows:
                yield table
        elif not brief:
            yield _free_data_table(reproduction, rebuilt)


def _caption(reproduction: Reproduction, rebuilt: RebuiltTable, label: str = "") -> str:
    table = f"Table {rebuilt.number}" if rebuilt.number[:1].isdigit() else rebuilt.number
    place = f"{reproduction.paper.short}, {table}{label}: {rebuilt.title}"
    needs = f"needs {rebuilt.needs}" if rebuilt.needs else ""
    return "; ".join(filter(None, (place, rebuilt.how, needs)))


def _free_data_table(reproduction: Reproduction, rebuilt: RebuiltTable) -> Table:
    """Tabulate free data in the layout of the paper; they may be missing, too."""
    caption = _caption(reproduction, rebuilt, " on free data")
    if not rebuilt.cells:
        return make_table(caption, ["Row", "Verdict"], [["all", "needs data"]])
    columns = list(dict.fromkeys(cell.column for cell in rebuilt.cells))
    rows = []
    for name in dict.fromkeys(cell.row for cell in rebuilt.cells):
        cells = {cell.column: cell for cell in rebuilt.cells if cell.row == name}
        rows.append([name, *(format_cell(cells[column]) if column in cells else None for column in columns)])
    return make_table(caption, ["Row", *columns], rows, rebuilt.signatures)


def _comparison_table(reproduction: Reproduction, rebuilt: RebuiltTable, *, brief: bool) -> Table:
    cells = [c for c in rebuilt.cells if not brief or c.verdict in ("erratum", "differs")]
    if not any(cell.verdict == "needs data" for cell in cells):
        rebuilt = msgspec.structs.replace(rebuilt, needs="")
    headers = ["Row", "Column", "Printed", "Ours", "Difference", "Verdict"]
    return make_table(_caption(reproduction, rebuilt), headers, _comparison_rows(cells))


def _comparison_rows(cells: Iterable[Cell]) -> Iterator[tuple[str, ...]]:
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
    return DASH if cell.ours is None else f"{_round_half_up(cell.ours, cell.digits):,}"


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
