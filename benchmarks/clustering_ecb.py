"""Blocked linking held against exact linking on ECB+, with a trained model."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus
    from corefbench.resolvers.across.context import Context
    from corefbench.resolvers.across.model import CrossDocument

_CHOICES = ((20, 50, "scored"), (50, 100, "zero"), (50, 100, "scored"))


def compared(folder: Path, part: str = "dev") -> list[dict[str, Any]]:
    """CoNLL F1 with and without singletons of exact and of blocked linking, in two scopes."""
    from corefbench.resolvers.across.model import CrossDocument
    from corefbench.resolvers.across.table import gold
    from corefbench.resolvers.across.words import analysed
    from corefbench.training.across_data import load_material

    model = CrossDocument.load(folder)
    material = load_material(f"ecbplus/{part}")
    words = analysed(material.corpus, model.config.pipeline)
    table = gold(material.corpus, words, model.config.kind)
    context = model.context(material.corpus, words, table, material.background)
    rows = []
    for name, some in _systems(model).items():
        for row in _rows(some, material.corpus, context):
            print(name, row, flush=True)
            rows.append({"system": name, **row})
    return rows


def _systems(model: "CrossDocument") -> "dict[str, CrossDocument]":
    """The model; and, if it looks twice, one that looks once."""
    first = getattr(model.scorer, "first", None)
    once = {"boosting": replace(model, scorer=first[0])} if first else {}
    return {**once, model.config.scorer: model}


def _rows(model: "CrossDocument", corpus: "Corpus", context: "Context") -> Iterator[dict[str, Any]]:
    from corefbench.resolvers.across.blocking import Blocking
    from corefbench.training.across_tuning import conll

    table = context.table
    for reach in ("topic", "corpus"):
        at = model.threshold("gold", reach)  # type: ignore[arg-type]
        exact = None
        for choice in (None, *_CHOICES):
            linking, some = "exact", model
            if choice is not None:
                neighbours, same_lemma, unscored = choice
                blocking = Blocking(neighbours=neighbours, same_lemma=same_lemma, unscored=unscored)
                some = replace(model, config=replace(model.config, blocking=blocking))
                linking = "blocked"
            clusters, account = some.linked(corpus, context, reach, at, linking)  # type: ignore[arg-type]
            exact = clusters if exact is None else exact
            yield {
                "reach": reach,
                "linking": account.linking,
                "choice": choice,
                "mentions": account.mentions,
                "pairs": account.pairs,
                "recall": account.recall,
                "together": account.together,
                "components": account.components,
                "largest": account.largest,
                "key": conll(table, table.chain, table, clusters),
                "agreement": conll(table, exact, table, clusters)[0],
            }
