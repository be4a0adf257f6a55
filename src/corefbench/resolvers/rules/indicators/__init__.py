"""The indicators of Mitkov's approach: each gives a candidate points.

An indicator has a name, by which a decision lists it, and the points that it can give. Those of a
candidate are added up; the candidate with most is the antecedent (Mitkov 1998, MARS 2002).
"""

from typing import Protocol

from corefbench.preprocess.phrase import Phrase


class Indicator(Protocol):
    """One preference, made ready for one text."""

    @property
    def name(self) -> str:
        """How a decision lists it."""
        ...

    @property
    def scores(self) -> tuple[int, ...]:
        """All points that it may give, the highest first."""
        ...

    def __call__(self, candidate: Phrase, anaphor: Phrase) -> int:
        """The points of a candidate for an anaphor."""
        ...


__all__ = ["Indicator"]
