"""Barbu & Mitkov 2001, *Evaluation Tool for Rule-based Anaphora Resolution Methods*.

The annotated files were not published. Table 1 is rebuilt from whole numbers of correct answers,
its totals and those of Table 2 from the rows above them; the paper rounds some values and cuts
others. Both tables are made again on the bundled corpus.
"""

from collections.abc import Sequence

from corefbench.experiments.base import Cell, Paper, Rebuilt, Recipe, Setting
from corefbench.experiments.bundled_pronouns import (
    METHODS,
    TOTAL,
    pronoun_table,
    success_table,
)
from corefbench.experiments.printed import Printed, PrintedTable, Row
from corefbench.experiments.verdict import cell, exactly, free

_MEANS = ("Distance in sentences", "Distance in NPs", "Antecedents")


def table_1(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Success rate: correct ÷ anaphoric pronouns. Precision: correct ÷ all pronouns."""
    table = printed["1"]
    cells = [
        cell(printed, table, row, column, ours, bounds=exactly(ours), cut=True)
        for row in table.rows
        for column in table.columns
        for ours in (_share(table, row, column),)
    ]
    how = "whole numbers of correct answers, rounded or cut as the paper does; sums"
    rebuilt = Rebuilt(number="1", title=table.title, how=how, cells=tuple(cells), needs=table.needs)
    return [rebuilt, _howtos(table, setting, ("Words", "Pronouns")), success_table()]


def _share(table: PrintedTable, row: Row, column: str) -> float | None:
    """A percentage from whole numbers, a total from the rows; the counts of a file need data."""
    kind, _, method = column.partition(" ")
    if not method:
        return _sum(table, column) if row.name == TOTAL else None
    right = dict(zip(METHODS, map(int, row.given["correct"].split()), strict=True))
    return 100 * right[method] / row["Anaphoric" if kind == "Success" else "Pronouns"]


def _sum(table: PrintedTable, column: str) -> float:
    return sum(row[column] for row in table.rows if row.name != TOTAL)


def table_2(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Pronouns: rows and columns add up; the means of Total are plain means of the files."""
    table = printed["2"]
    cells = [
        cell(printed, table, row, column, ours, bounds=exactly(ours))
        for row in table.rows
        for column in table.columns
        for ours in (_statistic(table, row, column),)
    ]
    how = "sums of rows and columns; the means of Total are unweighted"
    rebuilt = Rebuilt(number="2", title=table.title, how=how, cells=tuple(cells), needs=table.needs)
    kinds = ("Personal", "Possessive", "Reflexive")
    return [rebuilt, _howtos(table, setting, kinds), pronoun_table()]


def _statistic(table: PrintedTable, row: Row, column: str) -> float | None:
    if row.name == TOTAL:
        files = len(table.rows) - 1
        return _sum(table, column) / (files if column in _MEANS else 1)
    if column == "Pronouns":
        return sum(row[kind] for kind in ("Personal", "Possessive", "Reflexive"))
    return None


def _howtos(table: PrintedTable, setting: Setting, columns: Sequence[str]) -> Rebuilt:
    """The files that are free, counted, beside what the paper has."""
    from corefbench.experiments.howto import FILES, size_of

    cells = list[Cell]()
    for name, file in FILES.items():
        path = setting.path(f"howto/{file}")
        if path is None:
            continue
        size = size_of(path)
        counts = {kind.capitalize(): number for kind, number in size.kinds.items()}
        counts |= {"Words": size.words, "Pronouns": size.kinds.total()}
        for column in columns:
            cells.append(free(name, f"{column}, printed", table[name][column], 0))
            cells.append(free(name, f"{column}, here", counts.get(column, 0), 0))
    how = "versions of 1997 to 1999 without code and contents; the paper's versions are not known"
    needs = "" if cells else "the three HOWTOs (free) as the folder howto of the data"
    title = "the files that are free"
    return Rebuilt(number=table.number, title=title, how=how, cells=tuple(cells), needs=needs)


RECIPE = Recipe(
    paper=Paper(number="003", name="barbu-mitkov-2001", cite="barbu2001"),
    tables={"1": table_1, "2": table_2},
)
