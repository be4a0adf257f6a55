"""Trains the cross-document resolver: pairs, threshold, and the detector of mentions."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.resolvers.across.bags import Rarity
from corefbench.resolvers.across.config import AcrossConfig, Reach
from corefbench.resolvers.across.context import Context, background_words
from corefbench.resolvers.across.finding import Finder
from corefbench.resolvers.across.model import KIND, CrossDocument
from corefbench.resolvers.across.pairs import all_pairs, sampled
from corefbench.resolvers.across.scorer import Lesson, scorers
from corefbench.resolvers.across.table import Table, gold
from corefbench.resolvers.across.topics import best_threshold, document_similarity
from corefbench.resolvers.across.words import Words, analysed
from corefbench.resolvers.learned.checkpoint import ModelCard, load_card
from corefbench.scope import group_numbers
from corefbench.training.across_data import Material, data_hash, load_material

Report = Callable[[str], None]

_THRESHOLDS = np.arange(0.05, 0.96, 0.05).round(2).tolist()


class Recipe(Record, frozen=True):
    """A configuration file: data by name, and the model."""

    train: str = "ecbplus/train"
    dev: str = "ecbplus/dev"
    sentences: str = "annotated"
    """Of ECB+: ``curated``, or all that are ``annotated``, to train on; dev is always curated."""
    model: AcrossConfig = AcrossConfig()
    detector_from: str = ""
    """A trained model whose detector is taken over: one detector finds events and entities."""
    licence: str = "CC BY 3.0"


def train_across(
    config: Mapping[str, Any], folder: Path, report: Report = lambda line: None
) -> ModelCard:
    """Train from a configuration and write a checkpoint."""
    began = time.process_time()
    recipe = msgspec.convert(dict(config), Recipe)
    train = load_material(recipe.train, recipe.sentences)
    dev = load_material(recipe.dev, "curated")
    report(f"train {train.corpus!r}, dev {dev.corpus!r}")
    finder = _borrowed(recipe.detector_from)
    model, scores = fit(train, dev, recipe.model, finder=finder, report=report)
    card = ModelCard(
        kind=KIND,
        config=model.described(),
        data={recipe.train: data_hash(train.corpus), recipe.dev: data_hash(dev.corpus)},
        scores=scores,
        seed=recipe.model.seed,
        licence=recipe.licence,
        notes=f"{recipe.sentences} sentences, {time.process_time() - began:.0f} CPU-s",
    )
    model.save(folder, card)
    return card


def predict_across(folder: Path, corpus: Corpus, **options: Any) -> Corpus:
    """What a checkpoint makes of a corpus; the options are those of ``CrossDocument.predict``."""
    return CrossDocument.load(folder).predict(corpus, **options)


def fit(
    train: Material,
    dev: Material,
    config: AcrossConfig,
    *,
    finder: Finder | None = None,
    report: Report = lambda line: None,
) -> tuple[CrossDocument, dict[str, float]]:
    """A model, and its scores on development data."""
    began = time.process_time()
    words, dev_words = (
        analysed(train.corpus, config.pipeline),
        analysed(dev.corpus, config.pipeline),
    )
    scores: dict[str, float] = {}
    if finder is None and config.detector is not None:
        finder, found = _detector(train.corpus, words, dev.corpus, dev_words, config, report)
        scores |= {f"mentions {kind}": value for kind, value in found.items()}
    rarity = Rarity.of(background_words(train.corpus, train.background), least=2)
    blank = CrossDocument(
        config=config,
        scorer=scorers["singletons"].load({}, {}),
        rarity=rarity,
        thresholds={},
        finder=finder,
    )
    context = blank.context(
        train.corpus, words, gold(train.corpus, words, config.kind), train.background
    )
    dev_context = blank.context(
        dev.corpus, dev_words, gold(dev.corpus, dev_words, config.kind), dev.background
    )
    report(f"{len(context.table)} mentions; {time.process_time() - began:.0f} CPU-s so far")
    scorer = scorers[config.scorer].fit(
        _lesson(train.corpus, context, config, config.pairs),
        _lesson(dev.corpus, dev_context, config, config.pairs),
        config.settings,
        config.seed,
        report,
    )
    model = msgspec.structs.replace(blank, scorer=scorer)
    thresholds, more = tune(model, dev, dev_words, dev_context, report)
    report(f"trained in {time.process_time() - began:.0f} CPU-s")
    return msgspec.structs.replace(model, thresholds=thresholds), scores | more


def tune(
    model: CrossDocument, dev: Material, words: Words, context: Context, report: Report
) -> tuple[dict[str, float], dict[str, float]]:
    """The thresholds that do best on development data, and what they reach."""
    thresholds: dict[str, float] = {}
    scores: dict[str, float] = {}
    # A corpus as a whole is cut where topics are: all its pairs would cost more than all else.
    reaches: list[Reach] = ["topic", "subtopic", "document"]
    if "subtopic" in dev.corpus.documents.columns:
        alike = document_similarity(context)
        topics, subtopics = (group_numbers(dev.corpus, s) for s in ("topic", "subtopic"))
        thresholds["documents"] = best_threshold(alike, subtopics, topics)
        model = msgspec.structs.replace(model, thresholds=dict(thresholds))
        reaches.append("predicted")
    given = {"gold": context}
    if model.finder is not None:
        table = model.finder.find(words, model.config.kind)
        given["predicted"] = model.context(dev.corpus, words, table, dev.background)
    for mentions, some in given.items():
        quick = model.remembering(dev.corpus, some)
        for reach in reaches if mentions == "gold" else ("topic", "subtopic", "predicted"):
            best = _best(quick, dev.corpus, some, reach, context.table)
            name = f"{mentions} {reach}"
            thresholds[name], scores[f"{name} +"], scores[f"{name} -"] = best
            report(f"dev {name}: {100 * best[1]:.2f} / {100 * best[2]:.2f} at {best[0]}")
    return thresholds, scores


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


def _lesson(corpus: Corpus, context: Context, config: AcrossConfig, most: int) -> Lesson:
    reach = "topic" if config.scope == "predicted" else config.scope
    one, other = all_pairs(group_numbers(corpus, reach)[context.table.document])
    labels = context.table.chain[one] == context.table.chain[other]
    rows = sampled(labels, config.negatives, most, config.seed)
    return Lesson(context=context, one=one[rows], other=other[rows], labels=labels[rows])


def _detector(
    train: Corpus, words: Words, dev: Corpus, dev_words: Words, config: AcrossConfig, report: Report
) -> tuple[Finder, dict[str, float]]:
    from corefbench.resolvers.across.detector import DetectorShape
    from corefbench.training.detector import DetectorSchedule, train_detector

    schedule = msgspec.convert({"seed": config.seed, **(config.detector or {})}, DetectorSchedule)
    found = train_detector(
        words,
        spans_by_kind(train, words),
        dev_words,
        spans_by_kind(dev, dev_words),
        DetectorShape(encoder=config.encoder),
        schedule,
        report,
    )
    return Finder([found.detector], found.thresholds), found.scores


def spans_by_kind(corpus: Corpus, words: Words) -> dict[str, set[tuple[int, int]]]:
    """Where the mentions of each kind stand, over the corpus."""
    tables = {kind: gold(corpus, words, kind) for kind in _KINDS}
    return {
        kind: set(zip(table.start.tolist(), table.end.tolist(), strict=True))
        for kind, table in tables.items()
    }


def _borrowed(folder: str) -> Finder | None:
    if not folder:
        return None
    load_card(Path(folder))
    return CrossDocument.load(Path(folder)).finder


_KINDS: tuple[Any, ...] = ("event", "entity")
