"""Two stages of gradient boosting; the second sees the probabilities of all pairs.

The first stage is cross-validated over topics, so that the second is trained on probabilities of
topics that the first has not seen. In use, the first probability is the mean over the folds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefbench.records import Floats, Longs
from corefbench.resolvers.cross_document.clustering import (
    Probabilities,
    average_linkage,
    likely_components,
    pairs_by_component,
    similarity_matrix,
)
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.features import pair_features
from corefbench.resolvers.cross_document.scorers.base import Arrays, TrainingPairs, add_prefix, strip_prefix
from corefbench.resolvers.cross_document.scorers.boosting import (
    PAIRS_PER_BATCH,
    BoostedTrees,
    BoostingScorer,
    fit_trees,
    mean_probability,
)
from corefbench.resolvers.cross_document.scorers.combined import FoldScorers, assign_folds, fold_of_pairs
from corefbench.resolvers.training.config import Report

DEFAULTS: dict[str, Any] = {"folds": 5, "first": {}, "second": {}}
"""Folds of topics, and the boosting settings of both stages."""

NEIGHBOURHOOD_FEATURES = (
    "probability",
    "minimum share of the best",
    "maximum share of the best",
    "minimum rank",
    "maximum rank",
    "cosine of probabilities",
    "merge similarity",
    "minimum expected partners",
    "maximum expected partners",
    "document overlap",
    "document overlap without the pair",
    "minimum rival",
    "maximum rival",
)
_FLOOR_STEP = 0.02
_MAX_MATRIX_SIZE = 3_000
_CACHED_BATCHES = 8
"""Batches whose features are kept between the stages; of a larger corpus they are recomputed."""


class StackedScorer:
    """Boosting on pair features, then on these and on features of all first probabilities."""

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
            members = [member.score_features(context, features) for member in self.first]
            first[batch] = np.mean(members, axis=0)
            if number < _CACHED_BATCHES:
                cached[number] = features
        around = neighbourhood_features(context, left, right, first)
        for number, batch in enumerate(batches):
            features = cached.pop(number) if number in cached else pair_features(context, left[batch], right[batch])
            both = np.concatenate([features, around[batch]], axis=1)
            second[batch] = mean_probability(self.second, both)
        return second

    def arrays(self) -> dict[str, np.ndarray]:
        arrays: dict[str, np.ndarray] = {}
        for number, scorer in enumerate(self.first):
            arrays |= add_prefix(f"first{number}", scorer.arrays())
        for number, trees in enumerate(self.second):
            arrays |= add_prefix(f"second{number}", trees.arrays())
        return arrays

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "StackedScorer":
        """Train the first stage on ``train`` and the second on all pairs of ``dev``."""
        options = {**DEFAULTS, **settings}
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
            trees = fit_trees(features[rows], dev.labels[rows], options["second"], seed)
            fold_scorers.append(cls([member], trees))
        report(f"stacked: second stage fitted on {len(features)} pairs")
        second = fit_trees(features, dev.labels, options["second"], seed)
        return cls(members, second, FoldScorers(members=tuple(fold_scorers), fold=fold))

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "StackedScorer":
        options = {**DEFAULTS, **settings}
        parts = {name.partition(".")[0] for name in arrays}
        firsts, seconds = (
            [strip_prefix(arrays, f"{stage}{n}") for n in range(count)]
            for stage in ("first", "second")
            for count in (sum(part.startswith(stage) for part in parts),)
        )
        return cls(
            [BoostingScorer.load(options["first"], part) for part in firsts],
            [BoostedTrees.load(part) for part in seconds],
        )


def neighbourhood_features(
    context: PairContext, left: Longs, right: Longs, probability: Probabilities
) -> NDArray[np.float32]:
    """Return pairs × ``NEIGHBOURHOOD_FEATURES``, from the probabilities of all pairs.

    They say whether two mentions are each other's best, have the same other partners, would be
    merged by average linkage, and whether the other mentions of their documents match. All but the
    probability are missing if the mentions are not in one component. Components are what pairs
    connect, or what likely pairs connect if that is too large for a matrix.
    """
    features = np.full((len(left), len(NEIGHBOURHOOD_FEATURES)), np.nan, np.float32)
    features[:, 0] = probability
    count = len(context.mentions)
    components = likely_components(count, left, right, probability, 0.0, _MAX_MATRIX_SIZE, _FLOOR_STEP)
    pairs = pairs_by_component(components, count, left, right)
    for members, (rows, a, b) in zip(components, pairs, strict=True):
        if len(rows):
            matrix = similarity_matrix(len(members), a, b, probability[rows])
            documents = context.mentions.document[members]
            features[rows, 1:] = _component_features(np.asarray(matrix, np.float64), documents, a, b)
    return features


def _component_features(matrix: NDArray[np.float64], document: Longs, a: Longs, b: Longs) -> NDArray[np.float64]:
    best = np.maximum(matrix.max(axis=1), 1e-9)
    probability = matrix[a, b]
    rank = np.log1p(np.argsort(np.argsort(-matrix, axis=1), axis=1))
    expected = matrix.sum(axis=1)
    columns = [
        *_ordered(probability / best[a], probability / best[b]),
        *_ordered(rank[a, b], rank[b, a]),
        _shared_partners(matrix)[a, b],
        _merge_similarity(matrix)[a, b],
        *_ordered(expected[a], expected[b]),
        *_document_features(matrix, document, a, b),
    ]
    return np.stack(columns, axis=1)


def _ordered(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    return np.minimum(x, y), np.maximum(x, y)


def _shared_partners(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosine of two mentions' probabilities with all others, 1 with themselves."""
    rows = matrix.copy()
    np.fill_diagonal(rows, 1.0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows @ rows.T, np.float64)


def _merge_similarity(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Similarity of two clusters when average linkage merged the two mentions."""
    from scipy.cluster.hierarchy import cophenet
    from scipy.spatial.distance import squareform

    return np.asarray(1.0 - squareform(cophenet(average_linkage(matrix))), np.float64)


def _document_features(matrix: NDArray[np.float64], document: Longs, a: Longs, b: Longs) -> list[Floats]:
    """How well the mentions of two documents match, with and without the pair, and its rivals.

    A rival is the most probable other mention of the partner's document.
    """
    _, number = np.unique(document, return_inverse=True)
    number = number.reshape(-1)
    best, second_best = _two_best(matrix, number)
    count = np.bincount(number)
    total = np.zeros((len(count), len(count)))
    np.add.at(total, number, best)
    x, y = number[a], number[b]
    share = total / count[:, None]
    rest = total[x, y] - best[a, y] + total[y, x] - best[b, x]
    others = count[x] + count[y] - 2
    without_pair = np.where(others > 0, rest / np.maximum(others, 1), np.nan)
    probability = matrix[a, b]
    rivals = [
        np.where(probability >= best[m, d] - 1e-9, second_best[m, d], best[m, d]) - probability
        for m, d in ((a, y), (b, x))
    ]
    overlap = (share[x, y] + share[y, x]) / 2
    return [overlap, np.where(x == y, 1.0, without_pair), *_ordered(*rivals)]


def _two_best(matrix: NDArray[np.float64], document: Longs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mentions × documents: the two highest probabilities of a mention in a document."""
    shape = (len(matrix), int(document.max(initial=-1)) + 1)
    best, second_best = np.zeros(shape), np.zeros(shape)
    for number in range(shape[1]):
        columns = np.sort(matrix[:, document == number], axis=1)
        best[:, number] = columns[:, -1]
        if columns.shape[1] > 1:
            second_best[:, number] = columns[:, -2]
    return best, second_best
