"""Pair scorers built from other scorers: cross-validation folds, ensemble and cascade."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from corefbench.records import Columns, Floats, Longs
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.scorers.base import (
    Arrays,
    PairScorer,
    TrainingPairs,
    add_prefix,
    pair_scorers,
    strip_prefix,
)
from corefbench.resolvers.training.config import Report

ENSEMBLE_DEFAULTS: dict[str, Any] = {"members": ["boosting", "bi-encoder"], "weights": [0.5, 0.5]}
CASCADE_DEFAULTS: dict[str, Any] = {
    "first": "boosting",
    "second": "cross-encoder",
    "weight": 0.5,
    "low": 0.2,
    "high": 0.97,
    "folds": 3,
    "pairs": 20_000,
    "positive": 0.4,
}
"""``weight`` of the second scorer; the range of probabilities of the first in which it is asked;
folds of topics by which hard pairs are found; number of hard pairs, and the positive share."""


class FoldScorers(Columns, frozen=True, eq=False):
    """One scorer per fold of topics, trained on the topics of all other folds."""

    members: tuple[PairScorer, ...]
    fold: Mapping[str, int]
    """Fold of each topic."""

    @classmethod
    def fit(
        cls,
        name: str,
        train: TrainingPairs,
        fold: Mapping[str, int],
        settings: Mapping[str, Any],
        seed: int,
        report: Report,
    ) -> "FoldScorers":
        """Train a scorer for each fold."""
        fold_of = fold_of_pairs(fold, train)
        count = max(fold.values(), default=-1) + 1
        members = []
        for number in range(count):
            report(f"fold {number + 1} of {count}")
            rest = train.select(np.flatnonzero(fold_of != number))
            held_out = train.select(np.flatnonzero(fold_of == number))
            members.append(pair_scorers[name].fit(rest, held_out, settings, seed, report))
        return cls(members=tuple(members), fold=fold)

    def held_out(self, topics: Sequence[str]) -> "HeldOutScorer":
        """Return a scorer for documents of these topics."""
        folds = np.array([self.fold[topic] for topic in topics], np.int64)
        return HeldOutScorer(self.members, folds)


class HeldOutScorer:
    """Scores each pair by the member that was not trained on its topic."""

    def __init__(self, members: Sequence[PairScorer], fold: Longs) -> None:
        self.members = list(members)
        self.fold = fold
        """Fold of each document."""

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the probability of each pair; pairs must not cross topics."""
        probabilities = np.zeros(len(left), np.float32)
        fold = self.fold[context.mentions.document[left]]
        for number, member in enumerate(self.members):
            rows = np.flatnonzero(fold == number)
            if len(rows):
                probabilities[rows] = member.score(context, left[rows], right[rows])
        return probabilities

    def arrays(self) -> dict[str, np.ndarray]:
        """Return nothing: held-out scorers are not stored."""
        return {}


def assign_folds(topics: Sequence[str], folds: int, seed: int) -> dict[str, int]:
    """Assign topics to folds at random, so that folds have equally many.

    >>> sorted(assign_folds(["36", "36", "37", "38", "39"], 2, 0).values())
    [0, 0, 1, 1]
    """
    names = sorted(set(topics))
    order = np.random.default_rng(seed).permutation(len(names)).tolist()
    return {names[position]: number % folds for number, position in enumerate(order)}


def fold_of_pairs(fold: Mapping[str, int], pairs: TrainingPairs) -> Longs:
    """Return the fold of each pair."""
    documents = np.array([fold[topic] for topic in pairs.topics], np.int64)
    return np.asarray(documents[pairs.context.mentions.document[pairs.left]], np.int64)


class EnsembleScorer:
    """Weighted mean of the members' log-odds: p = σ(Σ wᵢ · logit pᵢ)."""

    def __init__(self, members: Sequence[PairScorer], weights: Sequence[float]) -> None:
        self.members = list(members)
        self.weights = np.asarray(weights, np.float64) / np.sum(weights)

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the combined probabilities."""
        log_odds = np.zeros(len(left))
        for member, weight in zip(self.members, self.weights.tolist(), strict=True):
            log_odds += weight * logit(member.score(context, left, right))
        return (1 / (1 + np.exp(-log_odds))).astype(np.float32)

    def arrays(self) -> dict[str, np.ndarray]:
        arrays: dict[str, np.ndarray] = {}
        for number, member in enumerate(self.members):
            arrays |= add_prefix(f"member{number}", member.arrays())
        return arrays

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "EnsembleScorer":
        """Train each member on the same pairs."""
        options = {**ENSEMBLE_DEFAULTS, **settings}
        members = [
            pair_scorers[name].fit(train, dev, options.get(name, {}), seed, report) for name in options["members"]
        ]
        return cls(members, options["weights"])

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "EnsembleScorer":
        options = {**ENSEMBLE_DEFAULTS, **settings}
        members = [
            pair_scorers[name].load(options.get(name, {}), strip_prefix(arrays, f"member{number}"))
            for number, name in enumerate(options["members"])
        ]
        return cls(members, options["weights"])


class CascadeScorer:
    """A fast scorer for all pairs; a slow one rescores those that the first is uncertain about.

    p = σ((1 − w) · logit p₁ + w · logit p₂) where low < p₁ < high, and p₁ elsewhere. The second
    scorer is trained on pairs that are hard for a first scorer that has not seen their topic.
    """

    def __init__(self, first: PairScorer, second: PairScorer, options: Mapping[str, Any]) -> None:
        self.first, self.second = first, second
        self.weight, self.low, self.high = (options[name] for name in ("weight", "low", "high"))

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the probability of each pair."""
        probabilities = np.array(self.first.score(context, left, right), np.float32)
        rows = np.flatnonzero((probabilities > self.low) & (probabilities < self.high))
        second = self.second.score(context, left[rows], right[rows])
        log_odds = (1 - self.weight) * logit(probabilities[rows]) + self.weight * logit(second)
        probabilities[rows] = 1 / (1 + np.exp(-log_odds))
        return probabilities

    def arrays(self) -> dict[str, np.ndarray]:
        first, second = self.first.arrays(), self.second.arrays()
        return add_prefix("first", first) | add_prefix("second", second)

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "CascadeScorer":
        """Train the first scorer, find hard pairs, and train the second on them."""
        options = {**CASCADE_DEFAULTS, **settings}
        name, own = options["first"], options.get(options["first"], {})
        first = pair_scorers[name].fit(train, dev, own, seed, report)
        fold = assign_folds(train.topics, options["folds"], seed)
        fold_scorers = FoldScorers.fit(name, train, fold, own, seed, report)
        held_out = fold_scorers.held_out(train.topics)
        probabilities = held_out.score(train.context, train.left, train.right)
        rows = sample_hard_pairs(train, probabilities, options, seed)
        report(f"cascade: {len(rows)} hard pairs, {int(train.labels[rows].sum())} corefer")
        on_dev = first.score(dev.context, dev.left, dev.right)
        uncertain = np.flatnonzero((on_dev > options["low"]) & (on_dev < options["high"]))
        second = pair_scorers[options["second"]].fit(
            train.select(rows), dev.select(uncertain), options.get(options["second"], {}), seed, report
        )
        return cls(first, second, options)

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "CascadeScorer":
        options = {**CASCADE_DEFAULTS, **settings}
        first, second = (
            pair_scorers[options[part]].load(options.get(options[part], {}), strip_prefix(arrays, part))
            for part in ("first", "second")
        )
        return cls(first, second, options)


def sample_hard_pairs(
    pairs: TrainingPairs, probabilities: Probabilities, options: Mapping[str, Any], seed: int
) -> Longs:
    """Sample positive pairs, and negative pairs that look coreferent.

    Positive pairs of a chain of n mentions have weight 1/√n, as large chains have so many of them.
    """
    random = np.random.default_rng(seed)
    chain = pairs.context.mentions.chain
    size = np.bincount(chain - chain.min(initial=0))[chain - chain.min(initial=0)]
    positive, negative = np.flatnonzero(pairs.labels), np.flatnonzero(~pairs.labels)
    count = min(int(options["positive"] * options["pairs"]), len(positive))
    weight = 1 / np.sqrt(size[pairs.left[positive]])
    drawn = positive
    if count < len(positive):
        drawn = random.choice(positive, count, replace=False, p=weight / weight.sum())
    likely = negative[probabilities[negative] > options["low"] / 2]
    rest = min(options["pairs"] - count, len(likely))
    return np.sort(np.concatenate([drawn, random.choice(likely, rest, replace=False)]))


def logit(probabilities: Probabilities) -> Floats:
    """Return ln(p / (1 − p)), clipped near 0 and 1."""
    clipped = np.clip(probabilities.astype(np.float64), 1e-4, 1 - 1e-4)
    return np.asarray(np.log(clipped / (1 - clipped)))
