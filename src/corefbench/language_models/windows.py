"""Cutting a long document into windows that overlap, at the ends of sentences where it can be."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from corefbench.errors import UsageError

Span = tuple[int, int]


def windows(length: int, sentences: Sequence[Span], size: int, overlap: int) -> list[Span]:
    """Windows of at most ``size`` words, each repeating about ``overlap`` words of the one before.

    A window ends with a sentence if one ends in its second half, and begins with the first sentence
    of the overlap, if one begins there. Size 0 is the whole document.

    >>> windows(10, [(0, 4), (4, 7), (7, 10)], 8, 3)
    [(0, 7), (4, 10)]
    >>> windows(10, [(0, 10)], 6, 2), windows(10, [(0, 10)], 0, 0)
    ([(0, 6), (4, 10)], [(0, 10)])
    """
    if size < 0 or overlap < 0 or (size and overlap >= size):
        raise UsageError(
            "windows cannot be cut like that",
            found=f"windows of {size} words that overlap by {overlap}",
            expected="a size, and an overlap smaller than it",
        )
    if not size or length <= size:
        return [(0, length)] if length else []
    begins = [start for start, _ in sentences]
    found: list[Span] = []
    start = before = 0
    while True:
        end = start + size
        if end >= length:
            return [*found, (start, length)]
        end = before = _last_begin(begins, max(start + size // 2, before), end) or end
        found.append((start, end))
        start = _first_begin(begins, max(end - overlap, start + 1), end) or max(
            end - overlap, start + 1
        )


def _last_begin(begins: Sequence[int], low: int, high: int) -> int | None:
    """The last sentence that begins after ``low`` and not after ``high``."""
    place = bisect_right(begins, high) - 1
    return begins[place] if place >= 0 and begins[place] > low else None


def _first_begin(begins: Sequence[int], low: int, high: int) -> int | None:
    """The first sentence that begins not before ``low``, and before ``high``."""
    place = bisect_left(begins, low)
    return begins[place] if place < len(begins) and begins[place] < high else None
