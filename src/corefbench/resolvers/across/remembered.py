"""Chances that are kept: a pair of a subtopic is a pair of its topic too, and scored once."""

import numpy as np

from corefbench.record import Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import Chances, PairScorer


class Remembered:
    """A scorer that has scored some pairs of a context; others it scores when asked."""

    def __init__(self, scorer: PairScorer, context: Context, one: Longs, other: Longs) -> None:
        self.scorer, self.context = scorer, context
        code = self._code(one, other)
        order = np.argsort(code)
        self._known = code[order]
        self._chances = scorer.score(context, one, other)[order]

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """Looked up, if all of these are known."""
        if context is not self.context or not len(self._known):
            return self.scorer.score(context, one, other)
        code = self._code(one, other)
        at = np.minimum(np.searchsorted(self._known, code), len(self._known) - 1)
        if (self._known[at] != code).any():
            return self.scorer.score(context, one, other)
        return self._chances[at]

    def arrays(self) -> dict[str, np.ndarray]:
        """Those of the scorer: what is remembered is not what was learned."""
        return self.scorer.arrays()

    def _code(self, one: Longs, other: Longs) -> Longs:
        return np.minimum(one, other) * len(self.context.table) + np.maximum(one, other)
