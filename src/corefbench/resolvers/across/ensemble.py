"""Several scorers as one: the mean of the logarithms of their odds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from corefbench.record import Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import (
    Chances,
    Lesson,
    PairScorer,
    Report,
    scorers,
    within,
)

DEFAULTS: dict[str, Any] = {"members": ["boosting", "bi-encoder"], "weights": [0.5, 0.5]}


class Ensemble:
    """Members, each with a weight."""

    def __init__(self, members: Sequence[PairScorer], weights: Sequence[float]) -> None:
        self.members = list(members)
        self.weights = np.asarray(weights, np.float64) / np.sum(weights)

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """σ(Σ wᵢ · logit pᵢ)."""
        odds = np.zeros(len(one))
        for member, weight in zip(self.members, self.weights.tolist(), strict=True):
            odds += weight * logit(member.score(context, one, other))
        return (1 / (1 + np.exp(-odds))).astype(np.float32)

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            f"member{number}.{name}": array
            for number, member in enumerate(self.members)
            for name, array in member.arrays().items()
        }

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "Ensemble":
        """Teach each member the same pairs."""
        given = {**DEFAULTS, **settings}
        members = [
            scorers[name].fit(lesson, dev, given.get(name, {}), seed, report)
            for name in given["members"]
        ]
        return cls(members, given["weights"])

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Ensemble":
        given = {**DEFAULTS, **settings}
        members = [
            scorers[name].load(given.get(name, {}), within(arrays, f"member{number}"))
            for number, name in enumerate(given["members"])
        ]
        return cls(members, given["weights"])


def logit(chance: Chances) -> np.ndarray:
    """ln(p / (1 − p)), cut off where p is all but 0 or 1."""
    inside = np.clip(chance.astype(np.float64), 1e-4, 1 - 1e-4)
    return np.asarray(np.log(inside / (1 - inside)))
