"""Chen et al. 2018, *PreCo*.

PreCo's single annotations and the models are not public, and OntoNotes is licensed. What follows
from the printed cells is computed; the paper's definitions (densities, OOV rate, error classes,
words of low frequency, oracles of mention detection, duplicates) are applied to free corpora.
"""

from collections.abc import Iterator, Mapping, Sequence

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.papers import free_data
from corefbench.papers.printed import PrintedPaper, PrintedRow, PrintedTable, PrintedValue
from corefbench.papers.reproduction import (
    Bounds,
    Cell,
    DataFolder,
    Paper,
    RebuiltTable,
    Recipe,
    free_cell,
    judge_cell,
    rebuild_f1_table,
    rebuild_table,
    table_without_data,
)

CORPORA: Mapping[str, tuple[str | None, tuple[str, ...]]] = {
    "GUM": ("gum-conll/train", ("gum-conll/dev", "gum-conll/test")),
    "OntoGUM": ("ontogum/train", ("ontogum/dev", "ontogum/test")),
    "LitBank, fold 0": ("litbank/0/train", ("litbank/0/dev", "litbank/0/test")),
    "PreCo, three documents": (None, ("preco-sample",)),
}
"""Free corpora: what is for training, and what for development and test."""
MISSING_CORPORA = "GUM, LitBank or the sample of PreCo (free) in the data"
_PER_CENT = ("oov_rate", "singleton_rate")


def table_2(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the F1 of annotation quality from P and R."""
    return [rebuild_f1_table(printed["2"])]


def table_3(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the F1 of models from P and R."""
    return [rebuild_f1_table(printed["3"])]


def table_4(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the properties of corpora that follow from others."""
    table = printed["4"]
    cells = []
    for row in table.rows:
        for column in row.values:
            ours, bounds = _derive_cell(table, row, column)
            cells.append(judge_cell(table, row, column, ours, bounds=bounds))
    how = "what follows from other printed cells, as far as their digits say"
    return [rebuild_table(table, how, cells), rebuild_properties(table, data)]


def _derive_cell(table: PrintedTable, row: PrintedRow, column: str) -> tuple[float | None, Bounds | None]:
    def value(name: str) -> PrintedValue:
        return table[name].values[column]

    match row.given["figure"]:
        case "tokens_per_document":
            tokens = [value("Training tokens"), value("Dev-test tokens")]
            return _quotient_with_bounds(tokens, [value("Training documents"), value("Dev-test documents")])
        case "coreferent_chain_size":
            mentions = [value("Mention density, coreferent")]
            return _quotient_with_bounds(mentions, [value("Cluster density, coreferent")])
        case "singleton_rate":
            coreferent = [value("Mention density, coreferent")]
            share, (low, high) = _quotient_with_bounds(coreferent, [value("Mention density, singletons")])
            return 100 / (1 + share), (100 / (1 + high), 100 / (1 + low))
    return None, None


def _quotient_with_bounds(above: list[PrintedValue], below: list[PrintedValue]) -> tuple[float, Bounds]:
    """Return a quotient of sums, and the bounds that the printed digits allow."""
    (a, x), (b, y) = ((sum(v.value for v in s), sum(v.unit for v in s) / 2) for s in (above, below))
    return a / b, ((a - x) / (b + y), (a + x) / (b - y))


def rebuild_properties(table: PrintedTable, data: DataFolder) -> RebuiltTable:
    """Compute the properties of Table 4 for free corpora."""
    cells = [cell for name in CORPORA for cell in _property_cells(name, table, data)]
    how = "training part against development and test part, by the paper's definitions"
    needs = "" if cells else MISSING_CORPORA
    title = "the same properties of other corpora"
    return RebuiltTable(number="4", title=title, how=how, cells=tuple(cells), needs=needs)


def _property_cells(name: str, table: PrintedTable, data: DataFolder) -> Iterator[Cell]:
    from corefbench.analysis.statistics import compute_figures, describe

    train, parts = CORPORA[name]
    test = _join_parts(data, parts)
    training = data.corpus(train) if train else None
    if test is None:
        return
    description = describe(test, train=training)
    values = dict(compute_figures(description.counts))
    if description.training is not None:
        values["training_documents"] = description.training.documents
        values["training_tokens"] = description.training.tokens
    for row in table.rows:
        figure = row.given["figure"]
        value = values.get(figure)
        scaled = 100 * value if value is not None and figure in _PER_CENT else value
        yield free_cell(row.name, name, scaled, 0 if isinstance(scaled, int) else 3)


def _join_parts(data: DataFolder, names: Sequence[str]) -> Corpus | None:
    pieces = [corpus for name in names if (corpus := data.corpus(name)) is not None]
    return concatenate(names[0], pieces) if pieces else None


def table_6(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the oracles with detected, all gold and non-singleton gold mentions."""
    return [table_without_data(printed["6"]), rebuild_oracles(data)]


def rebuild_oracles(data: DataFolder) -> RebuiltTable:
    """Score the oracles of Table 6 on free data."""
    from corefbench.bench.oracle import oracle

    corpus, title = free_data.load_free_corpus(data), "the same oracles"
    if corpus is None:
        return free_data.missing_table("6", title)
    study = oracle(corpus.corpus, (free_data.RESOLVER,), mode=corpus.mode)
    cells = [
        free_cell(mention_set, "Avg. F1", 100 * result.conll.f1)
        for mention_set, result in study[free_data.RESOLVER].items()
        if result.conll is not None
    ]
    how = f"{corpus.title}; chains by {free_data.RESOLVER}, scored without singletons"
    signatures = tuple(study.signature(free_data.RESOLVER, mention_set) for mention_set in study[free_data.RESOLVER])
    return RebuiltTable(number="6", title=title, how=how, cells=tuple(cells), signatures=signatures)


def error_tables(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the error classes and their low-frequency rates."""
    return [table_without_data(printed["errors"]), rebuild_error_classes(data)]


def rebuild_error_classes(data: DataFolder) -> RebuiltTable:
    """Count the error classes of section 4.2, and their low-frequency rates, on free data."""
    from corefbench.analysis.errors.analysis import error_analysis

    corpus, title = free_data.load_free_corpus(data), "the three kinds of errors"
    training = data.corpus("gum-conll/train")
    if corpus is None or training is None:
        needs = "GUM (free) as the folder gum of the data"
        return RebuiltTable(number="errors", title=title, how="", cells=(), needs=needs)
    response = free_data.response_without_singletons(corpus)
    analysis = error_analysis(corpus.key, response, train=training, singletons="strip")
    decisions = analysis.filter(taxonomy="decisions")
    kinds = {**decisions.categorize("kind"), "all": decisions}
    cells = []
    for kind, errors in kinds.items():
        rare = sum(bool(error.low_frequency) for error in errors.errors)
        cells.append(free_cell(kind, "Errors", len(errors), 0))
        cells.append(free_cell(kind, "LFW rate (%)", 100 * rare / max(len(errors), 1), 1))
    how = f"{corpus.title}; chains by {free_data.RESOLVER}; words that its training part has fewer than 10 times"
    return RebuiltTable(number="errors", title=title, how=how, cells=tuple(cells))


def duplicate_tables(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Count documents of which more than 0.9 of the words stand in another (section 3.1)."""
    from corefbench.analysis.deduplicate import deduplicate

    cells = list[Cell]()
    for name, (train, parts) in CORPORA.items():
        corpus = _join_parts(data, (*((train,) if train else ()), *parts))
        if corpus is None or name == "OntoGUM":  # the texts of GUM again
            continue
        deduplication = deduplicate(corpus)
        cells.append(free_cell(name, "Documents", deduplication.documents, 0))
        cells.append(free_cell(name, "Dropped", len(deduplication.dropped), 0))
    title = "Duplicates by bags of words (section 3.1); the paper gives no number"
    how = "max(|S1∩S2|/|S1|, |S1∩S2|/|S2|) > 0.9, the longer document kept"
    needs = "" if cells else MISSING_CORPORA
    return [RebuiltTable(number="duplicates", title=title, how=how, cells=tuple(cells), needs=needs)]


RECIPE = Recipe(
    paper=Paper(
        number="002",
        name="chen-2018",
        cite="chen2018",
        without_numbers="Table 1 compares annotation rules, Table 5 shows examples of errors",
    ),
    tables={
        "2": table_2,
        "3": table_3,
        "4": table_4,
        "6": table_6,
        "errors": error_tables,
        "duplicates": duplicate_tables,
    },
)
