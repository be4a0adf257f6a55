"""The account of a merge: what became of every mention and link of every annotator.

A link is a pair of mentions of one chain. Whatever an annotator marked is kept or dropped:
marked = kept + dropped, and the merged annotation = kept + added, for mentions and for links.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from corefbench.analysis.annotation.sheets import Sheet
from corefbench.record import Longs, Record


class Tale(Record, frozen=True):
    """What became of something: how many there were, stayed, went, and came from others."""

    marked: int = 0
    kept: int = 0
    added: int = 0

    @property
    def dropped(self) -> int:
        return self.marked - self.kept

    def __add__(self, other: "Tale") -> "Tale":
        return Tale(
            marked=self.marked + other.marked,
            kept=self.kept + other.kept,
            added=self.added + other.added,
        )


class Account(Record, frozen=True):
    """One annotator's account."""

    annotator: str
    documents: int = 0
    mentions: Tale = Tale()
    links: Tale = Tale()


def account(
    names: Sequence[str], documents: Sequence[int], entries: Iterable[tuple[Sheet, Longs]]
) -> tuple[Account, ...]:
    """The accounts, given every sheet with the merged chain of its rows, -1 where dropped."""
    mentions, links = [Tale()] * len(names), [Tale()] * len(names)
    for sheet, merged in entries:
        for annotator in range(len(names)):
            chains = sheet.chains[:, annotator]
            mentions[annotator] += _mentions(chains, merged)
            links[annotator] += _links(chains, merged)
    return tuple(
        Account(annotator=name, documents=count, mentions=mentions[n], links=links[n])
        for n, (name, count) in enumerate(zip(names, documents, strict=True))
    )


def _mentions(chains: Longs, merged: Longs) -> Tale:
    kept = int(((chains >= 0) & (merged >= 0)).sum())
    return Tale(marked=int((chains >= 0).sum()), kept=kept, added=int((merged >= 0).sum()) - kept)


def _links(chains: Longs, merged: Longs) -> Tale:
    both = np.flatnonzero((chains >= 0) & (merged >= 0))
    kept = _pairs(zip(chains[both].tolist(), merged[both].tolist(), strict=True))
    return Tale(
        marked=_pairs(chains[chains >= 0].tolist()),
        kept=kept,
        added=_pairs(merged[merged >= 0].tolist()) - kept,
    )


def _pairs(labels: Iterable[object]) -> int:
    """How many pairs have the same label.

    >>> _pairs("aabaa")
    6
    """
    return sum(count * (count - 1) // 2 for count in Counter(labels).values())
