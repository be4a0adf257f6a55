"""The overlap of spans, and the best alignment of two sets of spans.

overlap(a, b) = words in common ÷ words of the longer        (Orăsan et al. 2008, section 3.3.3)

Words are compared by position, so that only spans that truly overlap do; every node of the input is
a word, punctuation too.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.records import Floats, Longs
from corefbench.scoring.matching.assignment import assign

Span: TypeAlias = tuple[int, int]
Weighting: TypeAlias = Literal["mean", "min", "threshold"]
"""What the overlaps of a part of a chain are worth together: their mean, or the least of them. With
``threshold``, an overlap of at least one half counts as a whole, and a lesser one as nothing."""
WEIGHTINGS: tuple[Weighting, ...] = ("mean", "min", "threshold")

THRESHOLD = 0.5
_TIE = 1e-9
"""What being earlier is worth: less than any difference of overlaps."""


def overlap(first: Span, second: Span) -> float:
    """Return the overlap of two half-open spans, from 0 to 1.

    >>> overlap((0, 4), (0, 2)), overlap((0, 2), (2, 4)), overlap((3, 6), (4, 9))
    (0.5, 0.0, 0.4)
    """
    common = min(first[1], second[1]) - max(first[0], second[0])
    return max(common, 0) / max(first[1] - first[0], second[1] - second[0])


def weigh_overlap(amount: float, weighting: Weighting) -> float:
    """Apply a weighting to an overlap.

    >>> weigh_overlap(0.4, "mean"), weigh_overlap(0.4, "threshold"), weigh_overlap(0.5, "threshold")
    (0.4, 0.0, 1.0)
    """
    return float(amount >= THRESHOLD) if weighting == "threshold" else amount


def align_spans(
    key: Sequence[Span], response: Sequence[Span], weighting: Weighting = "mean"
) -> dict[int, tuple[int, float]]:
    """Align spans one-to-one with the greatest sum of overlaps.

    Return for a key mention its response mention and the weight of their overlap. Equal spans are
    paired first, the n-th of one side with the n-th of the other; 1 − overlap is a metric, so some
    greatest sum includes all of these pairs. Of equal sums the earlier key mention is paired, of
    mentions that begin together the shorter.

    >>> align_spans([(0, 4), (0, 2)], [(0, 3)])
    {0: (0, 0.75)}
    """
    equal = _pair_equal(key, response)
    taken = {*equal.values()}
    key_left = sorted((n for n in range(len(key)) if n not in equal), key=lambda n: (key[n], n))
    response_left = [n for n in range(len(response)) if n not in taken]
    pairs = {number: (other, 1.0) for number, other in equal.items()}
    rows, columns, amounts = _find_overlapping([key[n] for n in key_left], [response[n] for n in response_left])
    weights = np.array([weigh_overlap(amount, weighting) for amount in amounts.tolist()], np.float64)
    # Earlier is better, by so little that no difference of overlaps is outweighed.
    ties = _TIE * (1 - rows / (len(key_left) + 1) - columns / (len(response_left) + 1) / (len(key_left) + 1))
    chosen = assign(rows, columns, np.where(weights > 0, weights + ties, 0.0))
    for row, column in zip(chosen[0].tolist(), chosen[1].tolist(), strict=True):
        number, other = key_left[row], response_left[column]
        pairs[number] = other, weigh_overlap(overlap(key[number], response[other]), weighting)
    return dict(sorted(pairs.items()))


def _pair_equal(key: Sequence[Span], response: Sequence[Span]) -> dict[int, int]:
    """Pair equal spans."""
    numbers_by_span: dict[Span, list[int]] = {}
    for number in reversed(range(len(response))):
        numbers_by_span.setdefault(response[number], []).append(number)
    return {number: numbers_by_span[span].pop() for number, span in enumerate(key) if numbers_by_span.get(span)}


def _find_overlapping(key: Sequence[Span], response: Sequence[Span]) -> tuple[Longs, Longs, Floats]:
    """Return all pairs of spans that share a word, and their overlaps."""
    key_spans, response_spans = _array(key), _array(response)
    k, r = (np.argsort(key_spans[:, 0], kind="stable"), np.argsort(response_spans[:, 0], kind="stable"))
    # Either the key mention begins within the other, or the other within it, behind its first word.
    low = np.searchsorted(key_spans[k, 0], response_spans[r, 0], side="left")
    count = np.searchsorted(key_spans[k, 0], response_spans[r, 1], side="left") - low
    rows, columns = k[ranges(low, count)], np.repeat(r, count)
    low = np.searchsorted(response_spans[r, 0], key_spans[k, 0], side="right")
    count = np.searchsorted(response_spans[r, 0], key_spans[k, 1], side="left") - low
    rows, columns = np.append(rows, np.repeat(k, count)), np.append(columns, r[ranges(low, count)])
    common = np.minimum(key_spans[rows, 1], response_spans[columns, 1]) - np.maximum(
        key_spans[rows, 0], response_spans[columns, 0]
    )
    length = np.maximum(
        (key_spans[:, 1] - key_spans[:, 0])[rows], (response_spans[:, 1] - response_spans[:, 0])[columns]
    )
    return rows, columns, common / length


def _array(spans: Sequence[Span]) -> Longs:
    return np.array(spans, np.int64).reshape(-1, 2)
