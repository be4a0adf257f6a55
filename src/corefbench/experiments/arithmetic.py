"""Tables whose data is not public: what follows from the printed cells themselves is computed."""

from corefbench.experiments.base import Cell, Rebuilt
from corefbench.experiments.printed import Printed, PrintedTable, Row
from corefbench.experiments.verdict import Bounds, cell, f1_of

F_IS_HARMONIC = ("IM", "MUC", "B³", "CEAF", "CEAFm", "CEAFe", "LEA", "")
"""Measures whose F1 is the harmonic mean of R and P; BLANC's is not."""


def f1_table(printed: Printed, number: str, how: str = "F1 from the printed R and P") -> Rebuilt:
    """A table whose F1 is computed from its R and P; the other cells need data."""
    table = printed[number]
    return Rebuilt(
        number=number,
        title=table.title,
        how=how,
        cells=tuple(c for row in table.rows for c in f1_cells(printed, table, row)),
        needs=table.needs,
    )


def f1_cells(printed: Printed, table: PrintedTable, row: Row) -> list[Cell]:
    """The cells of one row."""
    made = []
    for column in row.values:
        ours, bounds = _computed(row, column)
        made.append(cell(printed, table, row, column, ours, bounds=bounds))
    return made


def _computed(row: Row, column: str) -> tuple[float | None, Bounds | None]:
    measure, _, part = column.rpartition(" ")
    if column.startswith("CoNLL"):
        return conll_of(row)
    if part not in ("F1", "F") or measure not in F_IS_HARMONIC:
        return None, None
    prefix = f"{measure} " if measure else ""
    return f1_of(row.values[f"{prefix}R"], row.values[f"{prefix}P"])


def conll_of(row: Row) -> tuple[float, Bounds]:
    """The mean of the printed F1 of MUC, B³ and CEAFe, and what their rounding allows."""
    parts = [row.values[f"{name} F1"] for name in ("MUC", "B³", "CEAFe")]
    mean = sum(part.value for part in parts) / len(parts)
    half = sum(part.unit for part in parts) / len(parts) / 2
    return mean, (mean - half, mean + half)
