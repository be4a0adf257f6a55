"""Reproduce the tables of papers: the printed values beside ours."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from corefbench.errors import UnknownName
from corefbench.papers.printed import read_printed
from corefbench.papers.reproduction import DataFolder, Paper, RebuiltTable, Recipe, Reproduction

_MODULES = ("kuebler_zhekova_2011", "cattan_2021", "chen_2018", "barbu_mitkov_2001", "orasan_2008")

PAPERS: Mapping[str, str] = MappingProxyType(
    {name.replace("_", "-"): f"{number:03d}" for number, name in enumerate(_MODULES)}
)
"""The names of the papers, and the numbers that they go by as well."""


def find_recipe(paper: str) -> Recipe:
    """Return the recipe of a paper, by name or number.

    >>> find_recipe("003").paper.name, find_recipe("cattan-2021").paper.short
    ('barbu-mitkov-2001', 'Cattan et al. 2021')
    """
    by_number = {number: name for name, number in PAPERS.items()}
    name = by_number.get(paper, paper)
    if name not in PAPERS:
        raise UnknownName("paper", paper, [*PAPERS, *by_number])
    recipe: Recipe = import_module(f"{__name__}.{name.replace('-', '_')}").RECIPE
    return recipe


def reproduce(
    paper: str, *, table: str = "", data: str | Path | None = None, begin: Callable[[str], None] | None = None
) -> Reproduction:
    """Rebuild the tables of a paper, or one of them.

    ``data`` is the folder of the corpora, by default the one named by COREFBENCH_DATA. ``begin`` is
    called with the title of every table before it is rebuilt.

    >>> reproduce("cattan-2021", table="2").counts()
    Counter({'same': 24})
    """
    recipe = find_recipe(paper)
    printed = read_printed(recipe.paper.name)
    if table and table not in recipe.tables:
        raise UnknownName("table", table, list(recipe.tables))
    tables: list[RebuiltTable] = []
    for number, rebuild in recipe.tables.items():
        if table in ("", number):
            if begin is not None:
                begin(f"{recipe.paper.short}, Table {number}")
            tables += rebuild(printed, DataFolder(folder=data))
    errata = tuple(e for e in printed.errata if not table or e.table == table)
    return Reproduction(paper=recipe.paper, tables=tuple(tables), errata=errata)


__all__ = ["PAPERS", "DataFolder", "Paper", "Recipe", "Reproduction", "find_recipe", "reproduce"]
