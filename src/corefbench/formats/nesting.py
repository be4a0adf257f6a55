"""Mentions as nested tags: which of them nest, and the tags that stand before and after a token."""

from collections.abc import Sequence

from corefbench.errors import UsageError
from corefbench.model.corpus import Corpus

Span = tuple[int, int]


def nesting(spans: Sequence[Span], walls: Sequence[int] = ()) -> list[int]:
    """The numbers of the spans that nest, given in opening order; of two that cross the earlier
    stays, at one beginning the longer. ``walls`` are tokens that no span may cross.

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
        if (open_ends and end > open_ends[-1]) or any(start < wall < end for wall in walls):
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
