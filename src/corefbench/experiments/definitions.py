"""The definitions of Chen et al. 2018, on free corpora."""

from collections.abc import Iterator, Mapping, Sequence

from corefbench.experiments import free
from corefbench.experiments.base import Cell, Rebuilt, Setting
from corefbench.experiments.printed import PrintedTable
from corefbench.experiments.verdict import free as free_cell
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus

CORPORA: Mapping[str, tuple[str | None, tuple[str, ...]]] = {
    "GUM": ("gum-conll/train", ("gum-conll/dev", "gum-conll/test")),
    "OntoGUM": ("ontogum/train", ("ontogum/dev", "ontogum/test")),
    "LitBank, fold 0": ("litbank/0/train", ("litbank/0/dev", "litbank/0/test")),
    "PreCo, three documents": (None, ("preco-sample",)),
}
"""Free corpora: what is for training, and what for development and test."""
FREE = "GUM, LitBank or the sample of PreCo (free) in the data"
_PER_CENT = ("oov_rate", "singleton_rate")


def properties(table: PrintedTable, setting: Setting) -> Rebuilt:
    """Table 4."""
    cells = [one for name in CORPORA for one in _described(name, table, setting)]
    how = "training part against development and test part, by the paper's definitions"
    needs = "" if cells else FREE
    title = "the same properties of other corpora"
    return Rebuilt(number="4", title=title, how=how, cells=tuple(cells), needs=needs)


def _described(name: str, table: PrintedTable, setting: Setting) -> Iterator[Cell]:
    from corefbench.stats import describe, figures

    train, parts = CORPORA[name]
    test = _joined(setting, parts)
    training = setting.corpus(train) if train else None
    if test is None:
        return
    description = describe(test, train=training)
    values = dict(figures(description.counts))
    if description.training is not None:
        values["training_documents"] = description.training.documents
        values["training_tokens"] = description.training.tokens
    for row in table.rows:
        figure = row.given["figure"]
        value = values.get(figure)
        scaled = 100 * value if value is not None and figure in _PER_CENT else value
        yield free_cell(row.name, name, scaled, 0 if isinstance(scaled, int) else 3)


def _joined(setting: Setting, names: Sequence[str]) -> Corpus | None:
    pieces = [corpus for name in names if (corpus := setting.corpus(name)) is not None]
    return concatenate(names[0], pieces) if pieces else None


def oracles(setting: Setting) -> Rebuilt:
    """Table 6: detected, all gold and non-singleton gold mentions."""
    from corefbench.analysis.oracle.study import oracle

    corpus, title = free.free_corpus(setting), "the same oracles"
    if corpus is None:
        return Rebuilt(number="6", title=title, how="", cells=(), needs=free.MISSING)
    study = oracle(corpus.corpus, (free.RESOLVER,), mode=corpus.mode)
    cells = [
        free_cell(given, "Avg. F1", 100 * result.conll.f1)
        for given, result in study[free.RESOLVER].items()
        if result.conll is not None
    ]
    how = f"{corpus.title}; chains by {free.RESOLVER}, scored without singletons"
    signed = tuple(study.signature(free.RESOLVER, given) for given in study[free.RESOLVER])
    return Rebuilt(number="6", title=title, how=how, cells=tuple(cells), signatures=signed)


def error_classes(setting: Setting) -> Rebuilt:
    """Section 4.2: three kinds, and the share with a word that training hardly has."""
    from corefbench.analysis.errors.analysis import error_analysis

    corpus, title = free.free_corpus(setting), "the three kinds of errors"
    training = setting.corpus("gum-conll/train")
    if corpus is None or training is None:
        needs = "GUM (free) as the folder gum of the data"
        return Rebuilt(number="errors", title=title, how="", cells=(), needs=needs)
    response = free.chains_only(corpus)
    analysis = error_analysis(corpus.key, response, train=training, singletons="strip")
    found = analysis.filter(taxonomy="decisions")
    kinds = {**found.categorize("kind"), "all": found}
    cells = []
    for kind, some in kinds.items():
        rare = sum(bool(error.low_frequency) for error in some.errors)
        cells.append(free_cell(kind, "Errors", len(some), 0))
        cells.append(free_cell(kind, "LFW rate (%)", 100 * rare / max(len(some), 1), 1))
    how = (
        f"{corpus.title}; chains by {free.RESOLVER}; words that its training part has fewer than "
        "10 times"
    )
    return Rebuilt(number="errors", title=title, how=how, cells=tuple(cells))


def duplicates(setting: Setting) -> Rebuilt:
    """Documents of which more than 0.9 of the words stand in another (section 3.1)."""
    from corefbench.analysis.deduplicate import deduplicate

    cells = list[Cell]()
    for name, (train, parts) in CORPORA.items():
        corpus = _joined(setting, (*((train,) if train else ()), *parts))
        if corpus is None or name == "OntoGUM":  # the texts of GUM again
            continue
        done = deduplicate(corpus)
        cells.append(free_cell(name, "Documents", done.documents, 0))
        cells.append(free_cell(name, "Dropped", len(done.dropped), 0))
    title = "Duplicates by bags of words (section 3.1); the paper gives no number"
    how = "max(|S1∩S2|/|S1|, |S1∩S2|/|S2|) > 0.9, the longer document kept"
    needs = "" if cells else FREE
    return Rebuilt(number="duplicates", title=title, how=how, cells=tuple(cells), needs=needs)
