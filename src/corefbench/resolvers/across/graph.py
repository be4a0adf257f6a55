"""Neighbours by a graph of small worlds (hnswlib), the same however many workers there are.

A graph that several threads build depends on who was first. So a graph is built by one thread, and
a large number of mentions by several graphs of a fixed size, each the work of one worker, of which
all are asked for the neighbours of all.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Columns, Ints, Longs
from corefbench.resolvers.across.vectors import Vectors

SHARD = 1 << 19
"""Mentions of a graph, at most."""
_SEED = 1


class Search(Columns, frozen=True, eq=False):
    """A graph to build, and what to ask it."""

    vectors: Vectors
    queries: Vectors
    members: Longs
    """Whose these are."""
    first: int
    """The number of the first mention of the graph."""
    count: int
    """Neighbours to be found of each."""
    links: int
    effort: int
    is_last: bool
    """Of the graphs of these queries."""


class Found(Columns, frozen=True, eq=False):
    """For each query the numbers of its nearest, itself among them, and how far they are."""

    numbers: Ints
    distances: NDArray[np.float32]


def searches(members: Longs, vectors: Vectors, count: int, links: int, effort: int) -> list[Search]:
    """A search for each shard: shards are of like size."""
    shards = -(-len(vectors) // SHARD)
    edges = [number * len(vectors) // shards for number in range(shards + 1)]
    return [
        Search(
            vectors=vectors[a:b],
            queries=vectors,
            members=members,
            first=a,
            count=count,
            links=links,
            effort=effort,
            is_last=b == len(vectors),
        )
        for a, b in pairwise(edges)
    ]


def search(task: Search) -> Found:
    """Build the graph and ask it, with one thread."""
    import hnswlib

    graph = hnswlib.Index(space="ip", dim=task.vectors.shape[1])
    graph.init_index(
        max_elements=len(task.vectors),
        M=task.links,
        ef_construction=task.effort,
        random_seed=_SEED,
    )
    graph.add_items(task.vectors, num_threads=1)
    count = min(task.count + 1, len(task.vectors))  # a mention is the nearest to itself
    effort = max(count, task.effort // 2)
    while True:
        graph.set_ef(effort)
        try:
            numbers, distances = graph.knn_query(task.queries, k=count, num_threads=1)
        except RuntimeError:  # too few were found: many are the same, and link to one another only
            if effort >= len(task.vectors):
                raise
            effort = min(4 * effort, len(task.vectors))
        else:
            return Found(numbers=(numbers + task.first).astype(np.int32), distances=distances)


def merged(found: Sequence[Found], count: int) -> tuple[Longs, Longs]:
    """The nearest of all graphs, without the mention itself; of two as near, the earlier."""
    numbers = np.concatenate([some.numbers for some in found], axis=1)
    if len(found) > 1:
        distances = np.concatenate([some.distances for some in found], axis=1)
        order = np.lexsort((numbers, distances), axis=1)[:, : count + 1]
        numbers = np.take_along_axis(numbers, order, axis=1)
    one = np.repeat(np.arange(len(numbers)), numbers.shape[1])
    other = numbers.reshape(-1).astype(np.int64)
    apart = one != other
    return one[apart], other[apart]
