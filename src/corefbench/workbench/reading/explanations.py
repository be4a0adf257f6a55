"""Explanations of a resolver's decisions as compact tables."""

from collections.abc import Sequence
from typing import TypeAlias

from corefbench.bench.reasons import Reason, Span, WeighedCandidate
from corefbench.records import Record
from corefbench.workbench.reading.mentions import Mentions
from corefbench.workbench.reading.text import DocumentText

Candidate: TypeAlias = tuple[int, str, float | None, tuple[tuple[int, float], ...]]
"""Number of a phrase, why it was dropped, its score, and the factors of the score by number."""


class Decision(Record, frozen=True):
    """A decision of the resolver."""

    mention: int
    antecedent: int
    """Number of a phrase, -1 for none."""
    rule: str
    confidence: float | None
    candidates: tuple[Candidate, ...]


class Explanations(Record, frozen=True):
    """All decisions of a document."""

    phrases: tuple[tuple[str, int], ...]
    """Text of every candidate, and its number among the mentions, -1 for none."""
    factors: tuple[str, ...]
    decisions: tuple[Decision, ...]


def explain_decisions(reasons: Sequence[Reason], text: DocumentText, mentions: Mentions) -> Explanations | None:
    """Return the explanations of a document; None if the run has none."""
    return _ExplanationTables(text, mentions).explain(reasons) if reasons else None


class _ExplanationTables:
    """Numbers phrases and factors, so that each is in the page only once."""

    def __init__(self, text: DocumentText, mentions: Mentions) -> None:
        self._text = text
        self._mention: dict[Span, int] = {}
        for number, span in enumerate(zip(mentions.start, mentions.end, strict=True)):
            self._mention.setdefault(span, number)
        self._phrases: dict[Span, int] = {}
        self._factors: dict[str, int] = {}

    def explain(self, reasons: Sequence[Reason]) -> Explanations:
        decisions = tuple(
            Decision(
                mention=self._mention[reason.anaphor],
                antecedent=-1 if reason.antecedent is None else self._phrase(reason.antecedent),
                rule=reason.rule,
                confidence=reason.confidence,
                candidates=tuple(map(self._candidate, reason.candidates)),
            )
            for reason in reasons
            if reason.anaphor in self._mention
        )
        phrases = ((self._text.excerpt(*s), self._mention.get(s, -1)) for s in self._phrases)
        return Explanations(phrases=tuple(phrases), factors=tuple(self._factors), decisions=decisions)

    def _phrase(self, span: Span) -> int:
        return self._phrases.setdefault(span, len(self._phrases))

    def _candidate(self, candidate: WeighedCandidate) -> Candidate:
        factors = self._factors
        return (
            self._phrase(candidate.span),
            candidate.dropped,
            candidate.score,
            tuple((factors.setdefault(n, len(factors)), value) for n, value in candidate.factors),
        )
