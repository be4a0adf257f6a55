"""What linking did: how many pairs it looked at, what it left out, and how long it took."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from corefbench.record import Record


class Account(Record, frozen=True):
    """The figures of one linking."""

    linking: str
    """``exact``, or ``blocked:`` and all choices that the clusters depend on."""
    mentions: int
    pairs: int
    """That were looked at: all within groups, or the candidates of blocking."""
    components: int
    """What pairs above the threshold join, single mentions too; of an exact linking, groups."""
    largest: int
    """Mentions of the largest component …"""
    capped: int = 0
    """… and how many were so large that they were cut."""
    recall: float | None = None
    """Blocking recall: of the coreferent pairs, the share that was looked at; None where the key
    is not known."""
    together: float | None = None
    """Of the coreferent pairs, the share that came into one component."""
    scored: int = 0
    """Pairs that were scored within components."""
    seconds: Mapping[str, float] = {}
    """By the clock, for each stage."""

    @property
    def pairs_per_mention(self) -> float:
        return self.pairs / self.mentions if self.mentions else 0.0

    def lines(self) -> list[str]:
        """For people.

        >>> Account(linking="exact", mentions=4, pairs=6, components=1, largest=4).lines()[1]
        '4 mentions, 6 pairs (1.5 a mention)'
        """
        cut = f", {self.capped} cut" if self.capped else ""
        known = [
            f"{100 * share:.2f} % of coreferent pairs {what}"
            for share, what in ((self.recall, "are candidates"), (self.together, "in a component"))
            if share is not None
        ]
        took = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in self.seconds.items())
        return [
            f"linking {self.linking}",
            f"{self.mentions:,} mentions, {self.pairs:,} pairs "
            f"({self.pairs_per_mention:.1f} a mention)",
            f"{self.components:,} components, the largest of {self.largest:,} mentions{cut}",
            *([", ".join(known)] if known else []),
            *([took] if took else []),
        ]


class Clock:
    """Seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what is done in this block."""
        began = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
