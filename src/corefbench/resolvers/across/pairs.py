"""Pairs of mentions: all within a group, each once, or a sample to learn from."""

import numpy as np

from corefbench.record import Flags, Longs


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


def pair_count(group: Longs) -> int:
    """How many ``all_pairs`` would give.

    >>> pair_count(np.array([5, 2, 5, 2, 5]))
    4
    """
    _, sizes = np.unique(group, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())


def split(group: Longs) -> list[Longs]:
    """The members of each group, in their order."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if len(order) else []


def once(one: Longs, other: Longs, count: int) -> tuple[Longs, Longs]:
    """Each pair of ``count`` mentions once, the earlier mention first."""
    code = np.unique(np.minimum(one, other) * count + np.maximum(one, other))
    return code // count, code % count


def sampled(labels: Flags, ratio: float, most: int, seed: int) -> Longs:
    """The pairs to learn from: all that corefer, and of the others ``ratio`` times as many."""
    random = np.random.default_rng(seed)
    positive, negative = np.flatnonzero(labels), np.flatnonzero(~labels)
    count = min(len(negative), int(ratio * len(positive)), max(most - len(positive), 0))
    taken = random.choice(negative, count, replace=False) if count else negative[:0]
    return np.sort(np.concatenate([positive, taken]))
