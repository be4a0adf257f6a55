"""ECB+ for Cattan et al. 2021: its event chains, public outputs, and clustering by level."""

from collections.abc import Sequence

from corefbench.experiments import scores
from corefbench.experiments.base import Cell, Rebuilt, Setting
from corefbench.experiments.verdict import free
from corefbench.model.corpus import Corpus
from corefbench.scope import Scope, apply_scope, group_names
from corefbench.scoring.api import score, score_clusters

PARTS = {"Train": "ecbplus/train", "Validation": "ecbplus/dev", "Test": "ecbplus/test"}
OUTPUTS = {
    "lemma": "ecbp_lemma_baselines/lemma",
    "lemma-δ": "ecbp_lemma_baselines/lemma-delta",
    "lemma, within documents": "ecbp_lemma_baselines/lemma-wd",
    "features": "ecbp_evaluate_clustering/0",
}
"""Bugert, Reimers & Gurevych 2021: lemma baselines and a feature-based run."""
ECB = "ECB+ (free) as the folder ecbplus of the data"
LEVELS: tuple[Scope, ...] = ("subtopic", "topic", "corpus")
SIGNS = {"+": "coval-keep", "−": "coval-remove"}


def event_chains(setting: Setting) -> list[int]:
    """The sizes of the event chains of the test topics, across documents; none without ECB+."""
    corpus = setting.corpus(PARTS["Test"])
    if corpus is None:
        return []
    sizes = apply_scope(of_kind(corpus, "event"), "corpus").chain_sizes()
    return [size for size in sizes.tolist() if size]


def public_outputs(columns: Sequence[str], setting: Setting) -> Rebuilt:
    """Systems whose outputs on the test topics are public, with singletons and without."""
    cells, signed = list[Cell](), list[str]()
    for name, folder in OUTPUTS.items():
        path = setting.path(f"ecbplus-outputs/{folder}/cross_doc")
        if path is None:
            continue
        for sign, profile in SIGNS.items():
            result = score(path / "gold.conll", path / "system.conll", profile)
            signed.append(f"{name}{sign}: {result.signature}")
            cells += [free(f"{name}{sign}", c, scores.score_in(result, c)) for c in columns]
    how = "outputs of Bugert et al. 2021 on the test topics of ECB+, gold mentions, corpus level"
    return Rebuilt(
        number="3",
        title="systems whose outputs are public",
        how=how,
        cells=tuple(cells),
        needs="" if cells else "ecbplus-outputs (free)",
        signatures=tuple(signed),
    )


def levels_of_clustering(columns: Sequence[str], setting: Setting) -> Rebuilt:
    """Mentions of the same words made one chain in each subtopic, each topic, and everywhere."""
    title = "events of the same words, by level of clustering"
    corpus = setting.corpus(PARTS["Test"])
    if corpus is None:
        return Rebuilt(number="3", title=title, how="", cells=(), needs=ECB)
    events, cells, signed = of_kind(corpus, "event"), list[Cell](), list[str]()
    key = grouped(apply_scope(events, "corpus").mentions.chain.tolist())
    for scope in LEVELS:
        response = grouped(same_words(events, scope))
        for sign, profile in SIGNS.items():
            result = score_clusters(key, response, profile)
            signed.append(f"{scope}{sign}: {result.signature}")
            cells += [free(f"{scope}{sign}", c, scores.score_in(result, c)) for c in columns]
    how = "ECB+, gold mentions, scored over the whole corpus"
    return Rebuilt(number="3", title=title, how=how, cells=tuple(cells), signatures=tuple(signed))


def same_words(corpus: Corpus, scope: Scope) -> list[tuple[str, str]]:
    """For every mention its group of documents and its words."""
    group = group_names(corpus, scope)
    return [
        (group[document.index], mention.text.lower())
        for document in corpus
        for mention in document.mentions
    ]


def grouped(labels: Sequence[object]) -> scores.Chains:
    """Chains of the mentions that carry one label; a mention's span is its number.

    >>> grouped(["a", "b", "a"])
    [[(0, 0), (2, 2)], [(1, 1)]]
    """
    chains: dict[object, list[scores.Span]] = {}
    for number, label in enumerate(labels):
        chains.setdefault(label, []).append((number, number))
    return list(chains.values())


def of_kind(corpus: Corpus, kind: str) -> Corpus:
    """The corpus with its events, or its entities, only."""
    from corefbench.stats.selection import Selection, select

    return select(corpus, (Selection.parse(f"kind={kind}"),))
