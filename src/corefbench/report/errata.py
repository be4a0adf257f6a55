"""What is wrong in print, or not said there, as one table with the evidence."""

from collections.abc import Iterator, Sequence

from corefbench.experiments.base import Reproduction
from corefbench.report.table import Table

_NONE = "–"
_NAMED = 3
"""So many columns are named; more are counted."""


def errata_table(reproductions: Sequence[Reproduction]) -> Table:
    """A row an erratum; none where there are none."""
    return Table(
        caption="Errata, and what the papers do not say",
        headers=("Paper", "Place", "What", "Printed", "Should be", "Evidence"),
        rows=tuple(_rows(reproductions)),
    )


def _rows(reproductions: Sequence[Reproduction]) -> Iterator[tuple[str, ...]]:
    for one in reproductions:
        for erratum in one.errata:
            place = "Text" if erratum.table == "text" else f"Table {erratum.table}"
            what = ", ".join(filter(None, (erratum.row, _columns(erratum.columns))))
            printed = erratum.printed or _printed(one, erratum.table, erratum.row, erratum.columns)
            kind = "" if erratum.kind == "erratum" else f"({erratum.kind}) "
            correct = erratum.correct or _NONE
            yield one.paper.short, place, what, printed, correct, kind + erratum.evidence


def _columns(columns: tuple[str, ...]) -> str:
    return ", ".join(columns) if len(columns) <= _NAMED else f"{len(columns)} cells"


def _printed(one: Reproduction, table: str, row: str, columns: tuple[str, ...]) -> str:
    """What the paper has in the cells of an erratum."""
    found = {
        cell.column: cell.printed
        for rebuilt in one.tables
        if rebuilt.number == table
        for cell in rebuilt.cells
        if cell.row == row and cell.column in columns
    }
    return ", ".join(found.values()) if len(found) <= _NAMED else _NONE
