"""Trains the cross-document resolver: pairs, threshold, and the detector of mentions."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.resolvers.across.bags import Rarity
from corefbench.resolvers.across.config import AcrossConfig, Reach
from corefbench.resolvers.across.context import background_words
from corefbench.resolvers.across.finding import Finder
from corefbench.resolvers.across.folds import Folds, folded
from corefbench.resolvers.across.model import KIND, CrossDocument
from corefbench.resolvers.across.pairs import all_pairs, sampled
from corefbench.resolvers.across.scorer import Lesson, PairScorer, scorers
from corefbench.resolvers.across.table import gold
from corefbench.resolvers.across.words import Words, analysed
from corefbench.resolvers.learned.checkpoint import ModelCard, load_card
from corefbench.resolvers.neural.fine_tuning import repeatable
from corefbench.scope import group_names, group_numbers
from corefbench.training.across_data import Material, data_hash, joined, load_material
from corefbench.training.across_tuning import document_threshold, reaches_of, tune

Report = Callable[[str], None]


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
        notes=f"{recipe.sentences} sentences, {time.process_time() - began:.0f} CPU-s"
        + (", its detector taken over" if recipe.detector_from else ""),
    )
    model.save(folder, card)
    return card


def predict_across(folder: Path, corpus: Corpus, **options: Any) -> Corpus:
    """What a checkpoint makes of a corpus; the options are those of ``CrossDocument.predict``."""
    return CrossDocument.load(folder).predict(corpus, **options)


@repeatable()
def fit(
    train: Material,
    dev: Material,
    config: AcrossConfig,
    *,
    finder: Finder | None = None,
    report: Report = lambda line: None,
) -> tuple[CrossDocument, dict[str, float]]:
    """A model, and its scores on topics that it did not see.

    Without ``folds`` the scorer learns from train, and dev says where to cut. With folds it learns
    from both, and where to cut is chosen on all topics by scorers that did not learn from them.
    """
    began = time.process_time()
    scores: dict[str, float] = {}
    if finder is None and config.detector is not None:
        finder, found = _detector(train.corpus, dev.corpus, config, report)
        scores |= {f"mentions {kind}": value for kind, value in found.items()}
    taught = joined(train, dev) if config.folds else train
    blank = CrossDocument(
        config=config,
        scorer=scorers["singletons"].load({}, {}),
        rarity=Rarity.of(background_words(taught.corpus, taught.background), least=2),
        thresholds={},
        finder=finder,
    )
    lesson = _lesson(blank, taught, config.pairs)
    report(f"{len(lesson.context.table)} mentions; {time.process_time() - began:.0f} CPU-s so far")
    tuned = joined(train.as_tested(), dev) if config.folds else dev
    checked = _lesson(blank, tuned, None)
    scorer = scorers[config.scorer].fit(lesson, checked, config.settings, config.seed, report)
    judges = _judges(scorer, lesson, config, report)
    thresholds, more = _tuned(blank, scorer, judges, tuned, checked, dev, report)
    report(f"trained in {time.process_time() - began:.0f} CPU-s")
    model = msgspec.structs.replace(blank, scorer=scorer, thresholds=thresholds)
    return model, scores | more


def _judges(
    scorer: PairScorer, lesson: Lesson, config: AcrossConfig, report: Report
) -> Folds | None:
    """Scorers for each fold of topics; a stacked one has them anyway."""
    if not config.folds:
        return None
    made = getattr(scorer, "judges", None)
    if isinstance(made, Folds):
        return made
    fold = folded(lesson.topics, config.folds, config.seed)
    return Folds.fit(config.scorer, lesson, fold, config.settings, config.seed, report)


def _tuned(
    blank: CrossDocument,
    scorer: PairScorer,
    judges: Folds | None,
    tuned: Material,
    checked: Lesson,
    dev: Material,
    report: Report,
) -> tuple[dict[str, float], dict[str, float]]:
    """Thresholds for mentions that are given, and, by dev, for mentions that are found."""
    thresholds = document_threshold(tuned.corpus, checked.context)
    model = msgspec.structs.replace(blank, thresholds=dict(thresholds))

    def judged(corpus: Corpus) -> CrossDocument:
        return msgspec.structs.replace(
            model, scorer=scorer if judges is None else judges.of(group_names(corpus, "topic"))
        )

    reaches: tuple[Reach, ...] = (*reaches_of(model), "document")
    given = tune(
        judged(tuned.corpus),
        tuned.corpus,
        checked.context,
        checked.context.table,
        reaches,
        "gold",
        report,
    )
    if model.finder is None:
        return thresholds | given.thresholds, given.scores
    words = analysed(dev.corpus, model.config.pipeline)
    table = model.finder.find(words, model.config.kind)
    context = model.context(dev.corpus, words, table, dev.background)
    key = gold(dev.corpus, words, model.config.kind)
    found = tune(
        judged(dev.corpus), dev.corpus, context, key, reaches_of(model), "predicted", report
    )
    return thresholds | given.thresholds | found.thresholds, given.scores | found.scores


def _lesson(model: CrossDocument, material: Material, most: int | None) -> Lesson:
    """Pairs of the mentions that are annotated: all, or a sample."""
    corpus, config = material.corpus, model.config
    words = analysed(corpus, config.pipeline)
    table = gold(corpus, words, config.kind)
    context = model.context(corpus, words, table, material.background)
    reach = "topic" if config.scope == "predicted" else config.scope
    one, other = all_pairs(group_numbers(corpus, reach)[table.document])
    labels = table.chain[one] == table.chain[other]
    topics = tuple(group_names(corpus, "topic"))
    made = Lesson(context=context, one=one, other=other, labels=labels, topics=topics)
    if most is None:
        return made
    return made.only(sampled(labels, config.negatives, most, config.seed))


def _detector(
    train: Corpus, dev: Corpus, config: AcrossConfig, report: Report
) -> tuple[Finder, dict[str, float]]:
    from corefbench.resolvers.across.detector import DetectorShape
    from corefbench.training.detector import DetectorSchedule, train_detector

    schedule = msgspec.convert({"seed": config.seed, **(config.detector or {})}, DetectorSchedule)
    words, dev_words = (analysed(corpus, config.pipeline) for corpus in (train, dev))
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
