"""Gradient boosting on the features of pairs, the mean of several seeds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from corefbench.errors import MissingExtra, UsageError
from corefbench.record import Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.features import features, names
from corefbench.resolvers.across.scorer import Chances, Lesson, Report, within
from corefbench.resolvers.across.trees import Trees

DEFAULTS: dict[str, Any] = {
    "trees": 200,
    "rate": 0.1,
    "leaves": 31,
    "least": 40,
    "l2": 1.0,
    "share": 0.5,
    "seeds": 1,
}
"""Trees, learning rate, leaves of a tree, rows of a leaf, ridge, share of features for a split."""

_AT_ONCE = 1 << 18


class Boosting:
    """Boosted trees; several with different seeds are averaged."""

    def __init__(self, members: Sequence[Trees], seen: Sequence[str]) -> None:
        self.members = list(members)
        self.seen = tuple(seen)
        """The names of the features: trees know them by number only."""

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """The mean of the members' chances."""
        if self.seen != (given := tuple(names(context))):
            raise UsageError(
                "the model was trained on other features than this version makes",
                found=", ".join(sorted({*self.seen} ^ {*given})) or "the same in another order",
                remedy="train it again",
            )
        made = np.zeros(len(one), np.float32)
        for first in range(0, len(one), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            seen = features(context, one[some], other[some])
            for trees in self.members:
                made[some] += trees.chance(seen).astype(np.float32) / len(self.members)
        return made

    def arrays(self) -> dict[str, np.ndarray]:
        made = {
            f"{number}.{name}": array
            for number, trees in enumerate(self.members)
            for name, array in trees.arrays().items()
        }
        return {**made, "seen": np.frombuffer("\n".join(self.seen).encode(), np.uint8)}

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "Boosting":
        """Fit with scikit-learn; what it learned is kept as arrays."""
        try:
            from sklearn.ensemble import HistGradientBoostingClassifier
        except ImportError as error:
            raise MissingExtra("scikit-learn", "learned") from error
        given = {**DEFAULTS, **settings}
        seen = features(lesson.context, lesson.one, lesson.other)
        # scikit-learn cannot bin a feature that is never there; as a constant it is never split.
        seen[:, np.isnan(seen).all(axis=0)] = 0.0
        members = []
        for number in range(int(given["seeds"])):
            estimator = HistGradientBoostingClassifier(
                max_iter=given["trees"],
                learning_rate=given["rate"],
                max_leaf_nodes=given["leaves"],
                min_samples_leaf=given["least"],
                l2_regularization=given["l2"],
                max_features=given["share"],
                early_stopping=False,
                random_state=1000 * number + seed,
            ).fit(seen, lesson.labels)
            members.append(Trees.of_estimator(estimator))
            report(f"boosting: {number + 1} of {given['seeds']} fitted on {len(seen)} pairs")
        return cls(members, names(lesson.context))

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Boosting":
        count = len({name.partition(".")[0] for name in arrays if "." in name})
        members = [Trees.of_arrays(within(arrays, str(number))) for number in range(count)]
        seen = arrays["seen"].tobytes().decode() if "seen" in arrays else ""
        return cls(members, seen.split("\n"))
