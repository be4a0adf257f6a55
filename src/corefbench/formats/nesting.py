"""Mentions as nested tags: which of them nest, and the tags that stand before and after a token."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from corefbench.errors import UsageError
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document

Span = tuple[int, int]


def nesting(spans: Sequence[Span], walls: Sequence[int] = ()) -> list[int]:
    """The numbers of the spans that nest, given in opening order; of two that cross the earlier
    stays, at one beginning the longer. ``walls`` are tokens, in
    order, at which no span may go on.

    >>> nesting([(0, 3), (1, 2), (2, 5), (3, 6)]), nesting([(0, 3), (2, 4)], walls=[2])
    ([0, 1, 3], [1])
    """
    kept: list[int] = []
    open_ends: list[int] = []
    order = sorted(range(len(spans)), key=lambda i: (spans[i][0], -spans[i][1]))
    for number in order:
        start, end = spans[number]
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        wall = bisect_right(walls, start)
        if (open_ends and end > open_ends[-1]) or (wall < len(walls) and walls[wall] < end):
            continue
        open_ends.append(end)
        kept.append(number)
    return kept


def edges(
    spans: Sequence[Span], kept: Sequence[int], tags: Sequence[str], closing: str
) -> tuple[dict[int, str], dict[int, str]]:
    """What is written before the token at which spans open, and after the one at which they end.

    >>> edges([(0, 2), (0, 1)], [0, 1], ["<a>", "<b>"], "</>")
    ({0: '<a><b>'}, {1: '</>', 0: '</>'})
    """
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for number in kept:
        start, end = spans[number]
        before[start] = before.get(start, "") + tags[number]
        after[end - 1] = after.get(end - 1, "") + closing
    return before, after


def needs_words(corpus: Corpus) -> None:
    """Refuse to write text for a corpus that was read without it."""
    if corpus.tokens.words is None:
        raise UsageError("the corpus was read without its words", remedy="read it with its words")


def unique_labels(document: Document, chains: Iterable[int]) -> dict[int, str]:
    """The label of every chain, different from all others of the document and never empty."""
    labels: dict[int, str] = {}
    used: set[str] = set()
    for chain in dict.fromkeys(chains):
        label = document.corpus.chains.label(chain).strip() or str(chain)
        while label in used:
            label += "-2"
        used.add(label)
        labels[chain] = label
    return labels
