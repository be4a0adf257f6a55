"""Orăsan et al. 2008, *Anaphora Resolution Exercise: an Overview*.

The test cluster and the answers are not public. What can be found out is how scores were averaged:
F is concave in P and R, so that a mean of documents' F is at most the F of their mean P and R, and
every printed F is. On free data both averages are shown side by side.
"""

from collections.abc import Sequence

from corefbench.papers import free_data
from corefbench.papers.printed import PrintedPaper
from corefbench.papers.reproduction import (
    Cell,
    DataFolder,
    Paper,
    RebuiltTable,
    Recipe,
    f1_with_bounds,
    free_cell,
    judge_cell,
    rebuild_table,
    score_column,
    table_without_data,
)
from corefbench.scoring.api import score
from corefbench.scoring.measures.tally import harmonic

AVERAGES = {"means over documents": "macro", "sums over documents": "micro"}


def table_1(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Return the success rates, from which nothing follows."""
    return [table_without_data(printed["1"])]


def table_2(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the F of P and R, which a mean over documents cannot exceed."""
    table, cells = printed["2"], list[Cell]()
    for row in table.rows:
        cells += [judge_cell(table, row, column, None) for column in ("R", "P")]
        # The bound from below is open: documents on which P and R differ pull the mean of F down.
        ours, (_, highest) = f1_with_bounds(row.values["R"], row.values["P"])
        cells.append(judge_cell(table, row, "F", ours, bounds=(0.0, highest)))
    how = "F of the printed P and R: an upper bound of means over documents"
    return [rebuild_table(table, how, cells), _rebuild_averages(data)]


def _rebuild_averages(data: DataFolder) -> RebuiltTable:
    corpus, title = free_data.load_free_corpus(data), "two ways to average MUC"
    if corpus is None:
        return free_data.missing_table("2", title)
    response = free_data.response_without_singletons(corpus)
    cells, signatures = list[Cell](), list[str]()
    for name, average in AVERAGES.items():
        result = score(corpus.key, response, "conll-2012", measures="muc", average=average)
        signatures.append(f"{name}: {result.signature}")
        r, p, f = (score_column(result, f"MUC {part}") for part in ("R", "P", "F1"))
        values = {"R": r, "P": p, "F": f, "F of P and R": harmonic(r, p)}
        cells += [free_cell(name, column, value) for column, value in values.items()]
    how = f"{corpus.title}, {len(corpus.key)} documents; chains by {free_data.RESOLVER}"
    return RebuiltTable(number="2", title=title, how=how, cells=tuple(cells), signatures=tuple(signatures))


RECIPE = Recipe(paper=Paper(number="004", name="orasan-2008", cite="orasan2008"), tables={"1": table_1, "2": table_2})
