"""Which pairs are worth scoring: neighbours, and mentions with one head lemma."""

import numpy as np

from corefbench.record import Columns, Longs
from corefbench.resolvers.across.blocking import Blocking
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.neighbours import nearest_within
from corefbench.resolvers.across.pairs import once
from corefbench.resolvers.across.vectors import Vectors, unit
from corefbench.resolvers.across.workers import Workers

_AT_ONCE = 1 << 16


class Points(Columns, frozen=True, eq=False):
    """Mentions as blocking sees them."""

    vectors: Vectors
    lemma: Longs
    group: Longs
    """Pairs do not reach beyond a group."""

    def __len__(self) -> int:
        return len(self.lemma)

    def taken(self, order: Longs) -> "Points":
        """The mentions in another order."""
        return Points(vectors=self.vectors[order], lemma=self.lemma[order], group=self.group[order])

    def order(self) -> Longs:
        """An order that does not depend on the one in which mentions were given.

        Mentions of a lemma stand together, which makes neighbours quicker to find.
        """
        return np.lexsort((self.group, _digest(self.vectors), self.lemma))


def points_of(context: Context, group: Longs) -> Points:
    """Mentions by the vectors of their spans."""
    view = {view.name: view for view in context.views}["span vector"]
    return Points(vectors=view.rows[view.of], lemma=context.lemma, group=group)


def candidates(points: Points, blocking: Blocking, workers: Workers) -> tuple[Longs, Longs]:
    """Pairs within groups, each once; memory grows with their number, never with its square."""
    vectors = principal(points.vectors, blocking.dimension)
    lemmas = int(points.lemma.max(initial=0)) + 1
    both = points.group * lemmas + points.lemma
    groupings = [(points.group, blocking.neighbours), (both, blocking.same_lemma)]
    found = [
        _coded(one, other, len(points))
        for one, other in nearest_within(vectors, groupings, blocking, workers)
    ]
    code = np.unique(np.concatenate(found))
    return code // max(len(points), 1), code % max(len(points), 1)


def blocked_pairs(
    context: Context, group: Longs, blocking: Blocking, workers: Workers | None = None
) -> tuple[Longs, Longs]:
    """The candidates of a corpus, the earlier mention first."""
    from corefbench.resolvers.across.neighbours import chosen_index

    points = points_of(context, group)
    order = points.order()
    one, other = candidates(points.taken(order), chosen_index(blocking), workers or Workers())
    return once(order[one], order[other], len(points))


def principal(vectors: Vectors, dimension: int) -> Vectors:
    """The vectors along their principal axes, at length 1; 0 axes: as they are."""
    if not 0 < dimension < vectors.shape[1]:
        return vectors
    moments = np.zeros((vectors.shape[1], vectors.shape[1]))
    for first in range(0, len(vectors), _AT_ONCE):
        some = vectors[first : first + _AT_ONCE].astype(np.float64)
        moments += some.T @ some
    axes = np.linalg.eigh(moments)[1][:, ::-1][:, :dimension].astype(np.float32)
    return unit(vectors @ axes)


def _coded(one: Longs, other: Longs, count: int) -> Longs:
    """A number for each pair, each once: half of the neighbours are so to each other."""
    return np.unique(np.minimum(one, other) * count + np.maximum(one, other))


def _digest(vectors: Vectors) -> np.ndarray:
    """A number for each row, by its bits."""
    bits = np.ascontiguousarray(vectors, np.float32).view(np.uint32)
    weights = np.random.default_rng(0).integers(1, 1 << 63, bits.shape[1], np.uint64) | np.uint64(1)
    made = np.empty(len(bits), np.uint64)
    for first in range(0, len(bits), _AT_ONCE):
        some = bits[first : first + _AT_ONCE].astype(np.uint64)
        made[first : first + _AT_ONCE] = (some * weights).sum(axis=1, dtype=np.uint64)
    return made
