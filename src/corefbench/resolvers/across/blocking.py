"""What is let pass as a candidate, and what is lost by it."""

from typing import Literal, TypeAlias

import numpy as np

from corefbench.record import Longs, Record

Index: TypeAlias = Literal["auto", "hnsw", "exact"]
"""How neighbours are found: by a graph, or by comparing all with all, a few rows at a time;
``auto`` is the graph where hnswlib is installed."""

Unscored: TypeAlias = Literal["scored", "zero"]
"""Pairs of a component that are no candidates: scored after all, or taken for 0."""


class Blocking(Record, frozen=True):
    """Candidates are mentions that share their head lemma, or are near as vectors."""

    neighbours: int = 50
    """Nearest mentions of each, by the vector of its span …"""
    same_lemma: int = 100
    """… and those with the same head lemma, the nearest so many."""
    index: Index = "auto"
    dimension: int = 0
    """Principal axes of the vectors by which neighbours are found; 0: the vectors as they are."""
    links: int = 16
    """Of each mention in the graph (hnswlib's M) …"""
    effort: int = 100
    """… and how many are looked at to find them (hnswlib's ef)."""
    unscored: Unscored = "scored"
    largest: int = 4_000
    """A component with more mentions is cut at its weakest links."""

    def signature(self) -> str:
        """All that the clusters depend on, in one line.

        >>> Blocking(index="exact").signature()
        'blocked:exact,neighbours=50,same-lemma=100,unscored=scored,largest=4000'
        """
        graph = [f"links={self.links}", f"effort={self.effort}"] if self.index == "hnsw" else []
        axes = [f"dimension={self.dimension}"] if self.dimension else []
        counts = [f"neighbours={self.neighbours}", f"same-lemma={self.same_lemma}"]
        rest = [f"unscored={self.unscored}", f"largest={self.largest}"]
        return ",".join([f"blocked:{self.index}", *counts, *axes, *graph, *rest])


def blocking_recall(chain: Longs, one: Longs, other: Longs, group: Longs) -> float:
    """Of the coreferent pairs within groups, the share that is among the candidates."""
    total = coreferent(chain, group)
    return float((chain[one] == chain[other]).sum() / total) if total else 1.0


def coreferent(chain: Longs, group: Longs) -> int:
    """How many pairs within groups corefer, without making them.

    >>> coreferent(np.array([7, 7, 7, 8]), np.array([0, 0, 1, 0]))
    1
    """
    _, number = np.unique(chain, return_inverse=True)
    number = number.reshape(-1).astype(np.int64)
    _, sizes = np.unique(group * (int(number.max(initial=0)) + 1) + number, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())
