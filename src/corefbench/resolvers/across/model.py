"""The cross-document resolver: mentions of many documents in, chains across documents out."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from corefbench.errors import UsageError
from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Longs
from corefbench.resolvers.across.account import Account
from corefbench.resolvers.across.bags import Rarity
from corefbench.resolvers.across.candidates import blocked_pairs
from corefbench.resolvers.across.choosing import is_blocked, trees
from corefbench.resolvers.across.config import REACHES, AcrossConfig, Linking, Reach
from corefbench.resolvers.across.context import Context, background_words, build_context
from corefbench.resolvers.across.finding import Finder
from corefbench.resolvers.across.judging import Judge
from corefbench.resolvers.across.linking import Forest
from corefbench.resolvers.across.pairs import all_pairs
from corefbench.resolvers.across.remembered import Remembered
from corefbench.resolvers.across.response import respond
from corefbench.resolvers.across.scorer import PairScorer, scorers, within
from corefbench.resolvers.across.stored import packed, unpacked
from corefbench.resolvers.across.table import Table, gold
from corefbench.resolvers.across.topics import document_similarity, predicted_groups
from corefbench.resolvers.across.vectors import Vectoriser
from corefbench.resolvers.across.words import Words, analysed
from corefbench.resolvers.across.workers import Workers
from corefbench.resolvers.learned.checkpoint import ModelCard, load_model, save_model
from corefbench.scope import group_numbers

FLOOR = 0.05
"""The lowest threshold that a forest of blocked pairs serves."""


class CrossDocument(Columns, frozen=True, eq=False):
    """A trained model; ``fit`` in ``corefbench.training.across`` makes one."""

    config: AcrossConfig
    scorer: PairScorer
    rarity: Rarity
    thresholds: Mapping[str, float]
    """By how far chains reach, and ``documents`` for the grouping of documents."""
    finder: Finder | None = None

    def predict(
        self,
        corpus: Corpus,
        mentions: str = "gold",
        scope: Reach | None = None,
        *,
        background: Corpus | None = None,
        threshold: float | None = None,
        linking: Linking = "auto",
        workers: Workers | None = None,
        tell: Callable[[Account], None] = lambda account: None,
    ) -> Corpus:
        """The documents with chains across them, which carry one label.

        ``mentions``: ``gold`` are those of the corpus, ``predicted`` those of the detector.
        ``background`` has the same documents whole, where the corpus has only some sentences.
        ``linking``: ``exact`` compares all mentions of a group, ``blocked`` only candidates, shared
        out among ``workers``; ``tell`` is given the account.
        """
        reach = scope or self.config.scope
        words = analysed(corpus, self.config.pipeline)
        table = self.mentions(corpus, words, mentions)
        if not len(table):
            return respond(corpus, table, np.zeros(0, np.int64), self.config.kind)
        context = self.context(corpus, words, table, background)
        at = self.threshold(mentions, reach) if threshold is None else threshold
        # The chance of a pair is that of its topic, if it depends on other pairs.
        wide = getattr(self.scorer, "sees_all", False) and reach not in ("topic", "corpus")
        model = self.remembering(corpus, context) if wide else self
        made, account = model.linked(corpus, context, reach, at, linking, workers)
        tell(account)
        return respond(corpus, table, made, self.config.kind)

    def threshold(self, mentions: str, reach: Reach) -> float:
        """Where the trees of merges are cut: as tuned, else as for topics, else in the middle."""
        names = (f"{mentions} {reach}", f"{mentions} topic", "gold topic")
        return next((self.thresholds[name] for name in names if name in self.thresholds), 0.5)

    def mentions(self, corpus: Corpus, words: Words, mentions: str) -> Table:
        """Those of the corpus, or those that the detector finds."""
        if mentions == "gold":
            return gold(corpus, words, self.config.kind)
        if mentions != "predicted":
            raise UsageError(f"there are no mentions {mentions!r}", remedy="say gold, or predicted")
        if self.finder is None:
            raise UsageError(
                "the model was trained without a detector of mentions",
                remedy="train it with a detector, or give it mentions",
            )
        return self.finder.find(words, self.config.kind)

    def context(
        self, corpus: Corpus, words: Words, table: Table, background: Corpus | None = None
    ) -> Context:
        """All that pairs are judged by."""
        return build_context(
            corpus,
            words,
            table,
            self.rarity,
            Vectoriser(self.config.encoder),
            background_words(corpus, background),
        )

    def groups(self, corpus: Corpus, context: Context, reach: Reach) -> Longs:
        """The group of each mention: chains do not reach beyond it."""
        document = context.table.document
        if reach not in REACHES:
            raise UsageError(f"there is no scope {reach!r}", remedy=f"say {', '.join(REACHES)}")
        if reach != "predicted":
            return group_numbers(corpus, reach)[document]
        alike = document_similarity(context)
        at = self.thresholds.get("documents", 0.3)
        # Topics are given where the task is to tell their subtopics apart.
        known = group_numbers(corpus, "topic") if "topic" in corpus.documents.columns else None
        return predicted_groups(alike, at, known)[document]

    def pairs(self, context: Context, group: Longs) -> tuple[Longs, Longs]:
        """The pairs to be scored: all within groups, or the candidates."""
        if is_blocked(self.config, group):
            return blocked_pairs(context, group, self.config.blocking)
        return all_pairs(group)

    def forest(self, corpus: Corpus, context: Context, reach: Reach) -> Forest:
        """One tree of merges a group, or a component of it: it serves all thresholds."""
        group = self.groups(corpus, context, reach)
        return trees(self.config, Judge(scorer=self.scorer, context=context), group, FLOOR)[0]

    def linked(
        self,
        corpus: Corpus,
        context: Context,
        reach: Reach,
        at: float,
        linking: Linking = "auto",
        workers: Workers | None = None,
    ) -> tuple[Longs, Account]:
        """The cluster of each mention at a threshold, and how it was come by."""
        group = self.groups(corpus, context, reach)
        judge = Judge(scorer=self.scorer, context=context)
        made, account = trees(self.config, judge, group, at, linking, workers)
        return made.clusters(at), account

    def remembering(self, corpus: Corpus, context: Context) -> "CrossDocument":
        """The same model, with the pairs of all topics scored once for all narrower reaches."""
        one, other = self.pairs(context, self.groups(corpus, context, "topic"))
        return replace(self, scorer=Remembered(self.scorer, context, one, other))

    def save(self, folder: Path, card: ModelCard) -> None:
        """Write a checkpoint."""
        arrays = {f"scorer.{name}": a for name, a in self.scorer.arrays().items()}
        arrays |= {f"rarity.{name}": a for name, a in packed(self.rarity).items()}
        if self.finder is not None:
            arrays |= {f"finder.{name}": a for name, a in self.finder.arrays().items()}
        save_model(folder, card, arrays)

    def described(self) -> dict[str, Any]:
        """The configuration of the card: what ``load`` needs beside the arrays."""
        return {
            "model": msgspec.to_builtins(self.config),
            "thresholds": dict(self.thresholds),
            "finder": None if self.finder is None else self.finder.described(),
        }

    @classmethod
    def load(cls, folder: Path) -> "CrossDocument":
        """Read a checkpoint."""
        card, arrays = load_model(folder)
        if card.kind != KIND:
            raise UsageError("this model does something else", found=card.kind, expected=KIND)
        config = msgspec.convert(card.config["model"], AcrossConfig)
        found = card.config["finder"]
        return cls(
            config=config,
            scorer=scorers[config.scorer].load(config.settings, within(arrays, "scorer")),
            rarity=unpacked(within(arrays, "rarity")),
            thresholds=card.config["thresholds"],
            finder=None if found is None else Finder.load(found, within(arrays, "finder")),
        )


KIND = "cross-document"
