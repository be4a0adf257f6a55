"""Kübler & Zhekova 2011, *Singletons and Coreference Resolution Evaluation*.

Table 1 comes out on a corpus of the same proportions (the data is licensed), Table 2 on the paper's
own example. Tables 5 and 6 need licensed data and the output of a system: what follows from their
cells is computed, and the experiment is run on free data.
"""

from collections.abc import Sequence

from corefbench.papers import free_data
from corefbench.papers.printed import PrintedPaper
from corefbench.papers.reproduction import (
    Cell,
    Chains,
    DataFolder,
    Paper,
    RebuiltTable,
    Recipe,
    chains_from_letters,
    chains_from_sizes,
    exact_bounds,
    free_cell,
    judge_cell,
    judge_scores,
    rebuild_f1_table,
    rebuild_table,
    score_column,
)
from corefbench.scoring.api import score_clusters

WITNESS_CHAIN_SIZES = (*((7, 4, 3, 3, 3, 2, *(1,) * 24),) * 55, *((8, 4, 4, 4, 4, 4, 3, 3, 2, 2, *(1,) * 77),) * 30)
"""Chain sizes of 85 documents that agree with every figure of Table 1."""
SCORERS = {"SEMEVAL scorer": "semeval-2010", "CONLL scorer": "conll-2011"}


def table_1(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the two baselines."""
    key = [chains_from_sizes(sizes) for sizes in WITNESS_CHAIN_SIZES]
    table, cells = printed["1"], list[Cell]()
    for row in table.rows:
        response = [make_baseline(row.given["baseline"], document) for document in key]
        result = score_clusters(key, response, "semeval-2010")
        cells += judge_scores(table, row, result)
    how = "a corpus of the same proportions: 85 documents, 5,980 mentions, 4,260 chains"
    return [rebuild_table(table, how, cells)]


def make_baseline(name: str, document: Chains) -> Chains:
    """Put every mention in a chain of its own, or all in one chain."""
    spans = [span for chain in document for span in chain]
    return [[span] for span in spans] if name == "singletons" else [spans]


def table_2(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the artificial example."""
    table, cells = printed["2"], list[Cell]()
    for row in table.rows:
        key, response = (chains_from_letters(row.given[side]) for side in ("key", "response"))
        result = score_clusters(key, response, row.given["profile"])
        cells += judge_scores(table, row, result)
    how = "the paper's example, by the profiles semeval-2010 and conll-2011"
    return [rebuild_table(table, how, cells)]


def table_5(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the settings of singletons in key and response."""
    settings = ("G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S")
    free_table = rebuild_on_free_data(printed, data, "5", settings)
    return [rebuild_f1_table(printed["5"]), compare_with_table_6(printed), free_table]


def rebuild_on_free_data(printed: PrintedPaper, data: DataFolder, number: str, settings: Sequence[str]) -> RebuiltTable:
    """Score the settings of a table on free data; variants against a key without singletons."""
    from corefbench.analysis.singletons import singletons

    corpus, title = free_data.load_free_corpus(data), "the same settings"
    if corpus is None:
        return free_data.missing_table(number, title)
    response = free_data.response_with_singletons(corpus)
    study = singletons(corpus.key, response, tuple(SCORERS.values()))
    cells = [
        free_cell(f"{scorer}: {name}", column, score_column(study[profile][name], column))
        for scorer, profile in SCORERS.items()
        for name in settings
        for column in printed[number].columns
    ]
    how = f"{corpus.title}; every noun phrase a mention, chains by {free_data.RESOLVER}"
    signatures = tuple(str(study[profile][settings[0]].signature) for profile in SCORERS.values())
    return RebuiltTable(number=number, title=title, how=how, cells=tuple(cells), signatures=signatures)


def compare_with_table_6(printed: PrintedPaper) -> RebuiltTable:
    """Compare the rows of Table 5 that are by definition also rows of Table 6."""
    table, other = printed["5"], printed["6"]
    cells = [
        judge_cell(table, row, column, ours, bounds=exact_bounds(ours))
        for row in table.rows
        if "same_as" in row.given
        for column in table.columns
        for ours in (other[row.given["same_as"]][column],)
    ]
    how = "the cells of Table 6 that are of the same setting by its definition"
    return RebuiltTable(number="5", title="its settings in Table 6", how=how, cells=tuple(cells))


def table_6(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the settings of singletons that are pronouns."""
    variants = ("AllS", "NoS", "PronS", "AttP")
    return [rebuild_f1_table(printed["6"]), rebuild_on_free_data(printed, data, "6", variants)]


RECIPE = Recipe(
    paper=Paper(
        number="000",
        name="kuebler-zhekova-2011",
        cite="kuebler2011",
        without_numbers="Table 3 is an example of data, Table 4 a list of features",
    ),
    tables={"1": table_1, "2": table_2, "5": table_5, "6": table_6},
)
