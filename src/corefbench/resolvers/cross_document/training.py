"""Training of cross-document models: data, pair scorer, thresholds and mention detector."""

import hashlib
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import group_names, group_numbers
from corefbench.datasets import load_dataset
from corefbench.datasets.load import dataset_files
from corefbench.formats.base import Reading
from corefbench.formats.ecbplus import EcbPlus
from corefbench.formats.source import Source
from corefbench.records import Columns, Longs, Record
from corefbench.resolvers.checkpoint import ModelCard
from corefbench.resolvers.cross_document.clustering import all_pairs, best_document_threshold, sample_pairs
from corefbench.resolvers.cross_document.config import CrossDocumentConfig, Scope
from corefbench.resolvers.cross_document.context import PairContext, background_words
from corefbench.resolvers.cross_document.mention_detection import (
    MENTION_KINDS,
    DetectorConfig,
    DetectorSchedule,
    MentionDetector,
    train_detector,
)
from corefbench.resolvers.cross_document.mentions import AnalysedTokens, MentionTable, analyse_corpus, gold_mentions
from corefbench.resolvers.cross_document.model import KIND, CrossDocumentModel
from corefbench.resolvers.cross_document.scorers.base import PairScorer, SingletonScorer, TrainingPairs, pair_scorers
from corefbench.resolvers.cross_document.scorers.combined import FoldScorers, assign_folds
from corefbench.resolvers.cross_document.vectors import InverseDocumentFrequency
from corefbench.resolvers.training.config import Report, TrainingConfig, load_corpus, parse_section
from corefbench.resolvers.training.fine_tuning import deterministic_training
from corefbench.scoring.api import score_clusters

_THRESHOLDS: list[float] = np.arange(0.05, 0.96, 0.05).round(2).tolist()
_SCOPES: tuple[Scope, ...] = ("topic", "subtopic")
_PROFILES = ("coval-keep", "cattan-2021")
"""With and without singletons."""


class TrainingRecipe(Record, frozen=True):
    """Sections [model] and [training] of a configuration, and its corpora."""

    train: str = "ecbplus/train"
    dev: str = "ecbplus/dev"
    sentences: str = "annotated"
    """Training sentences of ECB+: ``curated``, or all that are ``annotated``; dev is curated."""
    model: CrossDocumentConfig = CrossDocumentConfig()
    detector_from: str = ""
    """A trained model whose detector is reused: one detector finds events and entities."""
    licence: str = "CC BY 3.0"


def train_cross_document(config: TrainingConfig, folder: Path, report: Report = lambda line: None) -> ModelCard:
    """Train from a configuration and write a checkpoint."""
    began = time.process_time()
    sections = {
        **({"dev": config.dev[0].corpus} if config.dev else {}),
        "train": config.train[0].corpus,
        "model": {"seed": config.seed, **config.model},
        **({"licence": config.licence} if config.licence else {}),
        **config.training,
    }
    recipe = parse_section(sections, TrainingRecipe, "training", config.source)
    train = load_data(recipe.train, recipe.sentences)
    dev = load_data(recipe.dev, "curated")
    report(f"train {train.corpus!r}, dev {dev.corpus!r}")
    detector = None
    if recipe.detector_from:
        detector = CrossDocumentModel.load(Path(recipe.detector_from)).detector
    model, scores = fit_model(train, dev, recipe.model, detector=detector, report=report)
    card = ModelCard(
        kind=KIND,
        config=model.describe(),
        data={recipe.train: data_hash(train.corpus), recipe.dev: data_hash(dev.corpus)},
        scores=scores,
        seed=recipe.model.seed,
        licence=recipe.licence,
        notes=f"{recipe.sentences} sentences, {time.process_time() - began:.0f} CPU-s"
        + (", detector of another model" if recipe.detector_from else ""),
    )
    model.save(folder, card)
    return card


@deterministic_training()
def fit_model(
    train: "TrainingData",
    dev: "TrainingData",
    config: CrossDocumentConfig,
    *,
    detector: MentionDetector | None = None,
    report: Report = lambda line: None,
) -> tuple[CrossDocumentModel, dict[str, float]]:
    """Return a model and its scores on topics that it was not trained on.

    Without ``folds`` the scorer is trained on train, and dev chooses the thresholds. With folds it
    is trained on both, and the thresholds are chosen on all topics by cross-validation.
    """
    began = time.process_time()
    scores: dict[str, float] = {}
    if detector is None and config.detector is not None:
        detector, f1_by_kind = _train_detector(train.corpus, dev.corpus, config, report)
        scores |= {f"mentions {kind}": f1 for kind, f1 in f1_by_kind.items()}
    data = concatenate_data(train, dev) if config.folds else train
    untrained = CrossDocumentModel(
        config=config,
        scorer=SingletonScorer(),
        idf=InverseDocumentFrequency.fit(background_words(data.corpus, data.background), min_count=2),
        thresholds={},
        detector=detector,
    )
    pairs = _labelled_pairs(untrained, data)
    pairs = pairs.select(sample_pairs(pairs.labels, config.negatives, config.pairs, config.seed))
    report(f"{len(pairs.context.mentions)} mentions; {time.process_time() - began:.0f} CPU-s so far")
    tuning = concatenate_data(train.as_tested(), dev) if config.folds else dev
    tuning_pairs = _labelled_pairs(untrained, tuning)
    scorer = pair_scorers[config.scorer].fit(pairs, tuning_pairs, config.settings, config.seed, report)
    fold_scorers = _fold_scorers(scorer, pairs, config, report) if config.folds else None
    thresholds, tuned = _tune_model(untrained, scorer, fold_scorers, tuning, tuning_pairs, dev, report)
    report(f"trained in {time.process_time() - began:.0f} CPU-s")
    return replace(untrained, scorer=scorer, thresholds=thresholds), scores | tuned


def _labelled_pairs(model: CrossDocumentModel, data: "TrainingData") -> TrainingPairs:
    """Return all pairs of annotated mentions within the scope of the model."""
    corpus, config = data.corpus, model.config
    tokens = analyse_corpus(corpus, config.pipeline)
    mentions = gold_mentions(corpus, tokens, config.kind)
    context = model.context(corpus, tokens, mentions, data.background)
    scope = "topic" if config.scope == "predicted" else config.scope
    left, right = all_pairs(group_numbers(corpus, scope)[mentions.document])
    return TrainingPairs(
        context=context,
        left=left,
        right=right,
        labels=mentions.chain[left] == mentions.chain[right],
        topics=tuple(group_names(corpus, "topic")),
    )


def _fold_scorers(scorer: PairScorer, pairs: TrainingPairs, config: CrossDocumentConfig, report: Report) -> FoldScorers:
    """Return scorers for each fold of topics; a stacked scorer has trained them already."""
    trained = getattr(scorer, "fold_scorers", None)
    if isinstance(trained, FoldScorers):
        return trained
    fold = assign_folds(pairs.topics, config.folds, config.seed)
    return FoldScorers.fit(config.scorer, pairs, fold, config.settings, config.seed, report)


def _train_detector(
    train: Corpus, dev: Corpus, config: CrossDocumentConfig, report: Report
) -> tuple[MentionDetector, dict[str, float]]:
    schedule = msgspec.convert({"seed": config.seed, **(config.detector or {})}, DetectorSchedule)
    tokens, dev_tokens = (analyse_corpus(corpus, config.pipeline) for corpus in (train, dev))
    return train_detector(
        tokens,
        spans_by_kind(train, tokens),
        dev_tokens,
        spans_by_kind(dev, dev_tokens),
        DetectorConfig(encoder=config.encoder),
        schedule,
        report,
    )


def spans_by_kind(corpus: Corpus, tokens: AnalysedTokens) -> dict[str, set[tuple[int, int]]]:
    """Return the spans of the mentions of each kind, over the corpus."""
    return {kind: set(gold_mentions(corpus, tokens, kind).spans()) for kind in MENTION_KINDS}


# Thresholds


def _tune_model(
    model: CrossDocumentModel,
    scorer: PairScorer,
    fold_scorers: FoldScorers | None,
    data: "TrainingData",
    pairs: TrainingPairs,
    dev: "TrainingData",
    report: Report,
) -> tuple[dict[str, float], dict[str, float]]:
    """Return thresholds for given mentions, and on dev for detected mentions, and their scores."""
    thresholds, scopes = document_threshold(data.corpus, pairs.context), _SCOPES
    if thresholds:
        scopes = (*scopes, "predicted")
    model = replace(model, thresholds=thresholds)

    def for_corpus(corpus: Corpus) -> CrossDocumentModel:
        if fold_scorers is None:
            return replace(model, scorer=scorer)
        return replace(model, scorer=fold_scorers.held_out(group_names(corpus, "topic")))

    key = pairs.context.mentions
    tuned, scores = tune_thresholds(
        for_corpus(data.corpus), data.corpus, pairs.context, key, (*scopes, "document"), "gold", report
    )
    thresholds = thresholds | tuned
    if model.detector is not None:
        tokens = analyse_corpus(dev.corpus, model.config.pipeline)
        mentions = model.detector.detect(tokens, model.config.kind)
        context = model.context(dev.corpus, tokens, mentions, dev.background)
        key = gold_mentions(dev.corpus, tokens, model.config.kind)
        tuned, more = tune_thresholds(for_corpus(dev.corpus), dev.corpus, context, key, scopes, "predicted", report)
        thresholds, scores = thresholds | tuned, scores | more
    return thresholds, scores


def document_threshold(corpus: Corpus, context: PairContext) -> dict[str, float]:
    """Choose the threshold that clusters documents into subtopics, if the corpus has them."""
    if "subtopic" not in corpus.documents.columns:
        return {}
    topics, subtopics = (group_numbers(corpus, scope) for scope in ("topic", "subtopic"))
    return {"documents": best_document_threshold(context.document_similarity(), subtopics, topics)}


def tune_thresholds(
    model: CrossDocumentModel,
    corpus: Corpus,
    context: PairContext,
    key: MentionTable,
    scopes: Iterable[Scope],
    mentions: str,
    report: Report,
) -> tuple[dict[str, float], dict[str, float]]:
    """Return, for each scope, the threshold with the best CoNLL F1, and that F1.

    What is maximized is the mean with and without singletons. The scope ``corpus`` uses the
    threshold of topics: scoring all its pairs would cost more than everything else.
    """
    cached = model.with_cached_scores(corpus, context)
    thresholds, scores = {}, {}
    for scope in scopes:
        forest, _ = cached.link(corpus, context, scope)
        tried = [(at, *conll_scores(key, key.chain, context.mentions, forest.clusters(at))) for at in _THRESHOLDS]
        at, with_singletons, without = max(tried, key=lambda row: row[1] + row[2])
        name = f"{mentions} {scope}"
        thresholds[name] = at
        scores[f"{name} +"], scores[f"{name} -"] = with_singletons, without
        report(f"held out, {name}: {100 * with_singletons:.2f} / {100 * without:.2f} at {at}")
    return thresholds, scores


def conll_scores(key: MentionTable, chain: Longs, response: MentionTable, cluster: Longs) -> tuple[float, float]:
    """Return CoNLL F1 with and without singletons, the corpus scored as one document."""
    sides = _cluster_spans(key, chain), _cluster_spans(response, cluster)
    results = [score_clusters(*sides, profile=profile) for profile in _PROFILES]
    with_singletons, without = (result.conll.f1 if result.conll else 0.0 for result in results)
    return with_singletons, without


def _cluster_spans(mentions: MentionTable, cluster: Longs) -> list[list[tuple[int, int]]]:
    clusters: dict[int, list[tuple[int, int]]] = {}
    for span, number in zip(mentions.spans(), cluster.tolist(), strict=True):
        clusters.setdefault(number, []).append(span)
    return list(clusters.values())


# Data


class TrainingData(Columns, frozen=True, eq=False):
    """A corpus, and the same documents as a whole if it has only some of their sentences."""

    corpus: Corpus
    background: Corpus | None = None
    curated: Corpus | None = None
    """The curated sentences, as in test data, if the corpus has others too."""

    def as_tested(self) -> "TrainingData":
        """Return the same documents with such sentences as test data have."""
        if self.curated is None:
            return self
        return TrainingData(corpus=self.curated, background=self.background)


def concatenate_data(first: TrainingData, second: TrainingData) -> TrainingData:
    """Return the documents of both."""
    name = f"{first.corpus.name}+{second.corpus.name}"
    has_background = first.background is not None or second.background is not None
    whole = [data.background or data.corpus for data in (first, second)]
    return TrainingData(
        corpus=concatenate(name, [first.corpus, second.corpus]),
        background=concatenate("background", whole) if has_background else None,
    )


def load_data(name: str, sentences: str = "curated") -> TrainingData:
    """Load a corpus by path or name; of ECB+ the ``curated`` or all ``annotated`` sentences."""
    if name.partition("/")[0] != "ecbplus":
        return TrainingData(corpus=load_corpus(name))
    reader = EcbPlus(curated=False)
    documents = [document for path in dataset_files(name) for document in reader.read(Source.of(path), Reading())]
    whole = concatenate(name, documents)
    curated = load_dataset(name)
    if sentences != "annotated":
        return TrainingData(corpus=curated, background=whole)
    return TrainingData(corpus=annotated_sentences(whole), background=whole, curated=curated)


def annotated_sentences(corpus: Corpus) -> Corpus:
    """Keep the sentences in which a mention begins; drop documents without any.

    ECB+ is annotated in some sentences of each document, of which some were checked again: the
    curated ones. The others are more training data, if less reliable.
    """
    build = CorpusBuilder(corpus.name)
    kinds = corpus.mentions.columns.get("kind")
    for document in corpus:
        mentions = document.mentions
        starts = np.array([a for a, _ in document.sentences] or [0])
        sentence_of = [int(np.searchsorted(starts, m.start, side="right")) - 1 for m in mentions]
        if not sentence_of:
            continue
        columns = {key: column[document.index] for key, column in corpus.documents.columns.items()}
        build.begin_document(document.name, columns=columns)
        shift = {}
        words = document.words
        for number in sorted(set(sentence_of)):
            start, end = document.sentences[number]
            shift[number] = build.position - start
            build.sentence(words[start:end])
        for mention, number in zip(mentions, sentence_of, strict=True):
            end = document.sentences[number][1]
            # A mention that reaches into the next sentence is cut at the end of its own.
            parts = [(a, min(b, end)) for a, b in mention.parts if a < end]
            build.mention(
                mention.chain.label,
                [(a + shift[number], b + shift[number]) for a, b in parts],
                columns={"kind": kinds[mention.index]} if kinds is not None else None,
            )
    return build.finish()


def data_hash(corpus: Corpus) -> str:
    """Hash words, mentions and chains."""
    words = corpus.tokens.words
    digest = hashlib.sha256(words.blob if words is not None else b"")
    mentions = corpus.mentions
    for column in (corpus.tokens.offsets, mentions.start, mentions.end, mentions.chain):
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()[:16]
