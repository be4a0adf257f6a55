"""Align two tokenizations of one text."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

Offsets = Sequence[tuple[int, int]]
Span = tuple[int, int]


class TokenAlignment:
    """Converts spans of one tokenization to another of the same text.

    A span becomes the tokens that share a character with it; None if there are none.

    >>> ours, theirs = [(0, 2), (2, 5), (6, 9)], [(0, 5), (6, 9)]
    >>> TokenAlignment(ours, theirs).span((1, 3)), TokenAlignment(theirs, ours).span((0, 1))
    ((0, 2), (0, 2))
    """

    def __init__(self, source: Offsets, target: Offsets) -> None:
        self._source = source
        self._same = source is target or list(source) == list(target)
        self._begins = [begin for begin, _ in target]
        self._finishes = [finish for _, finish in target]

    def span(self, span: Span) -> Span | None:
        """Return the target tokens of a source span."""
        if self._same:
            return span
        begin, finish = self._source[span[0]][0], self._source[span[1] - 1][1]
        first, last = bisect_right(self._finishes, begin), bisect_left(self._begins, finish)
        return (first, last) if first < last else None

    def token(self, token: int) -> int | None:
        """Return the target token of a source token; of several the last, as in English heads."""
        span = self.span((token, token + 1))
        return None if span is None else span[1] - 1
