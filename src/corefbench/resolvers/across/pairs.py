"""Which pairs of mentions are looked at: all within a group, or those that blocking lets pass."""

import numpy as np

from corefbench.record import Flags, Longs, Record
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.vectors import Vectors


class Blocking(Record, frozen=True):
    """Candidates are mentions that share their head lemma, or are near as vectors."""

    neighbours: int = 50
    """Nearest mentions of each, by the vector of its span …"""
    same_lemma: int = 100
    """… and those with the same head lemma, the nearest so many."""


def all_pairs(group: Longs) -> tuple[Longs, Longs]:
    """Every two mentions of one group, the earlier one first."""
    order = np.argsort(group, kind="stable")
    edges = np.flatnonzero(np.diff(group[order], prepend=-1, append=-2))
    one, other = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        members = order[start:end]
        a, b = np.triu_indices(len(members), 1)
        one.append(members[a])
        other.append(members[b])
    return np.concatenate(one), np.concatenate(other)


def blocked_pairs(context: Context, group: Longs, blocking: Blocking) -> tuple[Longs, Longs]:
    """Candidates within groups, without ever comparing all with all at once."""
    view = {view.name: view for view in context.views}["span vector"]
    vectors = view.rows[view.of]
    one, other = [], []
    for members in _split(group):
        a, b = nearest(vectors[members], blocking.neighbours)
        one.append(members[a])
        other.append(members[b])
        for same in _split(context.lemma[members]):
            those = members[same]
            a, b = nearest(vectors[those], blocking.same_lemma)
            one.append(those[a])
            other.append(those[b])
    return _once(np.concatenate(one), np.concatenate(other), len(group))


def nearest(vectors: Vectors, count: int, at_once: int = 1024) -> tuple[Longs, Longs]:
    """For each row the ``count`` rows with the highest product, exactly, in bounded memory.

    >>> nearest(np.eye(3, dtype=np.float32)[[0, 0, 1]], 1)[1][:2].tolist()
    [1, 0]
    """
    count = min(count, len(vectors) - 1)
    if count <= 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    found = []
    for first in range(0, len(vectors), at_once):
        alike = vectors[first : first + at_once] @ vectors.T
        rows = np.arange(len(alike))
        alike[rows, first + rows] = -np.inf
        found.append(np.argpartition(-alike, count - 1, axis=1)[:, :count])
    return np.repeat(np.arange(len(vectors)), count), np.concatenate(found).reshape(-1)


def blocking_recall(chain: Longs, one: Longs, other: Longs, group: Longs) -> float:
    """Of the coreferent pairs within groups, the share that is among the candidates."""
    a, b = all_pairs(group)
    total = int((chain[a] == chain[b]).sum())
    return float((chain[one] == chain[other]).sum() / total) if total else 1.0


def sampled(labels: Flags, ratio: float, most: int, seed: int) -> Longs:
    """The pairs to learn from: all that corefer, and of the others ``ratio`` times as many."""
    random = np.random.default_rng(seed)
    positive, negative = np.flatnonzero(labels), np.flatnonzero(~labels)
    count = min(len(negative), int(ratio * len(positive)), max(most - len(positive), 0))
    taken = random.choice(negative, count, replace=False) if count else negative[:0]
    return np.sort(np.concatenate([positive, taken]))


def _split(group: Longs) -> list[Longs]:
    """The members of each group."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if len(order) else []


def _once(one: Longs, other: Longs, count: int) -> tuple[Longs, Longs]:
    """Each pair once, the earlier mention first."""
    code = np.unique(np.minimum(one, other) * count + np.maximum(one, other))
    return code // count, code % count
