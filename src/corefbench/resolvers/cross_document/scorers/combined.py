"""Pair scorers built from other scorers: cross-validation folds, ensemble, cascade and stacking."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from corefbench.records import Columns, Longs
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.features import neighbourhood_features, pair_features
from corefbench.resolvers.cross_document.scorers.base import (
    Arrays,
    PairScorer,
    TrainingPairs,
    join_parts,
    number_parts,
    numbered_parts,
    pair_scorers,
    select_part,
)
from corefbench.resolvers.cross_document.scorers.boosting import (
    PAIRS_PER_BATCH,
    BoostedTrees,
    BoostingScorer,
    fit_trees,
    mean_probability,
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
STACKED_DEFAULTS: dict[str, Any] = {"folds": 5, "first": {}, "second": {}}
"""Folds of topics, and the boosting settings of both stages."""
_CACHED_BATCHES = 8
"""Batches whose features are kept between the stages; of a larger corpus they are recomputed."""


class FoldScorers(Columns, frozen=True, eq=False):
    """One scorer per fold of topics, trained on the topics of all other folds."""

    members: tuple[PairScorer, ...]
    fold: Mapping[str, int]
    """Fold of each topic."""
    topics: Sequence[str] = ()
    """Topic of each document that is scored."""

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

    def held_out(self, topics: Sequence[str]) -> "FoldScorers":
        """Return the scorer for documents of these topics."""
        return replace(self, topics=topics)

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Score each pair by the member that was not trained on its topic; none crosses topics."""
        probabilities = np.zeros(len(left), np.float32)
        fold = np.array([self.fold[topic] for topic in self.topics], np.int64)[context.mentions.document[left]]
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
        self.weights = (np.asarray(weights, np.float64) / np.sum(weights)).tolist()

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the combined probabilities."""
        return mean_log_odds([member.score(context, left, right) for member in self.members], self.weights)

    def arrays(self) -> dict[str, np.ndarray]:
        return number_parts((member.arrays() for member in self.members), "member")

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
            pair_scorers[name].load(options.get(name, {}), select_part(arrays, f"member{number}"))
            for number, name in enumerate(options["members"])
        ]
        return cls(members, options["weights"])


def mean_log_odds(probabilities: Sequence[Probabilities], weights: Sequence[float]) -> Probabilities:
    """Return σ(Σ wᵢ · logit pᵢ); probabilities are clipped near 0 and 1."""
    log_odds = np.zeros(len(probabilities[0]))
    for own, weight in zip(probabilities, weights, strict=True):
        clipped = np.clip(own.astype(np.float64), 1e-4, 1 - 1e-4)
        log_odds += weight * np.log(clipped / (1 - clipped))
    return (1 / (1 + np.exp(-log_odds))).astype(np.float32)


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
        probabilities[rows] = mean_log_odds([probabilities[rows], second], [1 - self.weight, self.weight])
        return probabilities

    def arrays(self) -> dict[str, np.ndarray]:
        return join_parts({"first": self.first.arrays(), "second": self.second.arrays()})

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "CascadeScorer":
        """Train the first scorer, find hard pairs, and train the second on them."""
        options = {**CASCADE_DEFAULTS, **settings}
        name, own = options["first"], options.get(options["first"], {})
        first = pair_scorers[name].fit(train, dev, own, seed, report)
        fold = assign_folds(train.topics, options["folds"], seed)
        held_out = FoldScorers.fit(name, train, fold, own, seed, report).held_out(train.topics)
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
            pair_scorers[options[part]].load(options.get(options[part], {}), select_part(arrays, part))
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
    _, chain, sizes = np.unique(pairs.context.mentions.chain, return_inverse=True, return_counts=True)
    positive, negative = np.flatnonzero(pairs.labels), np.flatnonzero(~pairs.labels)
    count = min(int(options["positive"] * options["pairs"]), len(positive))
    drawn = positive
    if count < len(positive):
        weight = 1 / np.sqrt(sizes[chain[pairs.left[positive]]])
        drawn = random.choice(positive, count, replace=False, p=weight / weight.sum())
    likely = negative[probabilities[negative] > options["low"] / 2]
    rest = min(options["pairs"] - count, len(likely))
    return np.sort(np.concatenate([drawn, random.choice(likely, rest, replace=False)]))


class StackedScorer:
    """Two stages of gradient boosting; the second also sees the first probabilities of all pairs.

    The first stage is cross-validated over topics, so that the second is trained on probabilities
    of topics that the first has not seen. In use, the first probability is the mean over the folds.
    """

    uses_all_pairs = True

    def __init__(
        self, first: Sequence[BoostingScorer], second: Sequence[BoostedTrees], fold_scorers: FoldScorers | None = None
    ) -> None:
        self.first, self.second = list(first), list(second)
        self.fold_scorers = fold_scorers
        """After training: a scorer for each fold that has not seen its topics."""

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the probabilities of the second stage."""
        batches = [slice(a, a + PAIRS_PER_BATCH) for a in range(0, len(left), PAIRS_PER_BATCH)]
        cached: dict[int, NDArray[np.float32]] = {}
        first, second = np.zeros(len(left), np.float32), np.zeros(len(left), np.float32)
        for number, batch in enumerate(batches):
            features = pair_features(context, left[batch], right[batch])
            first[batch] = np.mean([member.score_features(context, features) for member in self.first], axis=0)
            if number < _CACHED_BATCHES:
                cached[number] = features
        around = neighbourhood_features(context, left, right, first)
        for number, batch in enumerate(batches):
            features = cached.pop(number) if number in cached else pair_features(context, left[batch], right[batch])
            second[batch] = mean_probability(self.second, np.concatenate([features, around[batch]], axis=1))
        return second

    def arrays(self) -> dict[str, np.ndarray]:
        first = number_parts((scorer.arrays() for scorer in self.first), "first")
        return first | number_parts((trees.arrays() for trees in self.second), "second")

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "StackedScorer":
        """Train the first stage on ``train`` and the second on all pairs of ``dev``."""
        options = {**STACKED_DEFAULTS, **settings}
        fold = assign_folds([*train.topics, *dev.topics], options["folds"], seed)
        first = FoldScorers.fit("boosting", train, fold, options["first"], seed, report)
        members = [member for member in first.members if isinstance(member, BoostingScorer)]
        fold_of = fold_of_pairs(fold, dev)
        features = pair_features(dev.context, dev.left, dev.right)
        probabilities = np.zeros(len(features), np.float32)
        for number, member in enumerate(members):
            rows = fold_of == number
            probabilities[rows] = member.score_features(dev.context, features[rows])
        around = neighbourhood_features(dev.context, dev.left, dev.right, probabilities)
        features = np.concatenate([features, around], axis=1)
        fold_scorers = []
        for number, member in enumerate(members):
            rows = fold_of != number
            fold_scorers.append(cls([member], fit_trees(features[rows], dev.labels[rows], options["second"], seed)))
        report(f"stacked: second stage fitted on {len(features)} pairs")
        second = fit_trees(features, dev.labels, options["second"], seed)
        return cls(members, second, FoldScorers(members=tuple(fold_scorers), fold=fold))

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "StackedScorer":
        options = {**STACKED_DEFAULTS, **settings}
        return cls(
            [BoostingScorer.load(options["first"], part) for part in numbered_parts(arrays, "first")],
            [BoostedTrees.load(part) for part in numbered_parts(arrays, "second")],
        )
