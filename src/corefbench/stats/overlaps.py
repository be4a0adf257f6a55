"""Mentions within mentions, and mentions that cross.

Of two mentions of a document, with the tokens aₛ … aₑ and bₛ … bₑ (half-open, gaps filled):

    a contains b   aₛ ≤ bₛ and bₑ ≤ aₑ, and the two differ
    a crosses b    aₛ < bₛ < aₑ < bₑ

The depth of a mention is the number of mentions that contain it, 0 outermost. Mentions with the
same span do not contain each other.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import msgspec
import numpy as np

from corefbench.model.assemble import ranges
from corefbench.model.corpus import Corpus
from corefbench.record import Longs
from corefbench.stats.additive import Additive, Histogram, histogram

_PAIRS_AT_ONCE = 1 << 21


class Overlaps(Additive, frozen=True):
    """How deep mentions lie within others, and how many pairs of mentions cross."""

    depths: Histogram = msgspec.field(default_factory=Counter)
    crossing_same_chain: int = 0
    crossing_other_chain: int = 0


def overlaps(corpus: Corpus, entity: Longs) -> Overlaps:
    """Count nested mentions and crossing pairs; ``entity`` numbers the chain of each mention."""
    first = corpus.tokens.offsets[corpus.mentions.document]
    start, end = first + corpus.mentions.start, first + corpus.mentions.end
    order = np.lexsort((-end, start))
    start, end, entity = start[order], end[order], entity[order]
    depth = np.zeros(len(start), np.int64)
    crossing = same_chain = 0
    for outer, inner in _meeting(start, end):
        inside = (end[inner] <= end[outer]) & (
            (start[inner] > start[outer]) | (end[inner] < end[outer])
        )
        depth += np.bincount(inner[inside], minlength=len(depth))
        crosses = (start[inner] > start[outer]) & (end[inner] > end[outer])
        crossing += int(np.count_nonzero(crosses))
        same_chain += int(np.count_nonzero(crosses & (entity[inner] == entity[outer])))
    return Overlaps(
        depths=histogram(depth),
        crossing_same_chain=same_chain,
        crossing_other_chain=crossing - same_chain,
    )


def _meeting(start: Longs, end: Longs) -> Iterator[tuple[Longs, Longs]]:
    """Every pair of mentions of which the later begins within the earlier, some at a time."""
    number = np.arange(len(start))
    counts = np.maximum(np.searchsorted(start, end) - number - 1, 0)
    yield from in_portions(number, number + 1, counts)


def in_portions(rows: Longs, first: Longs, counts: Longs) -> Iterator[tuple[Longs, Longs]]:
    """The pairs (row, first … first + count − 1) of each row, about two million at a time: however
    deep the mentions of a document are nested, memory stays bounded."""
    steps = np.cumsum(counts) // _PAIRS_AT_ONCE
    edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(rows)]
    for a, b in pairwise(edges):
        yield np.repeat(rows[a:b], counts[a:b]), ranges(first[a:b], counts[a:b])
