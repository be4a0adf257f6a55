"""Is a difference between two systems more than chance? Tests on paired, additive tallies.

Every test takes the tallies of both systems (documents × columns) and a *statistic*: any function
from sums (resamples × columns) to figures (resamples × figures), so that R, P, F1 and averages of
several measures are tested at once. With d the observed difference of a figure and d* that of a
resample, n resamples and c of them at least as extreme:

    paired approximate randomisation   c = |{d* : |d*| ≥ |d|}|        documents swapped by chance
    paired bootstrap                   c = |{d* : |d* − d| ≥ |d|}|    documents drawn anew

    p = (c + 1) / (n + 1);   c / 2ⁿ where all 2ⁿ ways to swap n documents were tried

Both are two-sided. The bootstrap is the shifted one: resampled differences scatter around d, so
they are moved to 0, what they would scatter around if there were no difference (Efron & Tibshirani
1993, ch. 16; Berg-Kirkpatrick et al. 2012). Differences that are equal but for rounding count as
equal.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from corefbench.record import Floats
from corefbench.stats.resampling import drawn, is_enumerable, swapped

Statistic: TypeAlias = Callable[[Floats], Floats]
"""Figures (rows × figures) of sums (rows × columns)."""

ROUNDING = 1e-12
"""Fractions that differ by no more than this are equal: sums depend on the order of addition."""


def resampled(
    tallies: Sequence[Floats], statistic: Statistic, samples: int, seed: int
) -> list[Floats]:
    """The figures of every system in the same bootstrap resamples: resamples × figures each."""
    made: list[list[Floats]] = [[] for _ in tallies]
    for weights in drawn(len(tallies[0]), samples, seed):
        for pieces, values in zip(made, tallies, strict=True):
            pieces.append(statistic(weights @ values))
    return [np.concatenate(pieces) for pieces in made]


def percentiles(figures: Floats, confidence: float) -> tuple[Floats, Floats]:
    """The percentile interval of each figure: the middle part of its resamples.

    >>> low, high = percentiles(np.arange(101.0)[:, np.newaxis], 0.9)
    >>> low.round(6).tolist(), high.round(6).tolist()
    ([5.0], [95.0])
    """
    tail = (1 - confidence) / 2
    low, high = np.quantile(figures, (tail, 1 - tail), axis=0)
    return low, high


def bootstrap_p(difference: Floats, differences: Floats) -> Floats:
    """The two-sided p of every figure, from the differences in bootstrap resamples."""
    extreme = np.abs(differences - difference) >= np.abs(difference) - ROUNDING
    return np.asarray((extreme.sum(axis=0) + 1) / (len(differences) + 1))


def randomisation_p(
    tallies: Sequence[Floats],
    pairs: Sequence[tuple[int, int]],
    statistic: Statistic,
    samples: int,
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> Floats:
    """The two-sided p (pairs × figures); exact where all swaps can be tried.

    ``advance`` is told of resamples that are done.
    """
    documents = len(tallies[0])
    observed = [statistic(values.sum(axis=0, keepdims=True))[0] for values in tallies]
    least = np.array([np.abs(observed[a] - observed[b]) for a, b in pairs]) - ROUNDING
    extreme, tried = np.zeros_like(least), 0
    for weights in swapped(documents, samples, seed):
        # Sums of parts, never differences of sums: nothing counted must stay exactly nothing.
        gone = [weights @ values for values in tallies]
        kept = [(1 - weights) @ values for values in tallies]
        for number, (a, b) in enumerate(pairs):
            found = np.abs(statistic(kept[a] + gone[b]) - statistic(kept[b] + gone[a]))
            extreme[number] += (found >= least[number]).sum(axis=0)
        tried += len(weights)
        if advance is not None:
            advance(len(weights))
    plus = 0 if is_enumerable(documents, samples) else 1
    return np.asarray((extreme + plus) / (tried + plus))
