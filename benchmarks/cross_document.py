"""Table 3 of Cattan et al. 2021: ``python -m benchmarks.cross_document EVENT ENTITY``.

EVENT and ENTITY are models that ``corefbench train`` made of the configurations in
examples/training. Both are scored on ECB+ with mentions that are given and with mentions that they
find, in topics, in subtopics and in subtopics that they find, beside two baselines and ``--also``
other models; and what blocking loses is measured. Writes docs/results/cross-document.md.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchmarks.cross_document_page import page
from benchmarks.pages import RESULTS

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus
    from corefbench.resolvers.across.context import Context
    from corefbench.resolvers.across.model import CrossDocument

_REACHES = ("subtopic", "topic", "predicted")
_PROFILES = {"+": "coval-keep", "−": "cattan-2021"}
_MEASURES = ("muc", "b_cubed", "ceaf_e", "lea")
_BLOCKING = ((10, 30), (20, 50), (50, 100), (100, 200))


def main() -> None:
    """Resolve, score, print and write the page."""
    arguments = _arguments()
    rows, blocking, notes = [], [], []
    for folder in (arguments.event, arguments.entity, *arguments.also):
        baselines = folder in (arguments.event, arguments.entity)
        began = time.process_time()
        found, blocked = _measured(folder, arguments.part, baselines)
        rows += found
        blocking += blocked if baselines else []
        notes.append((folder, time.process_time() - began))
    text = page(rows, blocking, notes, arguments.part)
    print(text)
    if not arguments.dry:
        (RESULTS / "cross-document.md").write_text(text, encoding="utf-8")


def _measured(folder: Path, part: str, baselines: bool) -> tuple[list[dict], list[dict]]:
    from corefbench.resolvers.across.model import CrossDocument
    from corefbench.resolvers.across.response import respond
    from corefbench.resolvers.across.table import gold
    from corefbench.resolvers.across.words import analysed
    from corefbench.training.across_data import load_material

    model = CrossDocument.load(folder)
    material = load_material(f"ecbplus/{part}")
    corpus, kind = material.corpus, model.config.kind
    words = analysed(corpus, model.config.pipeline)
    table = gold(corpus, words, kind)
    key = respond(corpus, table, table.chain, kind)
    rows, blocked = [], []
    for mentions in ("gold", "predicted") if model.finder is not None else ("gold",):
        context = model.context(
            corpus, words, model.mentions(corpus, words, mentions), material.background
        )
        for row in _rows(model, corpus, context, key, mentions, baselines):
            print(row["kind"], mentions, row["reach"], row["system"], row["sign"], row["conll"])
            rows.append(row)
        if mentions == "gold":
            blocked = list(_blocking(model, corpus, context))
    return rows, blocked


def _rows(
    model: "CrossDocument",
    corpus: "Corpus",
    context: "Context",
    key: "Corpus",
    mentions: str,
    baselines: bool,
) -> Iterator[dict]:
    """Every system in every reach, with and without singletons."""
    from corefbench.resolvers.across.response import respond
    from corefbench.scoring.api import score

    systems = {
        name: some.remembering(corpus, context) for name, some in _systems(model, baselines).items()
    }
    for reach in _REACHES:
        for system, some in systems.items():
            at = some.threshold(mentions, reach)
            clusters = some.forest(corpus, context, reach).clusters(at)
            response = respond(corpus, context.table, clusters, model.config.kind)
            for sign, profile in _PROFILES.items():
                result = score(key, response, profile=profile, scope="corpus")
                scores = [result[name] for name in (*_MEASURES, "mentions")]
                yield {
                    "kind": model.config.kind,
                    "mentions": mentions,
                    "reach": reach,
                    "system": system,
                    "sign": sign,
                    "scores": [100 * v for s in scores for v in (s.recall, s.precision, s.f1)],
                    "conll": 100 * result.conll.f1,
                }


def _systems(model: "CrossDocument", baselines: bool) -> "dict[str, CrossDocument]":
    """The baselines, if asked for, and the model."""
    from corefbench.resolvers.across.scorer import scorers

    made = {}
    for name in ("singletons", "head-lemma") if baselines else ():
        # Only the grouping of documents is the model's.
        documents = {k: v for k, v in model.thresholds.items() if k == "documents"}
        made[name] = replace(model, scorer=scorers[name].load({}, {}), thresholds=documents)
    return made | {model.config.scorer: model}


def _blocking(model: "CrossDocument", corpus: "Corpus", context: "Context") -> Iterator[dict]:
    """What candidates keep of the coreferent pairs, and how many pairs they are."""
    from corefbench.resolvers.across.blocking import Blocking, blocking_recall
    from corefbench.resolvers.across.candidates import blocked_pairs
    from corefbench.resolvers.across.pairs import pair_count
    from corefbench.scope import group_numbers

    for reach in ("topic", "corpus"):
        group = group_numbers(corpus, reach)[context.table.document]
        total = pair_count(group)
        for neighbours, same_lemma in _BLOCKING:
            blocking = Blocking(neighbours=neighbours, same_lemma=same_lemma)
            one, other = blocked_pairs(context, group, blocking)
            yield {
                "kind": model.config.kind,
                "reach": reach,
                "neighbours": neighbours,
                "same_lemma": same_lemma,
                "recall": 100 * blocking_recall(context.table.chain, one, other, group),
                "kept": 100 * len(one) / total,
            }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("event", type=Path)
    parser.add_argument("entity", type=Path)
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="more models to score")
    parser.add_argument("--part", default="test", choices=("dev", "test"))
    parser.add_argument("--dry", action="store_true", help="print only")
    return parser.parse_args()


if __name__ == "__main__":
    main()
