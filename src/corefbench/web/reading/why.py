"""The reasons of a resolver, as tables that a page can hold: texts and names are there once."""

from collections.abc import Sequence
from typing import TypeAlias

from corefbench.bench.reasons import Reason, Span, Weighed
from corefbench.record import Record
from corefbench.web.reading.mentions import Mentions
from corefbench.web.reading.prose import Prose

Candidate: TypeAlias = tuple[int, str, float | None, tuple[tuple[int, float], ...]]
"""A phrase, why it was dropped, its score, and the factors of the score by number."""


class Decided(Record, frozen=True):
    """One decision."""

    mention: int
    antecedent: int
    """A phrase, -1 for none."""
    rule: str
    confidence: float | None
    candidates: tuple[Candidate, ...]


class Why(Record, frozen=True):
    """All decisions of a document."""

    phrases: tuple[tuple[str, int], ...]
    """The text of every candidate, and its number among the mentions, -1 for none."""
    factors: tuple[str, ...]
    decisions: tuple[Decided, ...]


def why(reasons: Sequence[Reason], prose: Prose, found: Mentions) -> Why | None:
    """The reasons for what is marked; None where the run keeps none."""
    return _Tables(prose, found).of(reasons) if reasons else None


class _Tables:
    def __init__(self, prose: Prose, found: Mentions) -> None:
        self._prose = prose
        self._mention: dict[Span, int] = {}
        for number, span in enumerate(zip(found.start, found.end, strict=True)):
            self._mention.setdefault(span, number)
        self._phrases: dict[Span, int] = {}
        self._factors: dict[str, int] = {}

    def of(self, reasons: Sequence[Reason]) -> Why:
        decisions = tuple(
            Decided(
                mention=self._mention[reason.anaphor],
                antecedent=-1 if reason.antecedent is None else self._phrase(reason.antecedent),
                rule=reason.rule,
                confidence=reason.confidence,
                candidates=tuple(map(self._candidate, reason.candidates)),
            )
            for reason in reasons
            if reason.anaphor in self._mention
        )
        phrases = ((self._prose.said(*s), self._mention.get(s, -1)) for s in self._phrases)
        return Why(phrases=tuple(phrases), factors=tuple(self._factors), decisions=decisions)

    def _phrase(self, span: Span) -> int:
        return self._phrases.setdefault(span, len(self._phrases))

    def _candidate(self, weighed: Weighed) -> Candidate:
        factors = self._factors
        return (
            self._phrase(weighed.span),
            weighed.dropped,
            weighed.score,
            tuple((factors.setdefault(n, len(factors)), value) for n, value in weighed.factors),
        )
