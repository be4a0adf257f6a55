"""Candidate pairs from nearest neighbours and shared head lemmas."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from corefbench.errors import MissingExtra
from corefbench.records import Columns, Ints, Longs
from corefbench.resolvers.cross_document.clustering import (
    all_pairs,
    count_coreferent_pairs,
    group_members,
    pair_codes,
    unique_pairs,
)
from corefbench.resolvers.cross_document.config import BlockingConfig
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.vectors import Vectors, normalize_rows
from corefbench.resolvers.cross_document.workers import Workers, batch_slices

MAX_EXACT_SEARCH = 5_000
"""Groups up to this size are searched exhaustively, which is faster than building a graph."""
SHARD_SIZE = 1 << 19
"""Maximum number of mentions in one graph."""
_MENTIONS_PER_TASK = 20_000
_ROWS_PER_BATCH = 1 << 16
_GRAPH_SEED = 1


class MentionVectors(Columns, frozen=True, eq=False):
    """What blocking knows of mentions."""

    vectors: Vectors
    lemma: Longs
    group: Longs
    """Pairs do not cross groups."""

    def __len__(self) -> int:
        return len(self.lemma)

    def take(self, order: Longs) -> "MentionVectors":
        """Return the mentions in another order."""
        return MentionVectors(vectors=self.vectors[order], lemma=self.lemma[order], group=self.group[order])

    def canonical_order(self) -> Longs:
        """Return an order that does not depend on the order of the input.

        Mentions of a lemma are adjacent, which makes neighbours faster to find.
        """
        return np.lexsort((self.group, _row_hashes(self.vectors), self.lemma))


def mention_vectors(context: PairContext, group: Longs) -> MentionVectors:
    """Represent mentions by their span vectors."""
    view = context.view("span vector")
    return MentionVectors(vectors=view.rows[view.row_of], lemma=context.lemma, group=group)


def candidate_pairs(mentions: MentionVectors, config: BlockingConfig, workers: Workers) -> tuple[Longs, Longs]:
    """Return candidate pairs, each once; memory grows with their number, not its square."""
    vectors = reduce_dimension(mentions.vectors, config.dimension)
    lemmas = int(mentions.lemma.max(initial=0)) + 1
    lemma_groups = mentions.group * lemmas + mentions.lemma
    groupings = [(mentions.group, config.neighbours), (lemma_groups, config.same_lemma)]
    codes = [
        # Deduplicated at once: about half of the neighbours are mutual.
        np.unique(pair_codes(left, right, len(mentions)))
        for left, right in nearest_in_groups(vectors, groupings, config, workers)
    ]
    merged = np.unique(np.concatenate(codes))
    return merged // max(len(mentions), 1), merged % max(len(mentions), 1)


def candidate_pairs_of(
    context: PairContext, group: Longs, config: BlockingConfig, workers: Workers | None = None
) -> tuple[Longs, Longs]:
    """Return the candidate pairs of a corpus, the earlier mention first."""
    mentions = mention_vectors(context, group)
    order = mentions.canonical_order()
    left, right = candidate_pairs(mentions.take(order), resolve_index(config), workers or Workers())
    return unique_pairs(order[left], order[right], len(mentions))


def blocking_recall(chain: Longs, left: Longs, right: Longs, group: Longs) -> float:
    """Return the share of coreferent pairs within groups that are candidates."""
    total = count_coreferent_pairs(chain, group)
    return float((chain[left] == chain[right]).sum() / total) if total else 1.0


def resolve_index(config: BlockingConfig) -> BlockingConfig:
    """Replace ``auto`` by the index that will be used, so that the signature names it."""
    if config.index == "exact":
        return config
    installed = find_spec("hnswlib") is not None
    if config.index == "hnsw" and not installed:
        raise MissingExtra("hnswlib", "scale")
    return replace(config, index="hnsw" if installed else "exact")


def reduce_dimension(vectors: Vectors, dimension: int) -> Vectors:
    """Project on principal components and normalize; 0 keeps the vectors as they are."""
    if not 0 < dimension < vectors.shape[1]:
        return vectors
    moments = np.zeros((vectors.shape[1], vectors.shape[1]))
    for first in range(0, len(vectors), _ROWS_PER_BATCH):
        batch = vectors[first : first + _ROWS_PER_BATCH].astype(np.float64)
        moments += batch.T @ batch
    axes = np.linalg.eigh(moments)[1][:, ::-1][:, :dimension].astype(np.float32)
    return normalize_rows(vectors @ axes)


def _row_hashes(vectors: Vectors) -> np.ndarray:
    bits = np.ascontiguousarray(vectors, np.float32).view(np.uint32)
    weights = np.random.default_rng(0).integers(1, 1 << 63, bits.shape[1], np.uint64) | np.uint64(1)
    hashes = np.empty(len(bits), np.uint64)
    for first in range(0, len(bits), _ROWS_PER_BATCH):
        batch = bits[first : first + _ROWS_PER_BATCH].astype(np.uint64)
        hashes[first : first + _ROWS_PER_BATCH] = (batch * weights).sum(axis=1, dtype=np.uint64)
    return hashes


# Nearest neighbours


class ExactSearch(Columns, frozen=True, eq=False):
    """Groups to search exhaustively."""

    members: tuple[Longs, ...]
    vectors: tuple[Vectors, ...]
    count: int


class GraphSearch(Columns, frozen=True, eq=False):
    """A graph to build from some mentions, and the queries to it.

    A graph built by several threads depends on their timing. So each graph is built by one thread,
    and many mentions are split into shards of a fixed size, whose graphs all answer all queries:
    the result is the same for any number of workers.
    """

    vectors: Vectors
    queries: Vectors
    members: Longs
    """Mentions of the queries."""
    first: int
    """Offset of the shard among the queries."""
    count: int
    """Neighbours to find per query."""
    links: int
    effort: int
    is_last: bool
    """Whether this is the last shard of the group."""


class GraphNeighbours(Columns, frozen=True, eq=False):
    """Nearest items of each query, itself among them, and their distances."""

    numbers: Ints
    distances: NDArray[np.float32]


def nearest_in_groups(
    vectors: Vectors, groupings: Sequence[tuple[Longs, int]], config: BlockingConfig, workers: Workers
) -> Iterator[tuple[Longs, Longs]]:
    """Yield pairs of each mention with the nearest ones of its group, for several groupings."""
    tasks: list[GraphSearch | ExactSearch] = []
    for group, count in groupings:
        parts = group_members(group) if count > 0 else []
        yield _all_pairs_of([part for part in parts if len(part) <= count + 1])
        small = []
        for part in sorted((p for p in parts if len(p) > count + 1), key=len, reverse=True):
            if config.index == "hnsw" and len(part) > MAX_EXACT_SEARCH:
                tasks += _graph_searches(part, vectors[part], count, config)
            else:
                small.append(part)
        for batch in batch_slices([len(part) for part in small], _MENTIONS_PER_TASK):
            own = tuple(vectors[part] for part in small[batch])
            tasks.append(ExactSearch(members=tuple(small[batch]), vectors=own, count=count))
    shards: list[GraphNeighbours] = []
    for task, result in zip(tasks, workers.map("candidates", run_search, tasks), strict=True):
        if not isinstance(result, GraphNeighbours):
            yield result
            continue
        shards.append(result)
        if isinstance(task, GraphSearch) and task.is_last:
            left, right = _merge_shards(shards, task.count)
            yield task.members[left], task.members[right]
            shards = []


def run_search(task: GraphSearch | ExactSearch) -> GraphNeighbours | tuple[Longs, Longs]:
    """Run one search task."""
    if isinstance(task, GraphSearch):
        return run_graph_search(task)
    pairs = [
        (members[left], members[right])
        for members, vectors in zip(task.members, task.vectors, strict=True)
        for left, right in (nearest_neighbours(vectors, task.count),)
    ]
    return np.concatenate([left for left, _ in pairs]), np.concatenate([r for _, r in pairs])


def nearest_neighbours(vectors: Vectors, count: int, batch: int = 1024) -> tuple[Longs, Longs]:
    """Return for each row the ``count`` rows with the highest product, in bounded memory.

    >>> nearest_neighbours(np.eye(3, dtype=np.float32)[[0, 0, 1]], 1)[1][:2].tolist()
    [1, 0]
    """
    count = min(count, len(vectors) - 1)
    if count <= 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    nearest = []
    for first in range(0, len(vectors), batch):
        products = vectors[first : first + batch] @ vectors.T
        rows = np.arange(len(products))
        products[rows, first + rows] = -np.inf
        nearest.append(np.argpartition(-products, count - 1, axis=1)[:, :count])
    return np.repeat(np.arange(len(vectors)), count), np.concatenate(nearest).reshape(-1)


def run_graph_search(task: GraphSearch) -> GraphNeighbours:
    """Build an HNSW graph and query it with one thread."""
    import hnswlib

    graph = hnswlib.Index(space="ip", dim=task.vectors.shape[1])
    graph.init_index(max_elements=len(task.vectors), M=task.links, ef_construction=task.effort, random_seed=_GRAPH_SEED)
    graph.add_items(task.vectors, num_threads=1)
    count = min(task.count + 1, len(task.vectors))  # a mention is nearest to itself
    effort = max(count, task.effort // 2)
    while True:
        graph.set_ef(effort)
        try:
            numbers, distances = graph.knn_query(task.queries, k=count, num_threads=1)
        except RuntimeError:
            # Too few found: many vectors are equal and link only to one another.
            if effort >= len(task.vectors):
                raise
            effort = min(4 * effort, len(task.vectors))
        else:
            return GraphNeighbours(numbers=(numbers + task.first).astype(np.int32), distances=distances)


def _graph_searches(members: Longs, vectors: Vectors, count: int, config: BlockingConfig) -> list[GraphSearch]:
    shards = -(-len(vectors) // SHARD_SIZE)
    edges = [number * len(vectors) // shards for number in range(shards + 1)]
    return [
        GraphSearch(
            vectors=vectors[a:b],
            queries=vectors,
            members=members,
            first=a,
            count=count,
            links=config.links,
            effort=config.effort,
            is_last=b == len(vectors),
        )
        for a, b in pairwise(edges)
    ]


def _merge_shards(shards: Sequence[GraphNeighbours], count: int) -> tuple[Longs, Longs]:
    """Return the nearest of all shards, without the query itself; ties go to the earlier one."""
    numbers = np.concatenate([shard.numbers for shard in shards], axis=1)
    if len(shards) > 1:
        distances = np.concatenate([shard.distances for shard in shards], axis=1)
        order = np.lexsort((numbers, distances), axis=1)[:, : count + 1]
        numbers = np.take_along_axis(numbers, order, axis=1)
    left = np.repeat(np.arange(len(numbers)), numbers.shape[1])
    right = numbers.reshape(-1).astype(np.int64)
    is_pair = left != right
    return left[is_pair], right[is_pair]


def _all_pairs_of(parts: Sequence[Longs]) -> tuple[Longs, Longs]:
    """Return all pairs of groups that have no more mentions than neighbours are wanted."""
    members = np.concatenate([np.zeros(0, np.int64), *parts])
    left, right = all_pairs(np.repeat(np.arange(len(parts)), [len(part) for part in parts]))
    return members[left], members[right]
