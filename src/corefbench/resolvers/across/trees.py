"""Boosted trees as plain arrays: what scikit-learn learned, without scikit-learn or pickles."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Columns, Flags, Floats, Ints

_AT_ONCE = 1 << 15


class Trees(Columns, frozen=True, eq=False):
    """The nodes of all trees, one after another; leaves lead to themselves."""

    feature: Ints
    threshold: Floats
    """A row goes left where its feature is at most this …"""
    missing_left: Flags
    """… or is missing, and this is set."""
    left: Ints
    right: Ints
    value: Floats
    """Of a leaf."""
    roots: Ints
    baseline: Floats
    """One number: what is said before any tree."""

    def raw(self, features: NDArray[np.float32]) -> Floats:
        """The sum of the leaves that each row falls into: the logarithm of the odds."""
        made = np.full(len(features), self.baseline[0])
        for first in range(0, len(features), _AT_ONCE):
            # A column at a time is compared.
            columns = features[first : first + _AT_ONCE].T.astype(np.float64, order="C")
            self._add_leaves(columns, made[first : first + _AT_ONCE])
        return made

    def chance(self, features: NDArray[np.float32]) -> Floats:
        """1 / (1 + e^−raw)."""
        return 1.0 / (1.0 + np.exp(-self.raw(features)))

    def _add_leaves(self, columns: Floats, made: Floats) -> None:
        """Send all rows down each tree together: every node parts those that come to it."""
        everything = np.arange(len(made))
        work = [(root, everything) for root in self.roots.tolist()]
        while work:
            node, rows = work.pop()
            if self.left[node] == node:
                made[rows] += self.value[node]
            elif len(rows):
                value = columns[self.feature[node]][rows]
                # What is missing is neither below nor above.
                if self.missing_left[node]:
                    goes_left = ~(value > self.threshold[node])
                else:
                    goes_left = value <= self.threshold[node]
                work.append((int(self.left[node]), rows[goes_left]))
                work.append((int(self.right[node]), rows[~goes_left]))

    def arrays(self) -> dict[str, np.ndarray]:
        """As a checkpoint keeps them."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "Trees":
        """From a checkpoint."""
        return cls(**{name: arrays[name] for name in cls.__struct_fields__})

    @classmethod
    def of_estimator(cls, estimator: Any) -> "Trees":
        """From a fitted ``HistGradientBoostingClassifier`` of two classes, without categories."""
        nodes = [predictor.nodes for (predictor,) in estimator._predictors]
        sizes = [len(some) for some in nodes]
        roots = np.cumsum([0, *sizes[:-1]])
        flat = np.concatenate(nodes)
        first = np.repeat(roots, sizes)
        own = np.arange(len(flat))
        leaf = flat["is_leaf"].astype(bool)
        return cls(
            feature=np.where(leaf, 0, flat["feature_idx"]).astype(np.int32),
            threshold=np.where(leaf, 0.0, flat["num_threshold"]).astype(np.float64),
            missing_left=flat["missing_go_to_left"].astype(bool),
            left=np.where(leaf, own, flat["left"] + first).astype(np.int32),
            right=np.where(leaf, own, flat["right"] + first).astype(np.int32),
            value=np.where(leaf, flat["value"], 0.0).astype(np.float64),
            roots=roots.astype(np.int32),
            baseline=np.asarray(estimator._baseline_prediction, np.float64).reshape(-1),
        )
