"""Trains UBIU: all pairs of the training documents are remembered."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.resolvers.learned.analysed import analysed, clusters_of
from corefbench.resolvers.learned.checkpoint import ModelCard
from corefbench.resolvers.learned.instances import Instances
from corefbench.resolvers.learned.learned import KIND, Learned, Learning
from corefbench.resolvers.learned.ubiu import Fallback, Singletons, Ubiu, chains_of
from corefbench.scoring.api import score_clusters
from corefbench.training.config import Config, settings
from corefbench.training.data import chosen, hashes
from corefbench.training.pace import Pace

Report = Callable[[str], None]


class UbiuSettings(Learning, frozen=True):
    """What the section [model] may say: how pairs are made and classified, and what is linked."""

    mentions: Literal["predicted", "gold"] = "predicted"
    """``gold``: learn from, and be scored on, the mentions of the key alone."""
    singletons: Singletons = "none"
    pronoun_fallback: Fallback = "none"
    number_filter: bool = False


def train_ubiu(config: Config, folder: Path, report: Report) -> ModelCard:
    """Gather the pairs, learn, score on development data, save."""
    how = settings(config.model, UbiuSettings, "model", config.source)
    settings(config.training, Record, "training", config.source)
    how.checked()
    corpora = [chosen(source, config.share, config.seed) for source in config.train]
    learned = _learned(corpora, how, config, report)
    resolver = Ubiu(
        singletons=how.singletons,
        pronoun_fallback=how.pronoun_fallback,
        number_filter=how.number_filter,
    ).using(learned)
    gold = how.mentions == "gold"
    scores = {
        source.corpus: _score(resolver, chosen(source), config.preprocess, gold, report)
        for source in config.dev
    }
    card = ModelCard(
        kind=KIND,
        config={**msgspec.to_builtins(how), "preprocess": config.preprocess, "share": config.share},
        data=hashes((*config.train, *config.dev)),
        scores=scores,
        seed=config.seed,
        licence=config.licence,
        notes=config.notes,
    )
    learned.save(folder, card)
    return card


def _learned(corpora: list[Corpus], how: UbiuSettings, config: Config, report: Report) -> Learned:
    instances = Instances(window=how.window, verbs=how.verbs)
    pace = Pace("pairs of document", sum(map(len, corpora)), report)
    for corpus in corpora:
        for document, discourse in analysed(corpus, config.preprocess, gold=how.mentions == "gold"):
            instances.add(discourse, clusters_of(document))
            pace.step()
    codes, labels = instances.arrays()
    report(f"{len(labels):,} pairs, {int(labels.sum()):,} of them coreferent")
    return Learned(codes, labels, instances.words, how=how, seed=config.seed)


def _score(resolver: Ubiu, corpus: Corpus, preprocess: str, gold: bool, report: Report) -> float:
    """The CoNLL score on a development corpus."""
    key, answer = {}, {}
    pace = Pace("development document", len(corpus), report)
    for document, discourse in analysed(corpus, preprocess, gold=gold):
        key[document.label] = clusters_of(document)
        answer[document.label] = chains_of(resolver.resolve(discourse))
        pace.step()
    result = score_clusters(key, answer)
    return result.conll.f1 if result.conll else 0.0
