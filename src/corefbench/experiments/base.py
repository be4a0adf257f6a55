"""What a reproduction is: tables of cells, each with the printed value, ours and a verdict."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from corefbench.bibliography import BIBLIOGRAPHY
from corefbench.experiments.printed import Erratum, Printed
from corefbench.model.corpus import Corpus
from corefbench.record import Record

Verdict: TypeAlias = Literal["same", "consistent", "erratum", "differs", "needs data", "free data"]
VERDICTS: Mapping[Verdict, str] = {
    "same": "ours, from the data or the example, rounds to the printed value",
    "consistent": "it follows from other printed values, as far as their digits say",
    "erratum": "the printed value is a slip; the evidence is listed",
    "differs": "ours is another value, and nothing explains it",
    "needs data": "the data or the system outputs are not public, or not here",
    "free data": "the same experiment on data that is free; the paper prints no such value",
}


class Paper(Record, frozen=True):
    """A paper and how it is referred to."""

    number: str
    name: str
    cite: str
    without_numbers: str = ""
    """The tables that print no figure, and what they show instead."""

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
    """As the paper has it; empty where it has none."""
    ours: float | None = None
    difference: float | None = None
    """Ours less the printed value."""
    digits: int = 2
    """Decimals that ours is shown with."""


class Rebuilt(Record, frozen=True):
    """A table, or one view of it, rebuilt."""

    number: str
    title: str
    how: str
    """What it was rebuilt from."""
    cells: tuple[Cell, ...]
    needs: str = ""
    """The data that is missing for the cells that say so."""
    signatures: tuple[str, ...] = ()
    """What the numbers on free data depend on, a line each."""

    def counts(self) -> Counter[Verdict]:
        """How many cells have each verdict."""
        return Counter(cell.verdict for cell in self.cells)

    @property
    def is_free(self) -> bool:
        """Whether it is an experiment on free data, without a printed counterpart."""
        return all(cell.verdict == "free data" for cell in self.cells) and bool(self.cells)


class Reproduction(Record, frozen=True):
    """What came of a paper."""

    paper: Paper
    tables: tuple[Rebuilt, ...]
    errata: tuple[Erratum, ...] = ()

    def counts(self) -> Counter[Verdict]:
        """How many cells of all tables have each verdict."""
        return sum((table.counts() for table in self.tables), Counter[Verdict]())

    @property
    def holds(self) -> bool:
        """Whether every cell that could be rebuilt came out, or is a known erratum."""
        return not self.counts()["differs"]


class Setting(Record, frozen=True):
    """What a recipe may use beyond its paper: the folder of the corpora."""

    data: str | Path | None = None

    def corpus(self, name: str) -> Corpus | None:
        """A corpus of the catalogue; None where it is not there."""
        folder = self.path("")
        return None if folder is None else _corpus(folder, name)

    def path(self, name: str) -> Path | None:
        """A file or folder of the data; None where it is not there."""
        from corefbench.datasets.load import folder_of
        from corefbench.errors import DataError

        try:
            path = folder_of(self.data) / name
        except DataError:
            return None
        return path if path.exists() else None


@lru_cache(maxsize=8)
def _corpus(folder: Path, name: str) -> Corpus | None:
    """Kept for the next table that asks for it."""
    from corefbench.datasets.load import is_here, load_dataset

    return load_dataset(name, root=folder) if is_here(name, root=folder) else None


Rebuild: TypeAlias = Callable[[Printed, Setting], Sequence[Rebuilt]]


class Recipe(Record, frozen=True):
    """How the tables of a paper are rebuilt."""

    paper: Paper
    tables: Mapping[str, Rebuild]
