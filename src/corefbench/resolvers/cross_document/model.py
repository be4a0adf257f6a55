"""The cross-document resolver: mentions of many documents in, chains across them out."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Chains, Corpus, Mentions, Parts, Relations
from corefbench.corpus.scope import group_numbers
from corefbench.corpus.strings import Strings
from corefbench.errors import UsageError
from corefbench.records import Columns, Longs
from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.cross_document.blocking import candidate_pairs_of
from corefbench.resolvers.cross_document.clustering import (
    LinkageForest,
    Probabilities,
    all_pairs,
    document_forest,
    pair_codes,
)
from corefbench.resolvers.cross_document.config import SCOPES, CrossDocumentConfig, Linking, MentionKind, Scope
from corefbench.resolvers.cross_document.context import PairContext, background_words, build_context
from corefbench.resolvers.cross_document.linking import BoundScorer, LinkingStats, build_forest, uses_blocking
from corefbench.resolvers.cross_document.mentions import (
    AnalysedTokens,
    MentionTable,
    analyse_corpus,
    gold_mentions,
    select_kind,
)
from corefbench.resolvers.cross_document.scorers.base import PairScorer, join_parts, pair_scorers, select_part
from corefbench.resolvers.cross_document.vectors import CachedEncoder, InverseDocumentFrequency
from corefbench.resolvers.cross_document.workers import Workers

if TYPE_CHECKING:
    # Needs torch, which models for given mentions can do without.
    from corefbench.resolvers.cross_document.mention_detection import MentionDetector

KIND = "cross-document"
MIN_THRESHOLD = 0.05
"""Lowest threshold at which the forest of blocked pairs can be cut."""


class CrossDocumentModel(Columns, frozen=True, eq=False):
    """A trained model; ``training.fit_model`` makes one."""

    config: CrossDocumentConfig
    scorer: PairScorer
    idf: InverseDocumentFrequency
    thresholds: Mapping[str, float]
    """By mentions and scope, such as ``gold topic``; ``documents`` for clustering documents."""
    detector: "MentionDetector | None" = None

    def predict(
        self,
        corpus: Corpus,
        mentions: str = "gold",
        scope: Scope | None = None,
        *,
        background: Corpus | None = None,
        threshold: float | None = None,
        linking: Linking = "auto",
        workers: Workers | None = None,
        report: Callable[[LinkingStats], None] = lambda stats: None,
    ) -> Corpus:
        """Return the documents with chains; chains across documents share a label.

        ``mentions``: ``gold`` takes those of the corpus, ``predicted`` those of the detector.
        ``background`` has the same documents as a whole, if the corpus has only some sentences.
        ``linking``: ``exact`` compares all mentions of a group, ``blocked`` only candidates, using
        ``workers``.
        """
        scope = scope or self.config.scope
        tokens = analyse_corpus(corpus, self.config.pipeline)
        table = self.find_mentions(corpus, tokens, mentions)
        if not len(table):
            return build_response(corpus, table, np.zeros(0, np.int64), self.config.kind)
        context = self.context(corpus, tokens, table, background)
        at = self.threshold(mentions, scope) if threshold is None else threshold
        # Scores that depend on other pairs are defined for the pairs of a whole topic.
        needs_topic = getattr(self.scorer, "uses_all_pairs", False)
        needs_topic = needs_topic and scope not in ("topic", "corpus")
        model = self.with_cached_scores(corpus, context) if needs_topic else self
        forest, stats = model.link(corpus, context, scope, at, linking, workers)
        report(stats)
        return build_response(corpus, table, forest.clusters(at), self.config.kind)

    def threshold(self, mentions: str, scope: Scope) -> float:
        """Return the tuned threshold, else that of topics, else 0.5."""
        names = (f"{mentions} {scope}", f"{mentions} topic", "gold topic")
        return next((self.thresholds[name] for name in names if name in self.thresholds), 0.5)

    def find_mentions(self, corpus: Corpus, tokens: AnalysedTokens, mentions: str) -> MentionTable:
        """Return the mentions of the corpus, or those that the detector finds."""
        if mentions == "gold":
            return gold_mentions(corpus, tokens, self.config.kind)
        if mentions != "predicted":
            raise UsageError(f"there are no mentions {mentions!r}", remedy="use gold or predicted")
        if self.detector is None:
            raise UsageError(
                "the model was trained without a mention detector",
                remedy="train it with a detector, or give it mentions",
            )
        return self.detector.detect(tokens, self.config.kind)

    def context(
        self, corpus: Corpus, tokens: AnalysedTokens, mentions: MentionTable, background: Corpus | None = None
    ) -> PairContext:
        """Return everything pairs of these mentions are scored by."""
        return build_context(
            corpus, tokens, mentions, self.idf, CachedEncoder(self.config.encoder), background_words(corpus, background)
        )

    def groups(self, corpus: Corpus, context: PairContext, scope: Scope) -> Longs:
        """Return the group of each mention, which chains do not cross."""
        document = context.mentions.document
        if scope not in SCOPES:
            raise UsageError(f"there is no scope {scope!r}", remedy=f"use {', '.join(SCOPES)}")
        if scope != "predicted":
            return group_numbers(corpus, scope)[document]
        # The task is to find the subtopics of known topics, if the corpus has topics.
        topics = group_numbers(corpus, "topic") if "topic" in corpus.documents.columns else None
        forest = document_forest(context.document_similarity(), topics)
        return forest.clusters(self.thresholds.get("documents", 0.3))[document]

    def link(
        self,
        corpus: Corpus,
        context: PairContext,
        scope: Scope,
        floor: float = MIN_THRESHOLD,
        linking: Linking = "auto",
        workers: Workers | None = None,
    ) -> tuple[LinkageForest, LinkingStats]:
        """Link mentions; the forest can be cut at any threshold from the floor on."""
        group = self.groups(corpus, context, scope)
        scorer = BoundScorer(scorer=self.scorer, context=context)
        return build_forest(self.config, scorer, group, floor, linking, workers)

    def with_cached_scores(self, corpus: Corpus, context: PairContext) -> "CrossDocumentModel":
        """Return the same model with the pairs of all topics scored once for narrower scopes."""
        group = self.groups(corpus, context, "topic")
        if uses_blocking(self.config, group):
            left, right = candidate_pairs_of(context, group, self.config.blocking)
        else:
            left, right = all_pairs(group)
        return replace(self, scorer=CachedScorer(self.scorer, context, left, right))

    def save(self, folder: Path, card: ModelCard) -> None:
        """Write a checkpoint."""
        # "rarity" and "finder" are names in the file format.
        detector = {} if self.detector is None else self.detector.arrays()
        parts = {"scorer": self.scorer.arrays(), "rarity": self.idf.arrays(), "finder": detector}
        save_model(folder, card, join_parts(parts))

    def describe(self) -> dict[str, Any]:
        """Return the configuration of the model card: what ``load`` needs beside the arrays."""
        return {
            "model": msgspec.to_builtins(self.config),
            "thresholds": dict(self.thresholds),
            "finder": None if self.detector is None else self.detector.describe(),
        }

    @classmethod
    def load(cls, folder: Path) -> "CrossDocumentModel":
        """Read a checkpoint."""
        card, arrays = load_model(folder)
        if card.kind != KIND:
            raise UsageError("this model is of another kind", found=card.kind, expected=KIND)
        config = msgspec.convert(card.config["model"], CrossDocumentConfig)
        detector = None
        if card.config["finder"] is not None:
            from corefbench.resolvers.cross_document.mention_detection import MentionDetector

            detector = MentionDetector.load(card.config["finder"], select_part(arrays, "finder"))
        return cls(
            config=config,
            scorer=pair_scorers[config.scorer].load(config.settings, select_part(arrays, "scorer")),
            idf=InverseDocumentFrequency.load(select_part(arrays, "rarity")),
            thresholds=card.config["thresholds"],
            detector=detector,
        )


class CachedScorer:
    """Caches the scores of some pairs of one context."""

    def __init__(self, scorer: PairScorer, context: PairContext, left: Longs, right: Longs) -> None:
        self.scorer, self.context = scorer, context
        codes = pair_codes(left, right, len(context.mentions))
        order = np.argsort(codes)
        self._codes = codes[order]
        self._scores = scorer.score(context, left, right)[order]

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Look the pairs up if all are cached, else score them."""
        if context is not self.context or not len(self._codes):
            return self.scorer.score(context, left, right)
        codes = pair_codes(left, right, len(context.mentions))
        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        if (self._codes[at] != codes).any():
            return self.scorer.score(context, left, right)
        return self._scores[at]

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of the scorer; the cache is not stored."""
        return self.scorer.arrays()


def build_response(corpus: Corpus, mentions: MentionTable, cluster: Longs, kind: MentionKind) -> Corpus:
    """Return the documents with these mentions; clusters become labels of chains."""
    offset = corpus.tokens.offsets[mentions.document]
    key = mentions.document * (int(cluster.max(initial=0)) + 1) + cluster
    _, first, chain = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))  # chains are numbered by first appearance
    first = np.sort(first)
    columns = {} if kind == "all" else {"kind": Strings.of([kind] * len(mentions))}
    return replace(
        corpus,
        mentions=Mentions(
            document=mentions.document.astype(np.int32),
            start=(mentions.start - offset).astype(np.int32),
            end=(mentions.end - offset).astype(np.int32),
            chain=order[chain.reshape(-1)].astype(np.int32),
            head=(mentions.head - offset).astype(np.int32),
            parts=_mention_parts(corpus, mentions, kind),
            columns=columns,
        ),
        chains=Chains(document=mentions.document[first].astype(np.int32), labels=cluster[first].astype(np.int64)),
        relations=Relations.none(),
    )


def _mention_parts(corpus: Corpus, mentions: MentionTable, kind: MentionKind) -> Parts | None:
    """Return the parts of discontinuous mentions, if the mentions are those of the corpus."""
    parts = corpus.mentions.parts
    rows = np.flatnonzero(select_kind(corpus, kind))
    offset = corpus.tokens.offsets[corpus.mentions.document[rows]]
    is_same = len(rows) == len(mentions) and bool(
        (offset + corpus.mentions.start[rows] == mentions.start).all()
        and (offset + corpus.mentions.end[rows] == mentions.end).all()
    )
    if parts is None or not is_same:
        return None
    sizes = np.diff(parts.offsets)[rows]
    taken = np.repeat(parts.offsets[rows] - (np.cumsum(sizes) - sizes), sizes)
    taken = taken + np.arange(int(sizes.sum()))
    return Parts(
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), start=parts.start[taken], end=parts.end[taken]
    )
