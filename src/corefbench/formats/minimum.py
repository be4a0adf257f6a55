"""Where in a mention its minimal string stands."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

Span = tuple[int, int]


def locate(words: Sequence[str], nested: Sequence[Span], minimum: str) -> Span | None:
    """The tokens that the minimal string covers, or None where it does not occur.

    Taken is its first occurrence that begins and ends with tokens and lies outside the nested
    mentions; else the first that begins and ends with tokens; else the first that begins or ends
    inside one, as MIN="Poe" does in "Poe's". White space does not count.

    >>> locate(["the", "man", "of", "the", "man", "'s"], [(0, 2)], "the man")
    (3, 5)
    >>> locate(["Poe's", "cat"], [], "Poe"), locate(["cat"], [], "dog")
    ((0, 1), None)
    """
    bare = ["".join(word.split()) for word in words]
    text, wanted = "".join(bare), "".join(minimum.split())
    starts = [0, *accumulate(map(len, bare))]
    best: tuple[int, int, Span] | None = None
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        first = bisect_right(starts, at) - 1
        last = bisect_right(starts, at + len(wanted) - 1)
        cut = (starts[first] != at) + (starts[last] != at + len(wanted))
        inside = any(a <= first and last <= b for a, b in nested)
        if best is None or (bool(cut), inside) < best[:2]:
            best = (bool(cut), inside, (first, last))
        if not cut and not inside:
            break
        at = text.find(wanted, at + 1)
    return best[2] if best else None


def nested(spans: Sequence[Span]) -> list[list[Span]]:
    """For each span, given in opening order, those inside it, relative to its start.

    >>> nested([(2, 6), (2, 3), (4, 5), (7, 8)])
    [[(0, 1), (2, 3)], [], [], []]
    """
    found: list[list[Span]] = [[] for _ in spans]
    open_spans: list[int] = []
    for number, (start, end) in enumerate(spans):
        while open_spans and spans[open_spans[-1]][1] <= start:
            open_spans.pop()
        for outer in open_spans:
            if spans[outer] != (start, end):
                found[outer].append((start - spans[outer][0], end - spans[outer][0]))
        open_spans.append(number)
    return found
