"""Pairs scored in pieces, by whoever is free."""

import numpy as np

from corefbench.record import Columns, Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import Chances, PairScorer
from corefbench.resolvers.across.workers import Held, Workers

AT_ONCE = 1 << 18
"""Pairs that are one piece of work."""


class Judge(Columns, frozen=True, eq=False):
    """A scorer with what it judges by."""

    scorer: PairScorer
    context: Context

    @property
    def sees_all(self) -> bool:
        """Whether what a pair is given depends on the pairs around it."""
        return bool(getattr(self.scorer, "sees_all", False))

    def score(self, one: Longs, other: Longs) -> Chances:
        """The chance of each pair."""
        return self.scorer.score(self.context, one, other)


class Scoring(Columns, frozen=True, eq=False):
    """Scores a piece, wherever it was sent."""

    judge: Held[Judge]

    def __call__(self, pairs: tuple[Longs, Longs]) -> Chances:
        return self.judge.value.score(*pairs)


def scored(held: Held[Judge], one: Longs, other: Longs, workers: Workers) -> Chances:
    """The chance of each pair. Pieces are the same however many workers there are."""
    if held.value.sees_all:
        return held.value.score(one, other)
    made = np.zeros(len(one), np.float32)
    starts = range(0, len(one), AT_ONCE)
    pieces = [(one[first : first + AT_ONCE], other[first : first + AT_ONCE]) for first in starts]
    results = workers.map("scoring", Scoring(judge=held), pieces)
    for first, result in zip(starts, results, strict=True):
        made[first : first + AT_ONCE] = result
    return made
