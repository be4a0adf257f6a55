"""Train UBIU: all pairs of the training documents become instances."""

from pathlib import Path
from typing import Literal

import msgspec

from corefbench.corpus.corpus import Corpus
from corefbench.preprocess.documents import analyse_documents, word_chains
from corefbench.progress import ProgressLog
from corefbench.records import Record
from corefbench.resolvers.checkpoint import ModelCard
from corefbench.resolvers.mention_pair.model import KIND, PairModel, PairSettings
from corefbench.resolvers.mention_pair.pairs import TrainingPairs
from corefbench.resolvers.mention_pair.ubiu import PronounFallback, Singletons, Ubiu, chain_spans
from corefbench.resolvers.training.config import Report, TrainingConfig, hash_sources, load_source, parse_section
from corefbench.scoring.api import score_clusters


class UbiuSettings(PairSettings, frozen=True):
    """The section [model] of a training configuration."""

    mentions: Literal["predicted", "gold"] = "predicted"
    """``gold``: train and score on the mentions of the key."""
    singletons: Singletons = "none"
    pronoun_fallback: PronounFallback = "none"
    number_filter: bool = False


def train_ubiu(config: TrainingConfig, folder: Path, report: Report) -> ModelCard:
    """Collect the pairs, train, score on development data, and save the model."""
    settings = parse_section(config.model, UbiuSettings, "model", config.source)
    parse_section(config.training, Record, "training", config.source)
    settings.validated()
    corpora = [load_source(source, config.share, config.seed) for source in config.train]
    model = _train_model(corpora, settings, config, report)
    resolver = Ubiu(
        singletons=settings.singletons, pronoun_fallback=settings.pronoun_fallback, number_filter=settings.number_filter
    ).with_model(model)
    gold = settings.mentions == "gold"
    scores = {
        source.corpus: _score_model(resolver, load_source(source), config.preprocess, gold, report)
        for source in config.dev
    }
    card = ModelCard(
        kind=KIND,
        config={**msgspec.to_builtins(settings), "preprocess": config.preprocess, "share": config.share},
        data=hash_sources((*config.train, *config.dev)),
        scores=scores,
        seed=config.seed,
        licence=config.licence,
        notes=config.notes,
    )
    model.save(folder, card)
    return card


def _train_model(corpora: list[Corpus], settings: UbiuSettings, config: TrainingConfig, report: Report) -> PairModel:
    instances = TrainingPairs(window=settings.window, verbs=settings.verbs)
    progress = ProgressLog("pairs of document", sum(map(len, corpora)), report)
    for corpus in corpora:
        for document, discourse in analyse_documents(corpus, config.preprocess, gold=settings.mentions == "gold"):
            instances.add(discourse, word_chains(document))
            progress.step()
    codes, labels = instances.arrays()
    report(f"{len(labels):,} pairs, {int(labels.sum()):,} of them coreferent")
    return PairModel(codes, labels, instances.words, settings=settings, seed=config.seed)


def _score_model(resolver: Ubiu, corpus: Corpus, preprocess: str, gold: bool, report: Report) -> float:
    """Return the CoNLL score on a development corpus."""
    key, answer = {}, {}
    progress = ProgressLog("development document", len(corpus), report)
    for document, discourse in analyse_documents(corpus, preprocess, gold=gold):
        key[document.label] = word_chains(document)
        answer[document.label] = chain_spans(resolver.resolve(discourse))
        progress.step()
    result = score_clusters(key, answer)
    return result.conll.f1 if result.conll else 0.0
