"""Duplicates within one corpus: the longest document is kept first, then what adds to it."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from corefbench.analysis.deduplicate.bags import Bags
from corefbench.analysis.deduplicate.postings import Postings, Shared, needed
from corefbench.record import Longs, Record


class Match(Record, frozen=True):
    """A document to be dropped, the document it duplicates, and how many tokens they share."""

    document: int
    other: int
    shared: int


def within(
    bags: Bags, threshold: Fraction, advance: Callable[[int], None] | None = None
) -> Iterator[Match]:
    """The documents to be dropped, the longest first.

    Documents are met from the longest to the shortest, of equals in the order of the corpus. One
    that duplicates a kept document is dropped, and is never compared with again: whatever is
    dropped is nearly all in a document that stays. Of several the one that shares most is named,
    then the longest, then the first.
    """
    order = longest_first(bags.sizes)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    kept = Postings(bags)
    for document in order.tolist():
        tokens = bags.of(document)
        found = kept.sharing(tokens, needed(len(tokens), threshold))
        if len(found):
            best = _best(found, place)
            yield Match(
                document=document, other=int(found.documents[best]), shared=int(found.tokens[best])
            )
        else:
            kept.add(document)
        if advance is not None:
            advance(1)


def longest_first(sizes: Longs) -> Longs:
    """The numbers of documents by falling size, equals in order.

    >>> longest_first(np.array([3, 5, 3])).tolist()
    [1, 0, 2]
    """
    return np.argsort(-sizes, kind="stable")


def _best(found: Shared, place: Longs) -> int:
    return int(np.lexsort((place[found.documents], -found.tokens))[0])
