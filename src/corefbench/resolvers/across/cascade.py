"""A cheap scorer judges all pairs, a dear one those that the first leaves open.

p = σ((1 − w) · logit p₁ + w · logit p₂) where low < p₁ < high, and p₁ elsewhere. The second scorer
learns from pairs that the first finds hard when it has not seen their topic.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from corefbench.record import Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.ensemble import logit
from corefbench.resolvers.across.folds import Folds, folded
from corefbench.resolvers.across.scorer import Chances, Lesson, PairScorer, Report, scorers, within

DEFAULTS: dict[str, Any] = {
    "first": "boosting",
    "second": "cross-encoder",
    "weight": 0.5,
    "low": 0.2,
    "high": 0.97,
    "folds": 3,
    "pairs": 20_000,
    "positive": 0.4,
}
"""``weight`` of the second scorer, between which chances of the first it is asked, folds of topics
by which hard pairs are found, how many of them are learned from, the share that corefers."""


class Cascade:
    """Two scorers, one after the other."""

    def __init__(self, first: PairScorer, second: PairScorer, given: Mapping[str, Any]) -> None:
        self.first, self.second = first, second
        self.weight, self.low, self.high = (given[name] for name in ("weight", "low", "high"))

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """Pairs that are not open keep the chance that the first scorer gives."""
        made = np.array(self.first.score(context, one, other), np.float32)
        rows = np.flatnonzero((made > self.low) & (made < self.high))
        read = self.second.score(context, one[rows], other[rows])
        odds = (1 - self.weight) * logit(made[rows]) + self.weight * logit(read)
        made[rows] = 1 / (1 + np.exp(-odds))
        return made

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            f"{place}.{name}": array
            for place, scorer in (("first", self.first), ("second", self.second))
            for name, array in scorer.arrays().items()
        }

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "Cascade":
        """Teach the first scorer; find hard pairs; teach the second these."""
        given = {**DEFAULTS, **settings}
        kind, own = scorers[given["first"]], given.get(given["first"], {})
        first = kind.fit(lesson, dev, own, seed, report)
        fold = folded(lesson.topics, given["folds"], seed)
        judges = Folds.fit(given["first"], lesson, fold, own, seed, report)
        chances = judges.of(lesson.topics).score(lesson.context, lesson.one, lesson.other)
        rows = hard(lesson, chances, given, seed)
        report(f"cascade: {len(rows)} hard pairs, {int(lesson.labels[rows].sum())} corefer")
        seen = first.score(dev.context, dev.one, dev.other)
        open_rows = np.flatnonzero((seen > given["low"]) & (seen < given["high"]))
        second = scorers[given["second"]].fit(
            lesson.only(rows), dev.only(open_rows), given.get(given["second"], {}), seed, report
        )
        return cls(first, second, given)

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Cascade":
        given = {**DEFAULTS, **settings}
        first, second = (
            scorers[given[place]].load(given.get(given[place], {}), within(arrays, place))
            for place in ("first", "second")
        )
        return cls(first, second, given)


def hard(lesson: Lesson, chances: Chances, given: Mapping[str, Any], seed: int) -> Longs:
    """Pairs to read: some of those that corefer, and of the others some that look as if they did.

    Of a chain with n mentions, pairs are drawn with weight 1/√n: large chains have them in plenty.
    """
    random = np.random.default_rng(seed)
    chain = lesson.context.table.chain
    size = np.bincount(chain - chain.min(initial=0))[chain - chain.min(initial=0)]
    positive, negative = np.flatnonzero(lesson.labels), np.flatnonzero(~lesson.labels)
    count = min(int(given["positive"] * given["pairs"]), len(positive))
    weight = 1 / np.sqrt(size[lesson.one[positive]])
    drawn = positive
    if count < len(positive):
        drawn = random.choice(positive, count, replace=False, p=weight / weight.sum())
    open_ones = negative[chances[negative] > given["low"] / 2]
    many = min(given["pairs"] - count, len(open_ones))
    return np.sort(np.concatenate([drawn, random.choice(open_ones, many, replace=False)]))
