"""Kübler & Zhekova 2011, *Singletons and Coreference Resolution Evaluation*.

Table 1 comes out on a corpus of the same proportions (the data is licensed), Table 2 on the paper's
own example. Tables 5 and 6 need licensed data and the output of a system: what follows from their
cells is computed, and the experiment is run on free data.
"""

from collections.abc import Sequence

from corefbench.experiments import free, scores
from corefbench.experiments.arithmetic import f1_table
from corefbench.experiments.base import Cell, Paper, Rebuilt, Recipe, Setting
from corefbench.experiments.printed import Printed
from corefbench.experiments.verdict import cell, exactly
from corefbench.experiments.verdict import free as free_cell
from corefbench.scoring.api import score_clusters

WITNESS = (
    *((7, 4, 3, 3, 3, 2, *(1,) * 24),) * 55,
    *((8, 4, 4, 4, 4, 4, 3, 3, 2, 2, *(1,) * 77),) * 30,
)
"""Chain sizes of 85 documents that agree with every figure of Table 1."""
SCORERS = {"SEMEVAL scorer": "semeval-2010", "CONLL scorer": "conll-2011"}


def table_1(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Two baselines."""
    key = [scores.of_sizes(sizes) for sizes in WITNESS]
    table, cells = printed["1"], list[Cell]()
    for row in table.rows:
        response = [baseline(row.given["baseline"], document) for document in key]
        result = score_clusters(key, response, "semeval-2010")
        cells += [cell(printed, table, row, c, scores.score_in(result, c)) for c in table.columns]
    how = "a corpus of the same proportions: 85 documents, 5,980 mentions, 4,260 chains"
    return [Rebuilt(number="1", title=table.title, how=how, cells=tuple(cells))]


def baseline(name: str, document: scores.Chains) -> scores.Chains:
    """Every mention alone, or all together."""
    spans = [span for chain in document for span in chain]
    return [[span] for span in spans] if name == "singletons" else [spans]


def table_2(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """The artificial example."""
    table, cells = printed["2"], list[Cell]()
    for row in table.rows:
        key, response = (scores.letters(row.given[side]) for side in ("key", "response"))
        result = score_clusters(key, response, row.given["profile"])
        cells += [cell(printed, table, row, c, scores.score_in(result, c)) for c in table.columns]
    how = "the paper's example, by the profiles semeval-2010 and conll-2011"
    return [Rebuilt(number="2", title=table.title, how=how, cells=tuple(cells))]


def table_5(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Singletons in key and response."""
    settings = ("G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S")
    made = on_free_data(printed, setting, "5", settings)
    return [f1_table(printed, "5"), against_table_6(printed), made]


def on_free_data(
    printed: Printed, setting: Setting, number: str, settings: Sequence[str]
) -> Rebuilt:
    """The settings of a table on free data; the variants against a key without singletons."""
    from corefbench.analysis.singletons.study import singletons

    corpus, title = free.free_corpus(setting), "the same settings"
    if corpus is None:
        return Rebuilt(number=number, title=title, how="", cells=(), needs=free.MISSING)
    response = free.with_singletons(corpus)
    study = singletons(corpus.key, response, tuple(SCORERS.values()))
    cells = [
        free_cell(f"{scorer}: {name}", column, scores.score_in(study[profile][name], column))
        for scorer, profile in SCORERS.items()
        for name in settings
        for column in printed[number].columns
    ]
    how = f"{corpus.title}; every noun phrase a mention, chains by {free.RESOLVER}"
    signed = tuple(str(study[profile][settings[0]].signature) for profile in SCORERS.values())
    return Rebuilt(number=number, title=title, how=how, cells=tuple(cells), signatures=signed)


def against_table_6(printed: Printed) -> Rebuilt:
    """Rows of Table 5 that are, by their definition, rows of Table 6 as well."""
    table, other = printed["5"], printed["6"]
    cells = [
        cell(printed, table, row, column, ours, bounds=exactly(ours))
        for row in table.rows
        if "same_as" in row.given
        for column in table.columns
        for ours in (other[row.given["same_as"]][column],)
    ]
    how = "the cells of Table 6 that are of the same setting by its definition"
    return Rebuilt(number="5", title="its settings in Table 6", how=how, cells=tuple(cells))


def table_6(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Singletons that are pronouns."""
    variants = ("AllS", "NoS", "PronS", "AttP")
    return [f1_table(printed, "6"), on_free_data(printed, setting, "6", variants)]


RECIPE = Recipe(
    paper=Paper(
        number="000",
        name="kuebler-zhekova-2011",
        cite="kuebler2011",
        without_numbers="Table 3 is an example of data, Table 4 a list of features",
    ),
    tables={"1": table_1, "2": table_2, "5": table_5, "6": table_6},
)
