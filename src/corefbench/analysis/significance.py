"""Significance tests on paired tallies, and corrections for multiple tests.

Every test takes the tallies of both systems (documents × columns) and a *statistic*: any function
from sums (resamples × columns) to figures (resamples × figures), so that R, P, F1 and averages of
several measures are tested at once. With d the observed difference of a figure and d* that of a
resample, n resamples and c of them at least as extreme:

    paired approximate randomisation   c = |{d* : |d*| ≥ |d|}|        documents swapped at random
    paired bootstrap                   c = |{d* : |d* − d| ≥ |d|}|    documents resampled

    p = (c + 1) / (n + 1);   c / 2ⁿ if all 2ⁿ ways to swap n documents are tested

Both are two-sided. The bootstrap is the shifted one: resampled differences scatter around d, so
they are shifted to 0, where they would scatter without a difference (Efron & Tibshirani 1993,
ch. 16; Berg-Kirkpatrick et al. 2012). Differences that are equal but for rounding count as equal.

Tallies add up, so a resample is a row of weights, how often each document counts, and its sums are
that row times the tallies. All resamples are one matrix product, in batches of bounded memory.
Weights come from a seeded generator: the same seed draws the same documents, whatever and however
many systems are compared.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from corefbench.records import Floats, Record

_Decision = TypeVar("_Decision", bound=Hashable)
_WEIGHTS_PER_BATCH = 1 << 20
"""Weights in a batch of resamples."""
Statistic: TypeAlias = Callable[[Floats], Floats]
"""Figures (rows × figures) of sums (rows × columns)."""
TOLERANCE = 1e-12
"""Fractions that differ by no more than this are equal: sums depend on the order of addition."""
Correction: TypeAlias = Literal["holm", "bh", "none"]
CORRECTIONS: tuple[Correction, ...] = ("holm", "bh", "none")


def bootstrap_weights(documents: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield bootstrap weights: n of n documents, drawn with replacement (Efron 1979).

    >>> [weights.sum(axis=1).tolist() for weights in bootstrap_weights(4, 3, seed=0)]
    [[4.0, 4.0, 4.0]]
    """
    generator = np.random.default_rng(seed)
    for rows in batch_sizes(documents, samples):
        chosen = generator.integers(documents, size=(rows, documents))
        # With an offset for every resample, one bincount counts the draws of all of them.
        chosen += np.arange(rows)[:, np.newaxis] * documents
        counts = np.bincount(chosen.ravel(), minlength=rows * documents)
        yield counts.reshape(rows, documents).astype(np.float64)


def swap_weights(documents: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield flags of the documents to swap between two systems (Noreen 1989).

    If there are no more ways to swap than samples, each way is tried once, else random ways.

    >>> [weights.tolist() for weights in swap_weights(2, 100, seed=0)]
    [[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]
    """
    if is_enumerable(documents, samples):
        first = 0
        for rows in batch_sizes(documents, 2**documents):
            # The bits of a number select the documents to swap.
            ways = np.arange(first, first + rows)[:, np.newaxis] >> np.arange(documents)
            yield (ways & 1).astype(np.float64)
            first += rows
        return
    generator = np.random.default_rng(seed)
    for rows in batch_sizes(documents, samples):
        coins = generator.integers(2, size=(rows, documents), dtype=np.uint8)
        yield coins.astype(np.float64)


def is_enumerable(documents: int, samples: int) -> bool:
    """Whether all 2ⁿ ways to swap *n* documents are no more than the samples.

    >>> is_enumerable(13, 10_000), is_enumerable(14, 10_000)
    (True, False)
    """
    return documents < 63 and 2**documents <= samples


def batch_sizes(documents: int, samples: int) -> Iterator[int]:
    """Yield the number of resamples of each batch."""
    largest = max(1, _WEIGHTS_PER_BATCH // max(documents, 1))
    for first in range(0, samples, largest):
        yield min(largest, samples - first)


def bootstrap_figures(tallies: Sequence[Floats], statistic: Statistic, samples: int, seed: int) -> list[Floats]:
    """Return the figures of every system in the same bootstrap resamples (resamples × figures)."""
    samples_by_system: list[list[Floats]] = [[] for _ in tallies]
    for weights in bootstrap_weights(len(tallies[0]), samples, seed):
        for batches, tally in zip(samples_by_system, tallies, strict=True):
            batches.append(statistic(weights @ tally))
    return [np.concatenate(batches) for batches in samples_by_system]


def percentile_interval(figures: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return the percentile interval of each figure.

    >>> low, high = percentile_interval(np.arange(101.0)[:, np.newaxis], 0.9)
    >>> low.round(6).tolist(), high.round(6).tolist()
    ([5.0], [95.0])
    """
    tail = (1 - confidence) / 2
    low, high = np.quantile(figures, (tail, 1 - tail), axis=0)
    return low, high


def bootstrap_p(difference: Floats, differences: Floats) -> Floats:
    """Return the two-sided p of every figure, from the differences in bootstrap resamples."""
    extreme = np.abs(differences - difference) >= np.abs(difference) - TOLERANCE
    return np.asarray((extreme.sum(axis=0) + 1) / (len(differences) + 1))


def randomisation_p(
    tallies: Sequence[Floats],
    pairs: Sequence[tuple[int, int]],
    statistic: Statistic,
    samples: int,
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> Floats:
    """Return the two-sided p (pairs × figures), exact if all swaps can be tested.

    ``advance`` is called with the number of resamples done.
    """
    documents = len(tallies[0])
    observed = [statistic(values.sum(axis=0, keepdims=True))[0] for values in tallies]
    threshold = np.array([np.abs(observed[a] - observed[b]) for a, b in pairs]) - TOLERANCE
    extreme, tried = np.zeros_like(threshold), 0
    for weights in swap_weights(documents, samples, seed):
        # Sums of parts, not differences of sums: a count of 0 must stay exactly 0.
        swapped = [weights @ values for values in tallies]
        kept = [(1 - weights) @ values for values in tallies]
        for number, (a, b) in enumerate(pairs):
            difference = np.abs(statistic(kept[a] + swapped[b]) - statistic(kept[b] + swapped[a]))
            extreme[number] += (difference >= threshold[number]).sum(axis=0)
        tried += len(weights)
        if advance is not None:
            advance(len(weights))
    # A random sample counts the observed assignment as one more; the enumeration includes it.
    plus = 0 if is_enumerable(documents, samples) else 1
    return np.asarray((extreme + plus) / (tried + plus))


def adjust_p_values(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """Adjust p-values for multiple tests, in the order given.

    Of m p-values in ascending order p₁ ≤ … ≤ pₘ:

        Holm 1979                   p̃ᵢ = maxⱼ≤ᵢ min(1, (m − j + 1) pⱼ)    family-wise error rate
        Benjamini & Hochberg 1995   p̃ᵢ = minⱼ≥ᵢ min(1, m pⱼ / j)          false discovery rate

    A test is significant if its adjusted p is at most α. None stands for a test that was not
    possible: it stays None and does not count in m.

    >>> adjust_p_values([0.5, 0.25, None, 0.125], "holm"), adjust_p_values([0.5, 0.25, 0.125], "bh")
    ([0.5, 0.5, None, 0.375], [0.5, 0.375, 0.375])
    """
    tested = [index for index, p in enumerate(p_values) if p is not None]
    p_known = np.array([p_values[index] for index in tested], np.float64)
    order = np.argsort(p_known, kind="stable")
    adjusted: list[float | None] = [None] * len(p_values)
    for index, value in zip(order.tolist(), _step_up_or_down(p_known[order], correction), strict=True):
        adjusted[tested[index]] = value
    return adjusted


def _step_up_or_down(ascending: Floats, correction: Correction) -> list[float]:
    count = len(ascending)
    rank = np.arange(1, count + 1)
    if correction == "holm":
        ascending = np.maximum.accumulate((count - rank + 1) * ascending)
    elif correction == "bh":
        ascending = np.minimum.accumulate((count * ascending / rank)[::-1])[::-1]
    capped: list[float] = np.minimum(ascending, 1.0).tolist()
    return capped


class McNemar(Record, frozen=True):
    """The counts of discordant decisions and the p-value."""

    only_first: int
    only_second: int
    p: float


def mcnemar(first: Mapping[_Decision, bool], second: Mapping[_Decision, bool]) -> McNemar:
    """McNemar's exact test on the decisions that both made, each correct or not.

    p = min(1, 2 · P(X ≤ min(b, c))),  X ~ Binomial(b + c, ½)

    with *b* decisions that only the first got right and *c* that only the second did (McNemar 1947,
    in its exact form). Without such decisions p is 1.

    >>> mcnemar(dict.fromkeys("abcde", True), dict.fromkeys("abcdef", False))
    McNemar(only_first=5, only_second=0, p=0.0625)
    """
    discordant = [right for decision, right in first.items() if right != second.get(decision, right)]
    trials, only_first = len(discordant), sum(discordant)
    tail = sum(comb(trials, hits) for hits in range(min(only_first, trials - only_first) + 1))
    # Exact integers: a thousand discordant pairs would underflow as floats.
    p = min(1.0, float(Fraction(2 * tail, 2**trials)))
    return McNemar(only_first=only_first, only_second=trials - only_first, p=p)
