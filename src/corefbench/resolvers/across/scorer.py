"""What may score pairs of mentions: boosted trees, networks, and means of several."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from corefbench.record import Columns, Flags, Longs
from corefbench.registry import Registry
from corefbench.resolvers.across.context import Context

Report: TypeAlias = Callable[[str], None]
Chances: TypeAlias = NDArray[np.float32]


class Lesson(Columns, frozen=True, eq=False):
    """Pairs to learn from."""

    context: Context
    one: Longs
    other: Longs
    labels: Flags
    """Which pairs corefer."""
    topics: tuple[str, ...] = ()
    """Of each document."""

    def groups(self) -> Longs:
        """The group (topic) of each mention: mentions that some pair joins, however indirectly."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        count = len(self.context.table)
        ones = np.ones(len(self.one), np.bool_)
        graph = coo_matrix((ones, (self.one, self.other)), shape=(count, count))
        return np.asarray(connected_components(graph, directed=False)[1], np.int64)

    def only(self, rows: Longs) -> "Lesson":
        """Some of the pairs."""
        return replace(self, one=self.one[rows], other=self.other[rows], labels=self.labels[rows])


class PairScorer(Protocol):
    """Gives pairs a chance to corefer."""

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """From 0 to 1, the same both ways round."""
        ...

    def arrays(self) -> dict[str, np.ndarray]:
        """What it learned, for a checkpoint."""
        ...


class ScorerKind(Protocol):
    """A class of scorers, which can be taught or loaded."""

    def fit(
        self, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> PairScorer:
        """Learn from pairs; ``dev`` may say when to stop."""
        ...

    def load(self, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> PairScorer:
        """What ``arrays`` gave."""
        ...


scorers: Registry[ScorerKind] = Registry(
    "pair scorer",
    built_in={
        "boosting": "corefbench.resolvers.across.boosting:Boosting",
        "mlp": "corefbench.resolvers.across.mlp:Perceptron",
        "bi-encoder": "corefbench.resolvers.across.bi_encoder:BiEncoder",
        "cross-encoder": "corefbench.resolvers.across.cross_encoder:CrossEncoder",
        "stacked": "corefbench.resolvers.across.stacked:Stacked",
        "cascade": "corefbench.resolvers.across.cascade:Cascade",
        "ensemble": "corefbench.resolvers.across.ensemble:Ensemble",
        "head-lemma": "corefbench.resolvers.across.baselines:HeadLemma",
        "singletons": "corefbench.resolvers.across.baselines:Singletons",
    },
    aliases={"cattan-2021": "mlp", "lemma": "head-lemma"},
    entry_points="corefbench.pair_scorers",
)


def within(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """The arrays whose names begin so, without that beginning."""
    begin = f"{prefix}."
    return {name[len(begin) :]: a for name, a in arrays.items() if name.startswith(begin)}


def precision_at_best(labels: Flags, chances: Chances) -> float:
    """Average precision: the mean precision at each pair that corefers, ranked by chance."""
    order = np.argsort(-chances, kind="stable")
    hits = labels[order]
    ranks = np.flatnonzero(hits) + 1
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks)) if len(ranks) else 0.0
