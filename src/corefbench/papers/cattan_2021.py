"""Cattan et al. 2021, *Realistic Evaluation Principles for Cross-document Coreference Resolution*.

Table 2 comes out on the paper's own example, the baselines of Table 3 and all of Table 4 on ECB+.
The other rows of Table 3 need the outputs of the systems: their F1 and averages are computed from
the printed cells, and lemma baselines, whose outputs are public, are scored in the same way.
"""

from collections.abc import Sequence

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import Scope, apply_scope, group_names
from corefbench.papers.printed import PrintedPaper
from corefbench.papers.reproduction import (
    Cell,
    Chains,
    DataFolder,
    Paper,
    RebuiltTable,
    Recipe,
    Span,
    chains_from_lists,
    chains_from_sizes,
    free_cell,
    judge_cell,
    judge_scores,
    rebuild_f1_row,
    rebuild_table,
    score_column,
)
from corefbench.scoring.api import score, score_clusters

ECB_PARTS = {"Train": "ecbplus/train", "Validation": "ecbplus/dev", "Test": "ecbplus/test"}
PUBLIC_OUTPUTS = {
    "lemma": "ecbp_lemma_baselines/lemma",
    "lemma-δ": "ecbp_lemma_baselines/lemma-delta",
    "lemma, within documents": "ecbp_lemma_baselines/lemma-wd",
    "features": "ecbp_evaluate_clustering/0",
}
"""Bugert, Reimers & Gurevych 2021: lemma baselines and a feature-based run."""
MISSING_ECB = "ECB+ (free) as the folder ecbplus of the data"
LEVELS: tuple[Scope, ...] = ("subtopic", "topic", "corpus")
SINGLETON_PROFILES = {"+": "coval-keep", "−": "coval-remove"}


def table_2(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the scores of two systems, with and without singletons, and of mention detection."""
    example, table, spans = printed.example, printed["2"], printed["2, spans"]
    chains = {name: chains_from_lists(example[name], example["mentions"]) for name in ("G", "S1", "S2")}
    cells = list[Cell]()
    for row in table.rows:
        result = score_clusters(chains["G"], chains[row.given["system"]], row.given["profile"])
        cells += judge_scores(table, row, result)
    for row in spans.rows:
        result = score_clusters(chains["G"], chains[row.given["system"]], "cattan-2021")
        cells += [judge_cell(spans, row, c, score_column(result, f"IM {c}")) for c in row.values]
    how = "the paper's example, by the profiles coval-remove, coval-keep and cattan-2021"
    return [rebuild_table(table, how, cells)]


def table_3(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the baselines on ECB+, and for the systems what follows from their rows."""
    table, sizes = printed["3"], event_chain_sizes(data)
    cells = list[Cell]()
    for row in table.rows:
        # Only baselines name a profile: their responses can be made, those of the systems cannot.
        if "profile" not in row.given:
            cells += rebuild_f1_row(table, row)
            continue
        ours = singleton_baseline(sizes, row.given["profile"]) if sizes else {}
        cells += [judge_cell(table, row, c, ours.get(c)) for c in table.columns]
    how = "the baselines on ECB+; of the systems, F1 from R and P, CoNLL from F1"
    return [
        rebuild_table(table, how, cells),
        rebuild_public_outputs(table.columns, data),
        rebuild_clustering_levels(table.columns, data),
    ]


def singleton_baseline(sizes: list[int], profile: str) -> dict[str, float]:
    """Score a response in which every mention is a singleton."""
    key = chains_from_sizes(sizes)
    result = score_clusters(key, [[span] for chain in key for span in chain], profile)
    columns = [f"{m} {part}" for m in ("MUC", "B³", "CEAFe", "LEA") for part in ("R", "P", "F1")]
    return {column: score_column(result, column) for column in (*columns, "CoNLL F1")}


def event_chain_sizes(data: DataFolder) -> list[int]:
    """Return the sizes of the cross-document event chains of the test topics, if there is ECB+."""
    corpus = data.corpus(ECB_PARTS["Test"])
    if corpus is None:
        return []
    sizes = apply_scope(select_kind(corpus, "event"), "corpus").chain_sizes()
    return [size for size in sizes.tolist() if size]


def rebuild_public_outputs(columns: Sequence[str], data: DataFolder) -> RebuiltTable:
    """Score systems whose outputs on the test topics are public, with and without singletons."""
    cells, signatures = list[Cell](), list[str]()
    for name, folder in PUBLIC_OUTPUTS.items():
        path = data.path(f"ecbplus-outputs/{folder}/cross_doc")
        if path is None:
            continue
        for sign, profile in SINGLETON_PROFILES.items():
            result = score(path / "gold.conll", path / "system.conll", profile)
            signatures.append(f"{name}{sign}: {result.signature}")
            cells += [free_cell(f"{name}{sign}", c, score_column(result, c)) for c in columns]
    how = "outputs of Bugert et al. 2021 on the test topics of ECB+, gold mentions, corpus level"
    return RebuiltTable(
        number="3",
        title="systems whose outputs are public",
        how=how,
        cells=tuple(cells),
        needs="" if cells else "ecbplus-outputs (free)",
        signatures=tuple(signatures),
    )


def rebuild_clustering_levels(columns: Sequence[str], data: DataFolder) -> RebuiltTable:
    """Score chains of mentions with equal words, within subtopics, topics and the corpus."""
    title = "events of the same words, by level of clustering"
    corpus = data.corpus(ECB_PARTS["Test"])
    if corpus is None:
        return RebuiltTable(number="3", title=title, how="", cells=(), needs=MISSING_ECB)
    events, cells, signatures = select_kind(corpus, "event"), list[Cell](), list[str]()
    key = chains_from_labels(apply_scope(events, "corpus").mentions.chain.tolist())
    for scope in LEVELS:
        response = chains_from_labels(label_by_words(events, scope))
        for sign, profile in SINGLETON_PROFILES.items():
            result = score_clusters(key, response, profile)
            signatures.append(f"{scope}{sign}: {result.signature}")
            cells += [free_cell(f"{scope}{sign}", c, score_column(result, c)) for c in columns]
    how = "ECB+, gold mentions, scored over the whole corpus"
    return RebuiltTable(number="3", title=title, how=how, cells=tuple(cells), signatures=tuple(signatures))


def label_by_words(corpus: Corpus, scope: Scope) -> list[tuple[str, str]]:
    """Return the group of documents and the words of every mention."""
    group = group_names(corpus, scope)
    return [(group[document.index], mention.text.lower()) for document in corpus for mention in document.mentions]


def chains_from_labels(labels: Sequence[object]) -> Chains:
    """Group mentions with equal labels into chains; the span of a mention is its number.

    >>> chains_from_labels(["a", "b", "a"])
    [[(0, 0), (2, 2)], [(1, 1)]]
    """
    chains: dict[object, list[Span]] = {}
    for number, label in enumerate(labels):
        chains.setdefault(label, []).append((number, number))
    return list(chains.values())


def table_4(printed: PrintedPaper, data: DataFolder) -> Sequence[RebuiltTable]:
    """Rebuild the sizes of ECB+."""
    table = printed["4"]
    parts = {column: data.corpus(name) for column, name in ECB_PARTS.items()}
    figures = {
        (column, kind): {} if corpus is None else _corpus_figures(corpus, kind)
        for column, corpus in parts.items()
        for kind in ("", "event", "entity")
    }
    cells = [
        judge_cell(table, row, column, figures[column, row.given.get("kind", "")].get(row.given["figure"]))
        for row in table.rows
        for column in table.columns
    ]
    how = "ECB+ by its loader: curated sentences, chains joined across documents"
    return [rebuild_table(table, how, cells)]


def _corpus_figures(corpus: Corpus, kind: str) -> dict[str, float]:
    from corefbench.analysis.statistics import compute_figures, describe

    chosen = select_kind(corpus, kind) if kind else corpus
    values = compute_figures(describe(chosen, scope="corpus").counts)
    return {name: float(value) for name, value in values.items() if value is not None}


def select_kind(corpus: Corpus, kind: str) -> Corpus:
    """Keep only the events or the entities of the corpus."""
    from corefbench.corpus.selection import Selection, select

    return select(corpus, (Selection.parse(f"kind={kind}"),))


RECIPE = Recipe(
    paper=Paper(number="001", name="cattan-2021", cite="cattan2021", without_numbers="Table 1 is an example of data"),
    tables={"2": table_2, "3": table_3, "4": table_4},
)
