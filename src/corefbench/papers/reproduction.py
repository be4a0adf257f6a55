"""Rebuilt tables: cells with the printed value, ours and a verdict."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import floor
from pathlib import Path
from typing import Literal, TypeAlias

from corefbench.citations import BIBLIOGRAPHY
from corefbench.corpus.corpus import Corpus
from corefbench.papers.printed import Erratum, PrintedPaper, PrintedRow, PrintedTable, PrintedValue, read_value
from corefbench.records import Record
from corefbench.scoring.measures.tally import harmonic
from corefbench.scoring.result import Result

Verdict: TypeAlias = Literal["same", "consistent", "erratum", "differs", "needs data", "free data"]
VERDICTS: Mapping[Verdict, str] = {
    "same": "ours, from the data or the example, rounds to the printed value",
    "consistent": "it follows from other printed values, as far as their digits say",
    "erratum": "the printed value is a slip; the evidence is listed",
    "differs": "ours is another value, and nothing explains it",
    "needs data": "the data or the system outputs are not public, or not here",
    "free data": "the same experiment on data that is free; the paper prints no such value",
}
_EPSILON = 1e-9
Bounds = tuple[float, float]
HARMONIC_MEASURES = ("IM", "MUC", "B³", "CEAF", "CEAFm", "CEAFe", "LEA", "")
"""Measures whose F1 is the harmonic mean of R and P; BLANC's is not."""
MEASURE_NAMES: Mapping[str, str] = {
    "IM": "mentions",
    "MUC": "muc",
    "B³": "b_cubed",
    "CEAF": "ceaf_m",
    "CEAFm": "ceaf_m",
    "CEAFe": "ceaf_e",
    "BLANC": "blanc",
    "LEA": "lea",
}
"""What the papers call a measure, and what it is called here."""
_SCORE_PARTS = {"R": "recall", "P": "precision", "F1": "f1"}
Span = tuple[int, int]
Chains = list[list[Span]]


class Paper(Record, frozen=True):
    """A paper and its names."""

    number: str
    name: str
    cite: str
    without_numbers: str = ""
    """The tables without numbers, and what they show instead."""

    @property
    def short(self) -> str:
        """Author and year."""
        return BIBLIOGRAPHY[self.cite].short


class Cell(Record, frozen=True):
    """One value of a table."""

    row: str
    column: str
    verdict: Verdict
    printed: str = ""
    """The value as printed; empty if there is none."""
    ours: float | None = None
    difference: float | None = None
    """Our value minus the printed one."""
    digits: int = 2
    """Decimals to show our value with."""


class RebuiltTable(Record, frozen=True):
    """A rebuilt table, or one view of it."""

    number: str
    title: str
    how: str
    """How it was rebuilt."""
    cells: tuple[Cell, ...]
    needs: str = ""
    """The data required by the cells that need data."""
    signatures: tuple[str, ...] = ()
    """Signatures of the numbers on free data."""

    def counts(self) -> Counter[Verdict]:
        """Count the cells by verdict."""
        return Counter(cell.verdict for cell in self.cells)

    @property
    def is_free(self) -> bool:
        """Whether it is an experiment on free data, without a printed counterpart."""
        return all(cell.verdict == "free data" for cell in self.cells) and bool(self.cells)


class Reproduction(Record, frozen=True):
    """The rebuilt tables of a paper."""

    paper: Paper
    tables: tuple[RebuiltTable, ...]
    errata: tuple[Erratum, ...] = ()

    def counts(self) -> Counter[Verdict]:
        """Count the cells of all tables by verdict."""
        return sum((table.counts() for table in self.tables), Counter[Verdict]())

    @property
    def holds(self) -> bool:
        """Whether every rebuilt cell agrees with the paper or is a known erratum."""
        return not self.counts()["differs"]


class DataFolder(Record, frozen=True):
    """The folder of the corpora, which may be missing."""

    folder: str | Path | None = None

    def corpus(self, name: str) -> Corpus | None:
        """Return a corpus of the catalogue, or None if it is missing."""
        folder = self.path("")
        return None if folder is None else _load_corpus(folder, name)

    def path(self, name: str) -> Path | None:
        """Return a file or folder of the data, or None if it is missing."""
        from corefbench.datasets.load import data_folder
        from corefbench.errors import DataError

        try:
            path = data_folder(self.folder) / name
        except DataError:
            return None
        return path if path.exists() else None


@lru_cache(maxsize=8)
def _load_corpus(folder: Path, name: str) -> Corpus | None:
    """Load a corpus of the catalogue; cached, because several tables use it."""
    from corefbench.datasets.load import is_available, load_dataset

    return load_dataset(name, root=folder) if is_available(name, root=folder) else None


Rebuild: TypeAlias = Callable[[PrintedPaper, DataFolder], Sequence[RebuiltTable]]


class Recipe(Record, frozen=True):
    """How the tables of a paper are rebuilt."""

    paper: Paper
    tables: Mapping[str, Rebuild]


def compare_values(value: PrintedValue, ours: float, *, bounds: Bounds | None = None, cut: bool = False) -> Verdict:
    """Compare our value with the printed one: ``same``, ``consistent`` or ``differs``.

    The rounding of the paper is the only tolerance. ``bounds`` are those that the digits of other
    printed cells allow, if ours is computed from them; ``cut`` is for papers that sometimes
    truncate instead of rounding.

    >>> compare_values(read_value("66.7"), 200 / 3), compare_values(read_value("66.6"), 200 / 3)
    ('same', 'differs')
    >>> compare_values(read_value("66.6"), 200 / 3, cut=True)
    'same'
    >>> compare_values(read_value("73.9"), 73.85 - 0.01, bounds=(73.8, 73.9))
    'consistent'
    """
    steps, printed = ours / value.unit, round(value.value / value.unit)
    # Papers round half up, Python to even; the epsilon absorbs binary fractions such as 66.65.
    if floor(steps + 0.5 + _EPSILON) == printed or (cut and floor(steps + _EPSILON) == printed):
        return "same" if bounds is None else "consistent"
    half = value.unit / 2 + _EPSILON
    if bounds is not None and bounds[0] - half <= value.value <= bounds[1] + half:
        return "consistent"
    return "differs"


def judge_cell(
    table: PrintedTable,
    row: PrintedRow,
    column: str,
    ours: float | None,
    *,
    bounds: Bounds | None = None,
    cut: bool = False,
) -> Cell:
    """Return a cell with its verdict; without a value of ours it needs data.

    ``bounds`` are given if ours is computed from other printed cells, which makes it at best
    ``consistent``.
    """
    value = row.values[column]
    if ours is None:
        return Cell(row=row.name, column=column, printed=value.text, verdict="needs data")
    verdict = compare_values(value, ours, bounds=bounds, cut=cut)
    if verdict == "differs":
        erratum = table.erratum(row.name, column)
        verdict = "erratum" if erratum is not None and _explains(erratum, ours, cut) else verdict
    return Cell(
        row=row.name,
        column=column,
        printed=value.text,
        ours=ours,
        difference=ours - value.value,
        digits=value.digits,
        verdict=verdict,
    )


def _explains(erratum: Erratum, ours: float, cut: bool) -> bool:
    """Whether an erratum explains our value; one with a corrected figure explains only that."""
    figure = erratum.correct[:1].isdigit()
    return not figure or compare_values(read_value(erratum.correct), ours, cut=cut) == "same"


def judge_scores(table: PrintedTable, row: PrintedRow, result: Result) -> list[Cell]:
    """Return the cells of a row of scores."""
    return [judge_cell(table, row, column, score_column(result, column)) for column in table.columns]


def rebuild_table(table: PrintedTable, how: str, cells: Iterable[Cell]) -> RebuiltTable:
    """Return a printed table, rebuilt."""
    return RebuiltTable(number=table.number, title=table.title, how=how, cells=tuple(cells), needs=table.needs)


def table_without_data(table: PrintedTable) -> RebuiltTable:
    """Return a table of which no cell can be rebuilt."""
    return rebuild_table(table, "", (judge_cell(table, row, c, None) for row in table.rows for c in row.values))


def exact_bounds(ours: float | None) -> Bounds | None:
    """Return the bounds of a value that printed whole numbers determine exactly."""
    return None if ours is None else (ours, ours)


def free_cell(row: str, column: str, ours: float | None, digits: int = 2) -> Cell:
    """Return a cell on free data."""
    return Cell(row=row, column=column, ours=ours, digits=digits, verdict="free data")


def f1_with_bounds(recall: PrintedValue, precision: PrintedValue) -> tuple[float, Bounds]:
    """Return F of two printed values in per cent, and the bounds that their rounding allows."""
    r, p, low, high = recall.value, precision.value, recall.unit / 2, precision.unit / 2
    return harmonic(r, p), (harmonic(r - low, p - high), harmonic(r + low, p + high))


def rebuild_f1_table(table: PrintedTable) -> RebuiltTable:
    """Rebuild the F1 of a table from its R and P; the other cells need data."""
    cells = (cell for row in table.rows for cell in rebuild_f1_row(table, row))
    return rebuild_table(table, "F1 from the printed R and P", cells)


def rebuild_f1_row(table: PrintedTable, row: PrintedRow) -> Iterator[Cell]:
    """Rebuild the cells of one row."""
    for column in row.values:
        ours, bounds = _compute_cell(row, column)
        yield judge_cell(table, row, column, ours, bounds=bounds)


def _compute_cell(row: PrintedRow, column: str) -> tuple[float | None, Bounds | None]:
    measure, _, part = column.rpartition(" ")
    if column.startswith("CoNLL"):
        return conll_with_bounds(row)
    if part not in ("F1", "F") or measure not in HARMONIC_MEASURES:
        return None, None
    prefix = f"{measure} " if measure else ""
    return f1_with_bounds(row.values[f"{prefix}R"], row.values[f"{prefix}P"])


def conll_with_bounds(row: PrintedRow) -> tuple[float, Bounds]:
    """Return the mean of the printed F1 of MUC, B³ and CEAFe, and its bounds."""
    parts = [row.values[f"{name} F1"] for name in ("MUC", "B³", "CEAFe")]
    mean = sum(part.value for part in parts) / len(parts)
    half = sum(part.unit for part in parts) / len(parts) / 2
    return mean, (mean - half, mean + half)


def score_column(result: Result, column: str) -> float:
    """Return the score of a column such as ``B³ R``, F1 by default, in per cent; not truncated."""
    measure, _, part = column.partition(" ")
    if measure == "CoNLL":
        return 100 * result.conll.f1 if result.conll is not None else 0.0
    return 100 * float(getattr(result[MEASURE_NAMES[measure]], _SCORE_PARTS[part or "F1"]))


def chains_from_letters(text: str) -> Chains:
    """Parse chains written as words, whose letters are mentions.

    >>> chains_from_letters("AC B")
    [[(0, 0), (2, 2)], [(1, 1)]]
    """
    return [[(ord(letter) - 65, ord(letter) - 65) for letter in word] for word in text.split()]


def chains_from_lists(text: str, mentions: Iterable[str]) -> Chains:
    """Parse chains separated by semicolons; the span of a mention is its index in a list.

    >>> chains_from_lists("name, approached; News", ["News", "name", "approached"])
    [[(1, 1), (2, 2)], [(0, 0)]]
    """
    spans = {name: (number, number) for number, name in enumerate(mentions)}
    return [[spans[name] for name in chain.split(", ")] for chain in text.split("; ")]


def chains_from_sizes(sizes: Iterable[int]) -> Chains:
    """Return chains of the given sizes, of one-word mentions.

    >>> chains_from_sizes([2, 1])
    [[(0, 0), (1, 1)], [(2, 2)]]
    """
    edges = [0]
    for size in sizes:
        edges.append(edges[-1] + size)
    return [[(i, i) for i in range(a, b)] for a, b in pairwise(edges)]
