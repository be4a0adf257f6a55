"""Gradient boosting on pair features."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefbench.errors import MissingExtra, UsageError
from corefbench.records import Columns, Flags, Floats, Ints, Longs
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.features import feature_names, pair_features
from corefbench.resolvers.cross_document.scorers.base import Arrays, TrainingPairs, number_parts, numbered_parts
from corefbench.resolvers.training.config import Report

DEFAULTS: dict[str, Any] = {"trees": 200, "rate": 0.1, "leaves": 31, "least": 40, "l2": 1.0, "share": 0.5, "seeds": 1}
"""Trees, learning rate, leaves per tree, minimum rows per leaf, L2 regularization, share of
features per split, and number of seeds to average over."""

PAIRS_PER_BATCH = 1 << 18
_ROWS_PER_BATCH = 1 << 15


class BoostingScorer:
    """Boosted trees, averaged over several seeds."""

    def __init__(self, members: Sequence["BoostedTrees"], features: Sequence[str]) -> None:
        self.members = list(members)
        self.features = tuple(features)
        """Names of the features, which trees know by number only."""

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the mean probability of the members."""
        probabilities = np.zeros(len(left), np.float32)
        for first in range(0, len(left), PAIRS_PER_BATCH):
            batch = slice(first, first + PAIRS_PER_BATCH)
            features = pair_features(context, left[batch], right[batch])
            probabilities[batch] = self.score_features(context, features)
        return probabilities

    def score_features(self, context: PairContext, features: NDArray[np.float32]) -> Probabilities:
        """Return the probabilities of pairs whose features are known."""
        if self.features != (computed := tuple(feature_names(context))):
            difference = {*self.features} ^ {*computed}
            raise UsageError(
                "the model was trained on other features than this version computes",
                found=", ".join(sorted(difference)) or "the same in another order",
                remedy="train it again",
            )
        return mean_probability(self.members, features)

    def arrays(self) -> dict[str, np.ndarray]:
        names = np.frombuffer("\n".join(self.features).encode(), np.uint8)
        return {**number_parts(trees.arrays() for trees in self.members), "seen": names}

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "BoostingScorer":
        """Fit with scikit-learn; the trees are kept as plain arrays."""
        features = pair_features(train.context, train.left, train.right)
        members = fit_trees(features, train.labels, settings, seed)
        report(f"boosting: {len(members)} fitted on {len(features)} pairs")
        return cls(members, feature_names(train.context))

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "BoostingScorer":
        members = [BoostedTrees.load(part) for part in numbered_parts(arrays)]
        names = arrays["seen"].tobytes().decode() if "seen" in arrays else ""
        return cls(members, names.split("\n"))


class BoostedTrees(Columns, frozen=True, eq=False):
    """Nodes of all trees, concatenated; a leaf is its own child.

    Plain arrays in place of a pickled scikit-learn estimator: a checkpoint must be safe to load,
    and readable by later versions.
    """

    feature: Ints
    threshold: Floats
    """Rows go left if their feature is at most this …"""
    missing_left: Flags
    """… or is missing and this is set."""
    left: Ints
    right: Ints
    value: Floats
    """Value of a leaf."""
    roots: Ints
    baseline: Floats
    """One number: the log-odds before any tree."""

    def log_odds(self, features: NDArray[np.float32]) -> Floats:
        """Return the sum of the leaves that each row falls into."""
        sums = np.full(len(features), self.baseline[0])
        for first in range(0, len(features), _ROWS_PER_BATCH):
            # Contiguous columns, since nodes compare one feature of many rows.
            columns = features[first : first + _ROWS_PER_BATCH].T.astype(np.float64, order="C")
            self._add_leaves(columns, sums[first : first + _ROWS_PER_BATCH])
        return sums

    def probabilities(self, features: NDArray[np.float32]) -> Floats:
        """Return σ(log-odds)."""
        return 1.0 / (1.0 + np.exp(-self.log_odds(features)))

    def _add_leaves(self, columns: Floats, sums: Floats) -> None:
        """Send all rows down each tree together, partitioning them at every node."""
        everything = np.arange(len(sums))
        stack = [(root, everything) for root in self.roots.tolist()]
        while stack:
            node, rows = stack.pop()
            if self.left[node] == node:
                sums[rows] += self.value[node]
            elif len(rows):
                value = columns[self.feature[node]][rows]
                # Comparisons with NaN are false, so the sense of the test decides where it goes.
                if self.missing_left[node]:
                    goes_left = ~(value > self.threshold[node])
                else:
                    goes_left = value <= self.threshold[node]
                stack.append((int(self.left[node]), rows[goes_left]))
                stack.append((int(self.right[node]), rows[~goes_left]))

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a checkpoint."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    @classmethod
    def load(cls, arrays: Arrays) -> "BoostedTrees":
        """Restore from the arrays of a checkpoint."""
        return cls(**{name: arrays[name] for name in cls.__struct_fields__})

    @classmethod
    def from_estimator(cls, estimator: Any) -> "BoostedTrees":
        """Convert a binary ``HistGradientBoostingClassifier`` without categorical features."""
        nodes = [predictor.nodes for (predictor,) in estimator._predictors]
        sizes = [len(tree) for tree in nodes]
        roots = np.cumsum([0, *sizes[:-1]])
        flat = np.concatenate(nodes)
        offset = np.repeat(roots, sizes)
        own = np.arange(len(flat))
        leaf = flat["is_leaf"].astype(bool)
        return cls(
            feature=np.where(leaf, 0, flat["feature_idx"]).astype(np.int32),
            threshold=np.where(leaf, 0.0, flat["num_threshold"]).astype(np.float64),
            missing_left=flat["missing_go_to_left"].astype(bool),
            left=np.where(leaf, own, flat["left"] + offset).astype(np.int32),
            right=np.where(leaf, own, flat["right"] + offset).astype(np.int32),
            value=np.where(leaf, flat["value"], 0.0).astype(np.float64),
            roots=roots.astype(np.int32),
            baseline=np.asarray(estimator._baseline_prediction, np.float64).reshape(-1),
        )


def mean_probability(members: Sequence[BoostedTrees], features: NDArray[np.float32]) -> Probabilities:
    """Return the mean probability of several sets of trees."""
    mean = np.zeros(len(features), np.float32)
    for trees in members:
        mean += trees.probabilities(features).astype(np.float32) / len(members)
    return mean


def fit_trees(
    features: NDArray[np.float32], labels: Flags, settings: Mapping[str, Any], seed: int
) -> list[BoostedTrees]:
    """Fit one set of trees per seed."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError as error:
        raise MissingExtra("scikit-learn", "learned") from error
    options = {**DEFAULTS, **settings}
    # scikit-learn cannot bin a feature that is always missing; a constant is never split.
    features = np.where(np.isnan(features).all(axis=0), np.float32(0.0), features)
    return [
        BoostedTrees.from_estimator(
            HistGradientBoostingClassifier(
                max_iter=options["trees"],
                learning_rate=options["rate"],
                max_leaf_nodes=options["leaves"],
                min_samples_leaf=options["least"],
                l2_regularization=options["l2"],
                max_features=options["share"],
                early_stopping=False,
                random_state=1000 * number + seed,
            ).fit(features, labels)
        )
        for number in range(int(options["seeds"]))
    ]
