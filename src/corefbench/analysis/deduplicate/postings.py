"""Which documents have a token, and which of them share enough with a bag: exactly.

A bag of n tokens of which k must be shared shares at least l of any n − k + l of them (Chaudhuri
et al. 2006 for l = 1, Wang et al. 2012). So only the postings of its rarest tokens are read; what
is met l times is verified. l is as large as costs about twice what l = 1 does.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from corefbench.analysis.deduplicate.bags import Bags
from corefbench.model.assemble import ranges
from corefbench.record import Columns, Flags, Ints, Longs

_FREE = 256
"""Postings that cost next to nothing to read."""
_MUCH_LARGER = 32
"""From here on a few look-ups in a sorted bag are cheaper than going through it."""


class Shared(Columns, frozen=True, eq=False):
    """Documents, and how many tokens each shares with a bag."""

    documents: Longs
    tokens: Longs

    def __len__(self) -> int:
        return len(self.documents)

    def only(self, keep: Flags) -> "Shared":
        return Shared(documents=self.documents[keep], tokens=self.tokens[keep])


def needed(size: int, threshold: Fraction) -> int:
    """The least number of shared tokens with shared ÷ size > threshold.

    >>> [needed(size, Fraction("0.9")) for size in (1, 9, 10, 11)]
    [1, 9, 10, 10]
    """
    return size * threshold.numerator // threshold.denominator + 1


class Postings:
    """Documents by token; they are added one after another, at any time."""

    def __init__(self, bags: Bags) -> None:
        capacity = np.bincount(bags.tokens, minlength=bags.vocabulary)
        self.bags = bags
        self._first = np.cumsum(capacity) - capacity
        self._filled = np.zeros(bags.vocabulary, np.int64)
        self._documents = np.empty(len(bags.tokens), np.int32)
        self._overlap = overlaps(bags)

    def add(self, document: int) -> None:
        """From now on the document is found."""
        tokens = self.bags.of(document)
        self._documents[self._first[tokens] + self._filled[tokens]] = document
        self._filled[tokens] += 1

    def sharing(self, tokens: Ints, least: int) -> Shared:
        """The documents that share at least so many tokens with a bag."""
        size = len(tokens)
        if not size or least > size:
            return _none()
        length = self._prefix(tokens, least)
        found = self._met(tokens[:length])
        found = found.only(found.tokens >= least - (size - length))
        if len(found) and length < size:
            found = Shared(documents=found.documents, tokens=self._overlap(tokens, found.documents))
            found = found.only(found.tokens >= least)
        return found

    def _prefix(self, tokens: Ints, least: int) -> int:
        """How many of the rarest tokens are looked up."""
        cost = np.cumsum(self._filled[tokens])
        shortest = len(tokens) - least + 1
        budget = 2 * cost[shortest - 1] + _FREE
        return max(shortest, int(np.searchsorted(cost, budget, "right")))

    def _met(self, tokens: Ints) -> Shared:
        counts = self._filled[tokens]
        return count_met(self._documents[ranges(self._first[tokens], counts)])


def count_met(documents: Ints) -> Shared:
    """How often each document occurs.

    >>> met = count_met(np.array([4, 2, 4], np.int32))
    >>> met.documents.tolist(), met.tokens.tolist()
    ([2, 4], [1, 2])
    """
    if not len(documents):
        return _none()
    ordered = np.sort(documents)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return Shared(
        documents=ordered[starts].astype(np.int64),
        tokens=np.diff(np.append(starts, len(ordered))),
    )


def overlaps(bags: Bags) -> Callable[[Ints, Longs], Longs]:
    """A function that says how many tokens documents share with a bag of the same numbering."""
    marked, sizes = np.zeros(bags.vocabulary, np.bool_), bags.sizes

    def of(tokens: Ints, documents: Longs) -> Longs:
        made = np.empty(len(documents), np.int64)
        long = sizes[documents] > _MUCH_LARGER * len(tokens)
        for place in np.flatnonzero(long).tolist():
            made[place] = _looked_up(tokens, bags.of(int(documents[place])))
        short = documents[~long]
        if len(short):
            marked[tokens] = True
            rows = ranges(bags.offsets[short], sizes[short])
            edges = np.concatenate(([0], np.cumsum(sizes[short])))
            met = np.concatenate(([0], np.cumsum(marked[bags.tokens[rows]])))
            made[~long] = np.diff(met[edges])
            marked[tokens] = False
        return made

    return of


def _looked_up(tokens: Ints, bag: Ints) -> int:
    places = np.minimum(np.searchsorted(bag, tokens), len(bag) - 1)
    return int(np.count_nonzero(bag[places] == tokens))


def _none() -> Shared:
    return Shared(documents=np.zeros(0, np.int64), tokens=np.zeros(0, np.int64))
