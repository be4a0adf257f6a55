"""How much two entities overlap, and which entities of two sides belong together.

overlap(a, b) = words in common ÷ words of the longer        (Orăsan et al. 2008, section 3.3.3)

Words are compared by position, so that only spans that truly overlap do; every node of the input is
a word, punctuation too.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.matching.assignment import assign
from corefbench.model.assemble import ranges
from corefbench.record import Floats, Longs

Span: TypeAlias = tuple[int, int]
Weighting: TypeAlias = Literal["mean", "min", "threshold"]
"""What the overlaps of a part of a chain are worth together: their mean, or the least of them. With
``threshold``, an overlap of at least one half counts as a whole, and a lesser one as nothing."""
WEIGHTINGS: tuple[Weighting, ...] = ("mean", "min", "threshold")

THRESHOLD = 0.5
_TIE = 1e-9
"""What being earlier is worth: less than any difference of overlaps."""


def overlap(one: Span, other: Span) -> float:
    """The overlap of two half-open spans, from 0 to 1.

    >>> overlap((0, 4), (0, 2)), overlap((0, 2), (2, 4)), overlap((3, 6), (4, 9))
    (0.5, 0.0, 0.4)
    """
    common = min(one[1], other[1]) - max(one[0], other[0])
    return max(common, 0) / max(one[1] - one[0], other[1] - other[0])


def weighed(amount: float, weighting: Weighting) -> float:
    """An overlap as it counts.

    >>> weighed(0.4, "mean"), weighed(0.4, "threshold"), weighed(0.5, "threshold")
    (0.4, 0.0, 1.0)
    """
    return float(amount >= THRESHOLD) if weighting == "threshold" else amount


def align(
    key: Sequence[Span], response: Sequence[Span], weighting: Weighting = "mean"
) -> dict[int, tuple[int, float]]:
    """Pairs, one-to-one, with the greatest sum of overlaps: for a key mention its response mention
    and what their overlap counts.

    The same spans are paired first, the n-th of one side with the n-th of the other; 1 − overlap
    is a metric, so that some greatest sum has them all. Of equal sums the earlier key mention is
    paired, of mentions that begin together the shorter.

    >>> align([(0, 4), (0, 2)], [(0, 3)])
    {0: (0, 0.75)}
    """
    found = _same(key, response)
    taken = {*found.values()}
    left = sorted((n for n in range(len(key)) if n not in found), key=lambda n: (key[n], n))
    right = [n for n in range(len(response)) if n not in taken]
    pairs = {number: (other, 1.0) for number, other in found.items()}
    rows, columns, amounts = _overlapping([key[n] for n in left], [response[n] for n in right])
    worth = np.array([weighed(amount, weighting) for amount in amounts.tolist()], np.float64)
    # Earlier is better, by so little that no difference of overlaps is outweighed.
    ties = _TIE * (1 - rows / (len(left) + 1) - columns / (len(right) + 1) / (len(left) + 1))
    chosen = assign(rows, columns, np.where(worth > 0, worth + ties, 0.0))
    for row, column in zip(chosen[0].tolist(), chosen[1].tolist(), strict=True):
        number, other = left[row], right[column]
        pairs[number] = other, weighed(overlap(key[number], response[other]), weighting)
    return dict(sorted(pairs.items()))


def _same(key: Sequence[Span], response: Sequence[Span]) -> dict[int, int]:
    """Spans that both sides have."""
    places: dict[Span, list[int]] = {}
    for number in reversed(range(len(response))):
        places.setdefault(response[number], []).append(number)
    return {number: places[span].pop() for number, span in enumerate(key) if places.get(span)}


def _overlapping(key: Sequence[Span], response: Sequence[Span]) -> tuple[Longs, Longs, Floats]:
    """All pairs that have a word in common, and their overlaps."""
    one, two = _array(key), _array(response)
    k, r = np.argsort(one[:, 0], kind="stable"), np.argsort(two[:, 0], kind="stable")
    # Either the key mention begins within the other, or the other within it, behind its first word.
    low = np.searchsorted(one[k, 0], two[r, 0], side="left")
    count = np.searchsorted(one[k, 0], two[r, 1], side="left") - low
    rows, columns = k[ranges(low, count)], np.repeat(r, count)
    low = np.searchsorted(two[r, 0], one[k, 0], side="right")
    count = np.searchsorted(two[r, 0], one[k, 1], side="left") - low
    rows, columns = np.append(rows, np.repeat(k, count)), np.append(columns, r[ranges(low, count)])
    common = np.minimum(one[rows, 1], two[columns, 1]) - np.maximum(one[rows, 0], two[columns, 0])
    length = np.maximum((one[:, 1] - one[:, 0])[rows], (two[:, 1] - two[:, 0])[columns])
    return rows, columns, common / length


def _array(spans: Sequence[Span]) -> Longs:
    return np.array(spans, np.int64).reshape(-1, 2)
