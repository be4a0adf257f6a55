"""Interface and registry of pair scorers, and the two baselines."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
from msgspec.structs import replace

from corefbench.records import Columns, Flags, Longs
from corefbench.registry import Registry
from corefbench.resolvers.cross_document.clustering import Probabilities, connected_labels
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.training.config import Report

Arrays = Mapping[str, np.ndarray]


class TrainingPairs(Columns, frozen=True, eq=False):
    """Labelled pairs of mentions."""

    context: PairContext
    left: Longs
    right: Longs
    labels: Flags
    """Whether each pair corefers."""
    topics: tuple[str, ...] = ()
    """Topic of each document."""

    def groups(self) -> Longs:
        """Return the group (topic) of each mention: mentions connected by pairs."""
        return connected_labels(len(self.context.mentions), self.left, self.right)

    def select(self, rows: Longs) -> "TrainingPairs":
        """Return some of the pairs."""
        return replace(self, left=self.left[rows], right=self.right[rows], labels=self.labels[rows])


class PairScorer(Protocol):
    """Estimates the probability that two mentions corefer.

    A scorer with an attribute ``uses_all_pairs`` that is true is given all pairs at once, because
    its scores depend on the other pairs.
    """

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the probability of each pair; symmetric in the two mentions."""
        ...

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a checkpoint."""
        ...


class TrainablePairScorer(Protocol):
    """A class of pair scorers."""

    def fit(
        self, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> PairScorer:
        """Train a scorer; ``dev`` may be used to choose an epoch."""
        ...

    def load(self, settings: Mapping[str, Any], arrays: Arrays) -> PairScorer:
        """Restore a scorer from the arrays of a checkpoint."""
        ...


_SCORERS = "corefbench.resolvers.cross_document.scorers"

pair_scorers: Registry[TrainablePairScorer] = Registry(
    "pair scorer",
    built_in={
        "boosting": f"{_SCORERS}.boosting:BoostingScorer",
        "mlp": f"{_SCORERS}.networks:MlpScorer",
        "bi-encoder": f"{_SCORERS}.networks:BiEncoderScorer",
        "cross-encoder": f"{_SCORERS}.networks:CrossEncoderScorer",
        "stacked": f"{_SCORERS}.combined:StackedScorer",
        "cascade": f"{_SCORERS}.combined:CascadeScorer",
        "ensemble": f"{_SCORERS}.combined:EnsembleScorer",
        "head-lemma": f"{_SCORERS}.base:HeadLemmaScorer",
        "singletons": f"{_SCORERS}.base:SingletonScorer",
    },
    aliases={"cattan-2021": "mlp", "lemma": "head-lemma"},
    entry_points="corefbench.pair_scorers",
)


class HeadLemmaScorer:
    """Baseline: mentions corefer if their heads have the same lemma."""

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return 1 or 0."""
        return np.asarray(context.lemma[left] == context.lemma[right], np.float32)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "HeadLemmaScorer":
        """There is nothing to learn."""
        return cls()

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "HeadLemmaScorer":
        return cls()


class SingletonScorer(HeadLemmaScorer):
    """Baseline: no mentions corefer."""

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return 0."""
        return np.zeros(len(left), np.float32)


def join_parts(parts: Mapping[str, Arrays]) -> dict[str, np.ndarray]:
    """Return the arrays of a checkpoint of several parts: each name prefixed by that of its part."""
    return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}


def select_part(arrays: Arrays, part: str) -> dict[str, np.ndarray]:
    """Return the arrays of a part under their own names."""
    begin = f"{part}."
    return {name[len(begin) :]: array for name, array in arrays.items() if name.startswith(begin)}


def number_parts(parts: Iterable[Arrays], name: str = "") -> dict[str, np.ndarray]:
    """Return the arrays of parts that are called by a name and a number."""
    return join_parts({f"{name}{number}": arrays for number, arrays in enumerate(parts)})


def numbered_parts(arrays: Arrays, name: str = "") -> list[dict[str, np.ndarray]]:
    """Return what ``number_parts`` was given."""
    parts: list[dict[str, np.ndarray]] = []
    while part := select_part(arrays, f"{name}{len(parts)}"):
        parts.append(part)
    return parts


def average_precision(labels: Flags, probabilities: Probabilities) -> float:
    """Return the mean precision at the rank of each positive pair."""
    order = np.argsort(-probabilities, kind="stable")
    ranks = np.flatnonzero(labels[order]) + 1
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks)) if len(ranks) else 0.0


def dev_precision(scorer: PairScorer, pairs: TrainingPairs) -> tuple[float, str]:
    """Return the average precision of a scorer on labelled pairs, and how to report it."""
    precision = average_precision(pairs.labels, scorer.score(pairs.context, pairs.left, pairs.right))
    return precision, f"AP {precision:.4f}"
