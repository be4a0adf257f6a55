"""Cattan et al. 2021, *Realistic Evaluation Principles for Cross-document Coreference Resolution*.

Table 2 comes out on the paper's own example, the baselines of Table 3 and all of Table 4 on ECB+.
The other rows of Table 3 need the outputs of the systems: their F1 and averages are computed from
the printed cells, and lemma baselines, whose outputs are public, are scored in the same way.
"""

from collections.abc import Mapping, Sequence

from corefbench.experiments import scores
from corefbench.experiments.arithmetic import f1_cells
from corefbench.experiments.base import Cell, Paper, Rebuilt, Recipe, Setting
from corefbench.experiments.ecbplus import (
    PARTS,
    event_chains,
    levels_of_clustering,
    of_kind,
    public_outputs,
)
from corefbench.experiments.printed import Printed
from corefbench.experiments.verdict import cell
from corefbench.model.corpus import Corpus
from corefbench.scoring.api import score_clusters


def table_2(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """Two systems, with singletons and without; mention detection is given in the text."""
    example, table, spans = printed.example, printed["2"], printed["2, spans"]
    gold, *systems = (
        scores.listed(example[name], example["mentions"]) for name in ("G", "S1", "S2")
    )
    of = dict(zip(("S1", "S2"), systems, strict=True))
    cells = list[Cell]()
    for row in table.rows:
        result = score_clusters(gold, of[row.given["system"]], row.given["profile"])
        cells += [cell(printed, table, row, c, scores.score_in(result, c)) for c in table.columns]
    for row in spans.rows:
        result = score_clusters(gold, of[row.given["system"]], "cattan-2021")
        cells += [
            cell(printed, spans, row, c, scores.score_in(result, f"IM {c}")) for c in row.values
        ]
    how = "the paper's example, by the profiles coval-remove, coval-keep and cattan-2021"
    return [Rebuilt(number="2", title=table.title, how=how, cells=tuple(cells))]


def table_3(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """The baselines on ECB+; for the systems, what follows from their rows."""
    table, sizes = printed["3"], event_chains(setting)
    cells = list[Cell]()
    for row in table.rows:
        if "profile" not in row.given:
            cells += f1_cells(printed, table, row)
            continue
        ours = singleton_baseline(sizes, row.given["profile"]) if sizes else {}
        cells += [cell(printed, table, row, c, ours.get(c)) for c in table.columns]
    how = "the baselines on ECB+; of the systems, F1 from R and P, CoNLL from F1"
    rebuilt = Rebuilt(number="3", title=table.title, how=how, cells=tuple(cells), needs=table.needs)
    more = (public_outputs, levels_of_clustering)
    return [rebuilt, *(experiment(table.columns, setting) for experiment in more)]


def singleton_baseline(sizes: list[int], profile: str) -> dict[str, float]:
    """The scores of a response in which every mention is alone."""
    key = scores.of_sizes(sizes)
    result = score_clusters(key, [[span] for chain in key for span in chain], profile)
    columns = [f"{m} {part}" for m in ("MUC", "B³", "CEAFe", "LEA") for part in ("R", "P", "F1")]
    return {column: scores.score_in(result, column) for column in (*columns, "CoNLL F1")}


def table_4(printed: Printed, setting: Setting) -> Sequence[Rebuilt]:
    """The sizes of ECB+."""
    table = printed["4"]
    parts = {column: setting.corpus(name) for column, name in PARTS.items()}
    ours = {
        (column, kind): _figures(corpus, kind)
        for column, corpus in parts.items()
        if corpus is not None
        for kind in ("", "event", "entity")
    }
    cells = [
        cell(printed, table, row, c, _number(ours, c, row.given))
        for row in table.rows
        for c in table.columns
    ]
    how = "ECB+ by its loader: curated sentences, chains joined across documents"
    return [Rebuilt(number="4", title=table.title, how=how, cells=tuple(cells), needs=table.needs)]


def _number(
    ours: Mapping[tuple[str, str], Mapping[str, float]], column: str, given: Mapping[str, str]
) -> float | None:
    figures = ours.get((column, given.get("kind", "")))
    return None if figures is None else figures[given["figure"]]


def _figures(corpus: Corpus, kind: str) -> dict[str, float]:
    from corefbench.stats import describe, figures

    chosen = of_kind(corpus, kind) if kind else corpus
    values = figures(describe(chosen, scope="corpus").counts)
    return {name: float(value) for name, value in values.items() if value is not None}


RECIPE = Recipe(
    paper=Paper(
        number="001",
        name="cattan-2021",
        cite="cattan2021",
        without_numbers="Table 1 is an example of data",
    ),
    tables={"2": table_2, "3": table_3, "4": table_4},
)
