"""The two baselines that every figure is to be read beside."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from corefbench.record import Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import Chances, Lesson, Report


class HeadLemma:
    """Mentions corefer if their heads have the same lemma."""

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """1 or 0."""
        return np.asarray(context.lemma[one] == context.lemma[other], np.float32)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "HeadLemma":
        """There is nothing to learn."""
        return cls()

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "HeadLemma":
        return cls()


class Singletons(HeadLemma):
    """No mentions corefer."""

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """0."""
        return np.zeros(len(one), np.float32)
