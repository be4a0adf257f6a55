"""Gradient boosting on the features of pairs, the mean of several seeds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefbench.errors import MissingExtra, UsageError
from corefbench.record import Flags, Longs
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
        made = np.zeros(len(one), np.float32)
        for first in range(0, len(one), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            made[some] = self.judge(context, features(context, one[some], other[some]))
        return made

    def judge(self, context: Context, seen: NDArray[np.float32]) -> Chances:
        """The chances of pairs whose features are known."""
        if self.seen != (given := tuple(names(context))):
            raise UsageError(
                "the model was trained on other features than this version makes",
                found=", ".join(sorted({*self.seen} ^ {*given})) or "the same in another order",
                remedy="train it again",
            )
        return mean_chance(self.members, seen)

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
        seen = features(lesson.context, lesson.one, lesson.other)
        members = fitted(seen, lesson.labels, settings, seed)
        report(f"boosting: {len(members)} fitted on {len(seen)} pairs")
        return cls(members, names(lesson.context))

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Boosting":
        count = len({name.partition(".")[0] for name in arrays if "." in name})
        members = [Trees.of_arrays(within(arrays, str(number))) for number in range(count)]
        seen = arrays["seen"].tobytes().decode() if "seen" in arrays else ""
        return cls(members, seen.split("\n"))


def mean_chance(members: Sequence[Trees], seen: NDArray[np.float32]) -> Chances:
    """What several sets of trees say on average."""
    made = np.zeros(len(seen), np.float32)
    for trees in members:
        made += trees.chance(seen).astype(np.float32) / len(members)
    return made


def fitted(
    seen: NDArray[np.float32], labels: Flags, settings: Mapping[str, Any], seed: int
) -> list[Trees]:
    """As many sets of trees as there are to be seeds."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError as error:
        raise MissingExtra("scikit-learn", "learned") from error
    given = {**DEFAULTS, **settings}
    # scikit-learn cannot bin a feature that is never there; as a constant it is never split.
    seen = np.where(np.isnan(seen).all(axis=0), np.float32(0.0), seen)
    return [
        Trees.of_estimator(
            HistGradientBoostingClassifier(
                max_iter=given["trees"],
                learning_rate=given["rate"],
                max_leaf_nodes=given["leaves"],
                min_samples_leaf=given["least"],
                l2_regularization=given["l2"],
                max_features=given["share"],
                early_stopping=False,
                random_state=1000 * number + seed,
            ).fit(seen, labels)
        )
        for number in range(int(given["seeds"]))
    ]
