"""Scorers that have not seen a topic judge its pairs: cross-validation over topics."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from corefbench.record import Columns, Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import Chances, Lesson, PairScorer, Report, scorers


class Folds(Columns, frozen=True, eq=False):
    """A scorer for each fold of topics, taught by the topics of all others."""

    members: tuple[PairScorer, ...]
    fold: Mapping[str, int]
    """By topic."""

    @classmethod
    def fit(
        cls,
        name: str,
        lesson: Lesson,
        fold: Mapping[str, int],
        settings: Mapping[str, Any],
        seed: int,
        report: Report,
    ) -> "Folds":
        """Teach a scorer for each fold."""
        of = fold_of(fold, lesson)
        count = max(fold.values(), default=-1) + 1
        members = []
        for number in range(count):
            report(f"fold {number + 1} of {count}")
            rest, left_out = (lesson.only(np.flatnonzero(k)) for k in (of != number, of == number))
            members.append(scorers[name].fit(rest, left_out, settings, seed, report))
        return cls(members=tuple(members), fold=fold)

    def of(self, topics: Sequence[str]) -> "HeldOut":
        """A scorer for documents of topics that the folds have."""
        return HeldOut(self.members, np.array([self.fold[name] for name in topics], np.int64))


class HeldOut:
    """Scores each pair by the scorer that has not seen its topic."""

    def __init__(self, members: Sequence[PairScorer], fold: Longs) -> None:
        self.members = list(members)
        self.fold = fold
        """Of each document of the corpus that is to be scored."""

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """Pairs do not reach beyond a topic."""
        made = np.zeros(len(one), np.float32)
        of = self.fold[context.table.document[one]]
        for number, member in enumerate(self.members):
            rows = np.flatnonzero(of == number)
            if len(rows):
                made[rows] = member.score(context, one[rows], other[rows])
        return made

    def arrays(self) -> dict[str, np.ndarray]:
        """Nothing is kept of them."""
        return {}


def folded(topics: Sequence[str], folds: int, seed: int) -> dict[str, int]:
    """The fold of each topic, in an order of chance, so that folds have as many topics.

    >>> sorted(folded(["36", "36", "37", "38", "39"], 2, 0).values())
    [0, 0, 1, 1]
    """
    names = sorted(set(topics))
    order = np.random.default_rng(seed).permutation(len(names)).tolist()
    return {names[place]: number % folds for number, place in enumerate(order)}


def fold_of(fold: Mapping[str, int], lesson: Lesson) -> Longs:
    """The fold of each pair."""
    documents = np.array([fold[name] for name in lesson.topics], np.int64)
    return np.asarray(documents[lesson.context.table.document[lesson.one]], np.int64)
