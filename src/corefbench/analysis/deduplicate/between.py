"""Documents of one corpus that duplicate one of another: what has leaked from test to training."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from corefbench.analysis.deduplicate.bags import Bags
from corefbench.analysis.deduplicate.postings import (
    Postings,
    Shared,
    count_met,
    needed,
    overlaps,
)
from corefbench.analysis.deduplicate.within import Match, longest_first
from corefbench.model.assemble import ranges
from corefbench.record import Ints, Longs

_MET = 5
"""A shorter document is verified once so many of its rarest tokens are met."""


def between(
    bags: Bags, others: Bags, threshold: Fraction, advance: Callable[[int], None] | None = None
) -> Iterator[Match]:
    """The documents of the first that duplicate one of the second, whichever is the longer.

    The one that shares the greatest part of the shorter of both is named, then the longest.
    """
    full, prefixes = Postings(others), _Prefixes(others, threshold)
    for other in range(len(others)):
        full.add(other)
    sizes = others.sizes
    place = np.empty(len(others), np.int64)
    place[longest_first(sizes)] = np.arange(len(others))
    for document in longest_first(bags.sizes).tolist():
        tokens = bags.of(document)
        longer = full.sharing(tokens, needed(len(tokens), threshold))
        longer = longer.only(sizes[longer.documents] >= len(tokens))
        shorter = prefixes.within(tokens)
        found = Shared(
            documents=np.concatenate((longer.documents, shorter.documents)),
            tokens=np.concatenate((longer.tokens, shorter.tokens)),
        )
        if len(found):
            ratio = found.tokens / np.minimum(len(tokens), sizes[found.documents])
            best = int(np.lexsort((place[found.documents], -ratio))[0])
            yield Match(
                document=document, other=int(found.documents[best]), shared=int(found.tokens[best])
            )
        if advance is not None:
            advance(1)


class _Prefixes:
    """The rarest tokens of documents, of which one that holds the document must have some."""

    def __init__(self, bags: Bags, threshold: Fraction) -> None:
        self._sizes = bags.sizes
        self._needed = np.array(
            [needed(size, threshold) for size in self._sizes.tolist()], np.int64
        )
        self._met = np.minimum(self._needed, _MET)
        lengths = np.minimum(self._sizes - self._needed + self._met, self._sizes)
        lengths[self._needed > self._sizes] = 0
        tokens = bags.tokens[ranges(bags.offsets[:-1], lengths)]
        counts = np.bincount(tokens, minlength=bags.vocabulary)
        self._first, self._counts = np.cumsum(counts) - counts, counts
        owners = np.repeat(np.arange(len(bags), dtype=np.int32), lengths)
        self._owners: Ints = owners[np.argsort(tokens, kind="stable")]
        self._overlap: Callable[[Ints, Longs], Longs] = overlaps(bags)

    def within(self, tokens: Ints) -> Shared:
        """The documents shorter than a bag that duplicate it."""
        met = count_met(self._owners[ranges(self._first[tokens], self._counts[tokens])])
        enough = met.tokens >= self._met[met.documents]
        met = met.only(enough & (self._sizes[met.documents] < len(tokens)))
        shared = self._overlap(tokens, met.documents)
        found = Shared(documents=met.documents, tokens=shared)
        return found.only(shared >= self._needed[met.documents])
