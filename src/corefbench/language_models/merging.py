"""Chains of windows that overlap become chains of the document.

A chain of one window and a chain of the next are one if they share mentions. Each is joined with
one other at most, pairs that share most mentions first, so that one wrong link in a window does not
melt two long chains of the window before into one.
"""

from collections import Counter
from collections.abc import Sequence

from corefbench.language_models.passage import Labelled
from corefbench.record import Record

Span = tuple[int, int]


class Merged(Record, frozen=True):
    """The mentions of a document, labels as ``1``, ``2`` …, and how windows met."""

    mentions: tuple[Labelled, ...]
    joined: int = 0
    """Pairs of chains of neighbouring windows that were made one."""
    refused: int = 0
    """Pairs that share a mention and were not, because one of them was joined already."""


def merge(parts: Sequence[Sequence[Labelled]]) -> Merged:
    """The mentions of the windows, in their order, as those of one document.

    A mention that two windows have in different chains is the earlier window's, which has more of
    the text before it.

    >>> merge([[(0, 1, "1"), (4, 5, "1")], [(4, 5, "7"), (8, 9, "7")]]).mentions
    ((0, 1, '1'), (4, 5, '1'), (8, 9, '1'))
    """
    names: dict[tuple[int, str], int] = {}
    before: dict[Span, int] = {}
    chains: dict[Span, int] = {}
    joined = refused = count = 0
    for number, part in enumerate(parts):
        shared = Counter(
            (before[start, end], label) for start, end, label in part if (start, end) in before
        )
        pairs, left = _pairs(shared)
        joined, refused = joined + len(pairs), refused + left
        now: dict[Span, int] = {}
        for start, end, label in part:
            if (number, label) not in names:
                count += label not in pairs
                names[number, label] = pairs.get(label, count)
            now[start, end] = names[number, label]
            chains.setdefault((start, end), names[number, label])
        before = now
    order = sorted(chains, key=lambda span: (span[0], -span[1]))
    renamed: dict[int, str] = {}
    for span in order:
        renamed.setdefault(chains[span], str(len(renamed) + 1))
    return Merged(
        mentions=tuple((*span, renamed[chains[span]]) for span in order),
        joined=joined,
        refused=refused,
    )


def _pairs(shared: Counter[tuple[int, str]]) -> tuple[dict[str, int], int]:
    """Which chain of the window before each label is, and how many pairs were refused."""
    found: dict[str, int] = {}
    for chain, label in sorted(shared, key=lambda pair: -shared[pair]):
        if label not in found and chain not in found.values():
            found[label] = chain
    return found, len(shared) - len(found)
