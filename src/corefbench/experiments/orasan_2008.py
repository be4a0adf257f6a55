"""Orăsan et al. 2008, *Anaphora Resolution Exercise: an Overview*.

The test cluster and the answers are not public. What can be found out is how scores were averaged:
F is concave in P and R, so that a mean of documents' F is at most the F of their mean P and R, and
every printed F is. On free data both averages are shown side by side.
"""

from collections.abc import Sequence

from corefbench.experiments import free, scores
from corefbench.experiments.base import Cell, Paper, Rebuilt, Recipe, Setting
from corefbench.experiments.printed import Printed
from corefbench.experiments.verdict import cell, f1_of
from corefbench.experiments.verdict import free as free_cell
from corefbench.measures.tally import harmonic
from corefbench.scoring.api import score

AVERAGES = {"means over documents": "macro", "sums over documents": "micro"}


def table_1(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Success rates: nothing follows from them."""
    table = printed["1"]
    cells = [cell(printed, table, row, c, None) for row in table.rows for c in table.columns]
    return [Rebuilt(number="1", title=table.title, how="", cells=tuple(cells), needs=table.needs)]


def table_2(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """F beside the F of P and R, which a mean over documents cannot exceed."""
    table, cells = printed["2"], list[Cell]()
    for row in table.rows:
        cells += [cell(printed, table, row, column, None) for column in ("R", "P")]
        ours, (_, highest) = f1_of(row.values["R"], row.values["P"])
        cells.append(cell(printed, table, row, "F", ours, bounds=(0.0, highest)))
    how = "F of the printed P and R: an upper bound of means over documents"
    rebuilt = Rebuilt(number="2", title=table.title, how=how, cells=tuple(cells), needs=table.needs)
    return [rebuilt, _averages(setting)]


def _averages(setting: Setting) -> Rebuilt:
    corpus, title = free.free_corpus(setting), "two ways to average MUC"
    if corpus is None:
        return Rebuilt(number="2", title=title, how="", cells=(), needs=free.MISSING)
    response, cells, signed = free.chains_only(corpus), list[Cell](), list[str]()
    for name, average in AVERAGES.items():
        result = score(corpus.key, response, "conll-2012", measures="muc", average=average)
        signed.append(f"{name}: {result.signature}")
        r, p, f = (scores.score_in(result, f"MUC {part}") for part in ("R", "P", "F1"))
        values = {"R": r, "P": p, "F": f, "F of P and R": harmonic(r, p)}
        cells += [free_cell(name, column, value) for column, value in values.items()]
    how = f"{corpus.title}, {len(corpus.key)} documents; chains by {free.RESOLVER}"
    return Rebuilt(number="2", title=title, how=how, cells=tuple(cells), signatures=tuple(signed))


RECIPE = Recipe(
    paper=Paper(number="004", name="orasan-2008", cite="orasan2008"),
    tables={"1": table_1, "2": table_2},
)
