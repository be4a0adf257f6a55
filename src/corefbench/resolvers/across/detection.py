"""From the chances of spans to mentions, and how good they are."""

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Flags, Longs


def kept(
    chance: NDArray[np.float32], start: Longs, end: Longs, threshold: float, *, nested: bool
) -> Flags:
    """Which spans are mentions: those above the threshold, the likeliest first.

    Spans that cross are never both kept, spans within others only where mentions may be ``nested``.
    """
    keep = np.zeros(len(chance), np.bool_)
    taken: dict[int, list[tuple[int, int]]] = {}
    order = np.flatnonzero(chance > threshold)
    for span in order[np.argsort(-chance[order], kind="stable")].tolist():
        a, b = int(start[span]), int(end[span])
        others = {other for token in range(a, b) for other in taken.get(token, ())}
        if all(nested and _within((a, b), other) for other in others):
            keep[span] = True
            for token in range(a, b):
                taken.setdefault(token, []).append((a, b))
    return keep


def _within(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return (one[0] <= other[0] and other[1] <= one[1]) or (
        other[0] <= one[0] and one[1] <= other[1]
    )


def span_f1(found: Flags, start: Longs, end: Longs, key: set[tuple[int, int]]) -> float:
    """F1 of exact spans: 2 · |found ∩ key| / (|found| + |key|).

    >>> spans = np.array([0, 2]), np.array([1, 3])
    >>> span_f1(np.array([True, False]), *spans, {(0, 1), (2, 3), (4, 5)})
    0.5
    """
    hits = sum(span in key for span in zip(start[found].tolist(), end[found].tolist(), strict=True))
    total = int(found.sum()) + len(key)
    return 2 * hits / total if total else 0.0


def best_threshold(
    chance: NDArray[np.float32],
    start: Longs,
    end: Longs,
    key: set[tuple[int, int]],
    *,
    nested: bool,
) -> tuple[float, float]:
    """The F1 and the threshold with the best."""
    tried = [
        (span_f1(kept(chance, start, end, t, nested=nested), start, end, key), t)
        for t in np.arange(0.2, 0.75, 0.05).round(2).tolist()
    ]
    return max(tried, key=lambda pair: pair[0])
