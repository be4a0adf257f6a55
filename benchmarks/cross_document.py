"""Table 3 of Cattan et al. 2021 on ECB+.

EVENT and ENTITY are models that ``corefbench train`` made of the configurations in
examples/training. Both are scored on ECB+ with mentions that are given and with mentions that they
find, in topics, in subtopics and in subtopics that they find, beside two baselines and ``--also``
other models; and what blocking loses is measured. Writes docs/results/cross-document.md.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchmarks.page import Page, markdown_table

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus
    from corefbench.resolvers.cross_document.context import PairContext
    from corefbench.resolvers.cross_document.model import CrossDocumentModel


_HEAD = (
    "mentions, reach, system", "MUC R", "P", "F1", "B³ R", "P", "F1", "CEAFe R", "P", "F1",
    "LEA R", "P", "F1", "CoNLL",
)  # fmt: skip
_TABLE_3 = """
gold subtopic singletons + 0 0 0 45.2 100 62.3 86.7 39.2 54.0 35.0 35.0 35.0 38.8
gold subtopic singletons − 0 0 0 0 0 0 0 0 0 0 0 0 0
gold subtopic Barhom2019 + 78.1 84.0 80.9 76.8 86.1 81.2 79.6 73.3 76.3 64.6 72.3 68.3 79.5
gold subtopic Barhom2019 − 78.1 84.0 80.9 61.2 73.5 66.8 63.2 48.9 55.2 58.4 71.2 64.2 67.6
gold subtopic Meged2020 + 78.8 84.7 81.6 75.9 85.9 80.6 81.1 74.8 77.8 64.7 73.4 68.8 80.0
gold subtopic Meged2020 − 78.8 84.7 81.6 60.4 73.8 66.4 65.5 49.5 56.4 57.2 71.2 63.4 68.1
gold subtopic Cattan2021 + 85.1 81.9 83.5 82.1 82.7 82.4 75.2 78.9 77.0 68.8 72.0 70.4 81.0
gold subtopic Cattan2021 − 85.1 81.9 83.5 70.8 70.2 70.5 68.2 52.3 59.2 68.2 67.6 67.9 71.1
gold topic Cattan2021 + 80.1 76.3 78.1 77.4 71.7 74.5 73.1 77.8 75.4 62.9 59.1 61.0 76.0
gold topic Cattan2021 − 80.1 76.3 78.1 63.4 54.1 58.4 56.3 44.2 49.5 59.7 49.6 54.2 62.0
predicted subtopic Cattan2021 + 61.7 67.4 64.5 57.8 68.4 62.6 57.2 65.5 61.1 46.6 57.7 51.6 62.7
predicted subtopic Cattan2021 − 61.7 67.4 64.5 47.6 56.9 51.8 53.0 41.9 46.8 44.4 53.8 48.7 54.4
predicted topic Cattan2021 + 61.5 62.5 62.0 55.6 56.1 55.8 52.8 66.7 59.0 43.4 46.2 44.8 58.9
predicted topic Cattan2021 − 61.5 62.5 62.0 44.7 41.4 43.0 43.9 37.9 40.7 40.9 37.4 39.1 48.6
"""
"""Of Cattan et al. 2021: R, P and F1 of MUC, B³, CEAFe and LEA, and CoNLL."""
_CATTAN = "Cattan et al. 2021, RoBERTa-large (printed)"
_NAMES = {
    "singletons": "singletons (printed)",
    "Barhom2019": "Barhom et al. 2019 (printed)",
    "Meged2020": "Meged et al. 2020 (printed)",
    "Cattan2021": _CATTAN,
}
_PRINTED = {
    (mentions, reach, _NAMES[system], sign): cells
    for mentions, reach, system, sign, *cells in map(str.split, _TABLE_3.strip().splitlines())
}
_FOUND = "76.0", "84.7", "80.1"
"""R, P and F1 of the mentions, in the text of the paper."""
_SCOPE_TITLES = {"subtopic": "subtopic", "topic": "topic", "predicted": "found subtopics"}


def render_page(rows: Sequence[dict], blocking: Sequence[dict], notes: Sequence[tuple[Path, float]], part: str) -> str:
    """The whole page in Markdown."""
    return _TEXT.format(
        part=part,
        models="\n".join(f"* {_model(folder, took)}" for folder, took in notes),
        short=_short(rows),
        event=_long(rows, "event"),
        entity=_long(rows, "entity"),
        detection=_detection(rows),
        dev=_dev([folder for folder, _ in notes]),
        blocking=_blocked(blocking),
    )


def _model(folder: Path, took: float) -> str:
    from corefbench.resolvers.checkpoint import load_card

    card = load_card(folder)
    what = card.config["model"]
    data = ", ".join(f"{name} {digest}" for name, digest in card.data.items())
    return (
        f"**{what['kind']}**, {what['scorer']}, seed {card.seed}; {card.notes}; {data}; "
        f"resolved and scored in {took:.0f} CPU-s"
    )


def _short(rows: Sequence[dict]) -> str:
    """CoNLL F1 with / without singletons of every system, reaches beside each other."""
    names = list(dict.fromkeys((r["kind"], r["mentions"], r["system"]) for r in rows))
    conll = {(*_place(r), r["sign"]): r["conll"] for r in rows}
    table = []
    for kind, mentions, system in names:
        cells = [
            " / ".join(f"{conll[kind, mentions, reach, system, sign]:.1f}" for sign in "+−") for reach in _SCOPE_TITLES
        ]
        table.append([f"{kind}, {mentions} mentions, {system}", *cells])
    for mentions in ("gold", "predicted"):
        cells = [
            " / ".join(_PRINTED[mentions, reach, _CATTAN, sign][-1] for sign in "+−") for reach in ("subtopic", "topic")
        ]
        table.append([f"event, {mentions} mentions, {_CATTAN}", *cells, ""])
    return markdown_table(["", *_SCOPE_TITLES.values()], table)


def _place(row: dict) -> tuple[str, str, str, str]:
    return row["kind"], row["mentions"], row["reach"], row["system"]


def _long(rows: Sequence[dict], kind: str) -> str:
    table = []
    for mentions in ("gold", "predicted"):
        for reach, title in _SCOPE_TITLES.items():
            if kind == "event":
                for (whose, where, system, sign), printed in _PRINTED.items():
                    if (whose, where) == (mentions, reach):
                        table.append([f"{mentions}, {title}, {system} {sign}", *printed])
            for row in rows:
                if (row["kind"], row["mentions"], row["reach"]) == (kind, mentions, reach):
                    cells = [f"{value:.1f}" for value in [*row["scores"][:12], row["conll"]]]
                    table.append([f"{mentions}, {title}, {row['system']} {row['sign']}", *cells])
    return markdown_table(_HEAD, table)


def _detection(rows: Sequence[dict]) -> str:
    cells_by_kind = {
        row["kind"]: [f"{value:.1f}" for value in row["scores"][12:]]
        for row in rows
        if row["mentions"] == "predicted" and row["sign"] == "+"
    }
    plural = {"event": "events", "entity": "entities"}
    table = [[plural[kind], *cells] for kind, cells in cells_by_kind.items()]
    return markdown_table(["mentions", "R", "P", "F1"], [*table, [f"events, {_CATTAN}", *_FOUND]])


def _dev(folders: Sequence[Path]) -> str:
    from corefbench.resolvers.checkpoint import load_card

    table = []
    for folder in folders:
        card = load_card(folder)
        name = f"{card.config['model']['kind']}, {card.config['model']['scorer']}"
        for what, at in card.config["thresholds"].items():
            if f"{what} +" in card.scores:
                both = " / ".join(f"{100 * card.scores[f'{what} {sign}']:.1f}" for sign in "+-")
                table.append([f"{name}, {what}", both, f"{at:.2f}"])
    return markdown_table(["model, mentions and reach", "CoNLL", "threshold"], table)


def _blocked(blocking: Sequence[dict]) -> str:
    table = [
        [
            f"{row['kind']}, {row['reach']}",
            f"{row['neighbours']} + {row['same_lemma']}",
            f"{row['recall']:.1f} %",
            f"{row['kept']:.1f} %",
        ]
        for row in blocking
    ]
    return markdown_table(["", "neighbours + same lemma", "recall", "pairs kept"], table)


_TEXT = """# Coreference across documents: ECB+

`python -m benchmarks cross-document EVENT ENTITY --part {part}`

ECB+ {part}, curated sentences, the corpus scored as one document: with singletons (+, profile
`coval-keep`) and without (−, `cattan-2021`). Thresholds come from the training and development
topics, each judged by scorers that had not seen it; the test topics chose nothing. The models are
what `corefbench train` makes of `examples/training/cross-document-event.toml` and
`cross-document-entity.toml`; their encoder is MiniLM (22 M parameters), that of the paper
RoBERTa-large (355 M).

{models}

## CoNLL F1, with / without singletons

{short}

## Events, beside Table 3 of Cattan et al. 2021

{event}

## Entities

{entity}

## Mentions found

Exact spans, singletons among them:

{detection}

## Topics held out

Given mentions: the 33 topics of train and dev, each scored by a model that learned from others
(`folds`). Mentions found: the 8 development topics, in the same way; the detector learned from
train alone, and dev chose its epoch.

{dev}

## Blocking

Candidates of a mention are its nearest neighbours by span vector and the nearest of those with its
head lemma. Recall is the share of coreferent pairs that are candidates, of mentions that are given:

{blocking}
"""


_SCOPES = ("subtopic", "topic", "predicted")
_PROFILES = {"+": "coval-keep", "−": "cattan-2021"}
_MEASURES = ("muc", "b_cubed", "ceaf_e", "lea")
_BLOCKING = ((10, 30), (20, 50), (50, 100), (100, 200))


def run(arguments: argparse.Namespace) -> Page:
    """Resolve, score."""
    rows, blocking, notes = [], [], []
    for folder in (arguments.event, arguments.entity, *arguments.also):
        baselines = folder in (arguments.event, arguments.entity)
        began = time.process_time()
        model_rows, blocked = _measure_model(folder, arguments.part, baselines)
        rows += model_rows
        blocking += blocked if baselines else []
        notes.append((folder, time.process_time() - began))
    text = render_page(rows, blocking, notes, arguments.part)
    return Page("cross-document", text)


def _measure_model(folder: Path, part: str, baselines: bool) -> tuple[list[dict], list[dict]]:
    from corefbench.resolvers.cross_document.mentions import analyse_corpus, gold_mentions
    from corefbench.resolvers.cross_document.model import CrossDocumentModel, build_response
    from corefbench.resolvers.cross_document.training import load_data

    model = CrossDocumentModel.load(folder)
    material = load_data(f"ecbplus/{part}")
    corpus, kind = material.corpus, model.config.kind
    words = analyse_corpus(corpus, model.config.pipeline)
    table = gold_mentions(corpus, words, kind)
    key = build_response(corpus, table, table.chain, kind)
    rows, blocked = [], []
    for mentions in ("gold", "predicted") if model.detector is not None else ("gold",):
        context = model.context(corpus, words, model.find_mentions(corpus, words, mentions), material.background)
        for row in _rows(model, corpus, context, key, mentions, baselines):
            print(row["kind"], mentions, row["reach"], row["system"], row["sign"], row["conll"])
            rows.append(row)
        if mentions == "gold":
            blocked = list(_measure_blocking(model, corpus, context))
    return rows, blocked


def _rows(
    model: "CrossDocumentModel", corpus: "Corpus", context: "PairContext", key: "Corpus", mentions: str, baselines: bool
) -> Iterator[dict]:
    """Every system in every reach, with and without singletons."""
    from corefbench.resolvers.cross_document.model import build_response
    from corefbench.scoring.api import score

    systems = {name: some.with_cached_scores(corpus, context) for name, some in _systems(model, baselines).items()}
    for reach in _SCOPES:
        for system, some in systems.items():
            at = some.threshold(mentions, reach)
            clusters = some.link(corpus, context, reach)[0].clusters(at)
            response = build_response(corpus, context.mentions, clusters, model.config.kind)
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


def _systems(model: "CrossDocumentModel", baselines: bool) -> "dict[str, CrossDocumentModel]":
    """The baselines, if asked for, and the model."""
    from corefbench.resolvers.cross_document.scorers.base import pair_scorers

    models = {}
    for name in ("singletons", "head-lemma") if baselines else ():
        # Only the grouping of documents is the model's.
        documents = {k: v for k, v in model.thresholds.items() if k == "documents"}
        models[name] = replace(model, scorer=pair_scorers[name].load({}, {}), thresholds=documents)
    return models | {model.config.scorer: model}


def _measure_blocking(model: "CrossDocumentModel", corpus: "Corpus", context: "PairContext") -> Iterator[dict]:
    """What candidates keep of the coreferent pairs, and how many pairs they are."""
    from corefbench.corpus.scope import group_numbers
    from corefbench.resolvers.cross_document.blocking import blocking_recall, candidate_pairs_of
    from corefbench.resolvers.cross_document.clustering import count_pairs
    from corefbench.resolvers.cross_document.config import BlockingConfig

    for reach in ("topic", "corpus"):
        group = group_numbers(corpus, reach)[context.mentions.document]
        total = count_pairs(group)
        for neighbours, same_lemma in _BLOCKING:
            blocking = BlockingConfig(neighbours=neighbours, same_lemma=same_lemma)
            left, right = candidate_pairs_of(context, group, blocking)
            yield {
                "kind": model.config.kind,
                "reach": reach,
                "neighbours": neighbours,
                "same_lemma": same_lemma,
                "recall": 100 * blocking_recall(context.mentions.chain, left, right, group),
                "kept": 100 * len(left) / total,
            }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("event", type=Path)
    parser.add_argument("entity", type=Path)
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="more models to score")
    parser.add_argument("--part", default="test", choices=("dev", "test"))
