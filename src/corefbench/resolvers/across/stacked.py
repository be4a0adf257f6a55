"""Boosted trees twice: the second look at a pair sees what the first said of all pairs.

Folds of topics give the first look at pairs of topics that it has not learned from; over these the
second one is taught. In use, the first chance is the mean over the folds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Longs
from corefbench.resolvers.across.boosting import Boosting, fitted, mean_chance
from corefbench.resolvers.across.chances import seen_in_chances
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.features import features
from corefbench.resolvers.across.folds import Folds, fold_of, folded
from corefbench.resolvers.across.scorer import Chances, Lesson, Report, within
from corefbench.resolvers.across.trees import Trees

DEFAULTS: dict[str, Any] = {"folds": 5, "first": {}, "second": {}}
"""Folds of topics, and the settings of boosting for both looks."""

_AT_ONCE = 1 << 18
_KEPT = 8
"""Parts whose features are kept between the looks; of a larger corpus they are made again."""


class Stacked:
    """The mean of some scorers, then trees over features and over what all chances say."""

    sees_all = True
    """What a pair is given depends on the pairs around it."""

    def __init__(
        self, first: Sequence[Boosting], second: Sequence[Trees], judges: Folds | None = None
    ) -> None:
        self.first, self.second = list(first), list(second)
        self.judges = judges
        """Of the training: for each fold of topics, a scorer that has not seen it."""

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """Look twice."""
        parts = [slice(a, a + _AT_ONCE) for a in range(0, len(one), _AT_ONCE)]
        kept: dict[int, NDArray[np.float32]] = {}
        chance, made = np.zeros(len(one), np.float32), np.zeros(len(one), np.float32)
        for number, some in enumerate(parts):
            seen = features(context, one[some], other[some])
            chance[some] = _mean(self.first, context, seen)
            if number < _KEPT:
                kept[number] = seen
        around = seen_in_chances(context, one, other, chance)
        for number, some in enumerate(parts):
            known = kept.pop(number, None)
            seen = features(context, one[some], other[some]) if known is None else known
            made[some] = mean_chance(self.second, np.concatenate([seen, around[some]], axis=1))
        return made

    def arrays(self) -> dict[str, np.ndarray]:
        looks = [(f"first{n}", scorer.arrays()) for n, scorer in enumerate(self.first)]
        looks += [(f"second{n}", trees.arrays()) for n, trees in enumerate(self.second)]
        return {f"{place}.{name}": array for place, some in looks for name, array in some.items()}

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "Stacked":
        """The first look learns from ``lesson``, the second from all pairs of ``dev``."""
        given = {**DEFAULTS, **settings}
        fold = folded([*lesson.topics, *dev.topics], given["folds"], seed)
        first = Folds.fit("boosting", lesson, fold, given["first"], seed, report)
        members = [member for member in first.members if isinstance(member, Boosting)]
        of, seen = fold_of(fold, dev), features(dev.context, dev.one, dev.other)
        chance = np.zeros(len(seen), np.float32)
        for number, member in enumerate(members):
            chance[of == number] = member.judge(dev.context, seen[of == number])
        around = seen_in_chances(dev.context, dev.one, dev.other, chance)
        seen = np.concatenate([seen, around], axis=1)
        judges = []
        for number, member in enumerate(members):
            rows = of != number
            trees = fitted(seen[rows], dev.labels[rows], given["second"], seed)
            judges.append(cls([member], trees))
        report(f"stacked: second look fitted on {len(seen)} pairs")
        second = fitted(seen, dev.labels, given["second"], seed)
        return cls(members, second, Folds(members=tuple(judges), fold=fold))

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Stacked":
        given = {**DEFAULTS, **settings}
        places = {name.partition(".")[0] for name in arrays}
        first = [
            Boosting.load(given["first"], within(arrays, f"first{number}"))
            for number in range(sum(place.startswith("first") for place in places))
        ]
        second = [
            Trees.of_arrays(within(arrays, f"second{number}"))
            for number in range(sum(place.startswith("second") for place in places))
        ]
        return cls(first, second)


def _mean(
    members: Sequence[Boosting], context: Context, seen: NDArray[np.float32]
) -> NDArray[np.float32]:
    return np.asarray(np.mean([member.judge(context, seen) for member in members], axis=0), "f4")
