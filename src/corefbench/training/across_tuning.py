"""Where the trees of merges are cut: thresholds chosen on topics that the scorer has not seen."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.resolvers.across.config import Reach
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.model import CrossDocument
from corefbench.resolvers.across.table import Table
from corefbench.resolvers.across.topics import best_threshold, document_similarity
from corefbench.scope import group_numbers

Report = Callable[[str], None]

_THRESHOLDS: list[float] = np.arange(0.05, 0.96, 0.05).round(2).tolist()


class Tuned(Record, frozen=True):
    """Thresholds by mentions and reach, and what they reach."""

    thresholds: dict[str, float]
    scores: dict[str, float]


def document_threshold(corpus: Corpus, context: Context) -> dict[str, float]:
    """Where documents fall apart into subtopics; nothing where the corpus does not know them."""
    if "subtopic" not in corpus.documents.columns:
        return {}
    topics, subtopics = (group_numbers(corpus, scope) for scope in ("topic", "subtopic"))
    return {"documents": best_threshold(document_similarity(context), subtopics, topics)}


def tune(
    model: CrossDocument,
    corpus: Corpus,
    context: Context,
    key: Table,
    reaches: Iterable[Reach],
    mentions: str,
    report: Report,
) -> Tuned:
    """The thresholds that do best for mentions given or found, and their scores.

    A corpus as a whole is cut where topics are: all its pairs would cost more than all else.
    """
    quick = model.remembering(corpus, context)
    made = Tuned(thresholds={}, scores={})
    for reach in reaches:
        at, *both = _best(quick, corpus, context, reach, key)
        name = f"{mentions} {reach}"
        made.thresholds[name] = at
        made.scores[f"{name} +"], made.scores[f"{name} -"] = both
        report(f"held out, {name}: {100 * both[0]:.2f} / {100 * both[1]:.2f} at {at}")
    return made


def reaches_of(model: CrossDocument) -> tuple[Reach, ...]:
    """How far chains may reach where that can be tuned."""
    return ("topic", "subtopic", *(("predicted",) if "documents" in model.thresholds else ()))


def _best(
    model: CrossDocument, corpus: Corpus, context: Context, reach: Reach, key: Table
) -> tuple[float, float, float]:
    """The threshold with the best mean of CoNLL F1 with and without singletons, and these two."""
    forest = model.forest(corpus, context, reach)
    tried = [(at, *conll(key, key.chain, context.table, forest.clusters(at))) for at in _THRESHOLDS]
    return max(tried, key=lambda row: row[1] + row[2])


def conll(key: Table, chain: Any, found: Table, cluster: Any) -> tuple[float, float]:
    """CoNLL F1 with and without singletons, the corpus taken as one document."""
    from corefbench.scoring.api import score_clusters

    sides = _clusters(key, chain), _clusters(found, cluster)
    results = [score_clusters(*sides, profile=name) for name in ("coval-keep", "cattan-2021")]
    both = [result.conll.f1 if result.conll else 0.0 for result in results]
    return both[0], both[1]


def _clusters(table: Table, cluster: Any) -> list[list[tuple[int, int]]]:
    made: dict[int, list[tuple[int, int]]] = {}
    for start, end, number in zip(
        table.start.tolist(), table.end.tolist(), cluster.tolist(), strict=True
    ):
        made.setdefault(number, []).append((start, end))
    return list(made.values())
