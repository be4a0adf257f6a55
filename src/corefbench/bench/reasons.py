"""Why a resolver decided as it did, in the words of the key: what a run keeps for readers."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from corefbench.bench.judge import Verdict
    from corefbench.preprocess.alignment import TokenAlignment
    from corefbench.resolvers.resolution import Candidate, Decision, Resolution

Span: TypeAlias = tuple[int, int]


class WeighedCandidate(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A candidate; encoded as a list, because there are many."""

    span: Span
    dropped: str = ""
    """Why it was filtered out; empty if it was not."""
    score: float | None = None
    factors: tuple[tuple[str, float], ...] = ()
    """The components of the score, by name."""


class Reason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One decision. Spans are half-open, over the words of the key without empty nodes."""

    anaphor: Span
    antecedent: Span | None = None
    """None if the resolver did not link the anaphor."""
    rule: str = ""
    confidence: float | None = None
    correct: bool | None = None
    """Whether the success rate counts it as correct; None if it does not cover the anaphor."""
    candidates: tuple[WeighedCandidate, ...] = ()
    """The candidates of the resolver's window in text order, including dropped ones."""


def explain_decisions(
    resolution: "Resolution", alignment: "TokenAlignment", verdicts: "Iterable[Verdict]"
) -> tuple[Reason, ...]:
    """Explain the decisions whose anaphor aligns with words of the key, in text order."""
    judged = {verdict.phrase: verdict.correct for verdict in verdicts if verdict.phrase >= 0}
    spans = _KeySpans(resolution, alignment)
    reasons = (_explain_decision(decision, spans, judged) for decision in resolution.decisions)
    return tuple(sorted(filter(None, reasons), key=lambda reason: reason.anaphor))


def _explain_decision(decision: "Decision", spans: "_KeySpans", judged: Mapping[int, bool]) -> Reason | None:
    anaphor = spans.span(decision.anaphor)
    if anaphor is None:
        return None
    weighed = (_weigh_candidate(candidate, spans) for candidate in decision.candidates)
    return Reason(
        anaphor=anaphor,
        antecedent=None if decision.antecedent is None else spans.span(decision.antecedent),
        rule=decision.rule,
        confidence=decision.confidence,
        correct=judged.get(decision.anaphor),
        candidates=tuple(filter(None, weighed)),
    )


def _weigh_candidate(candidate: "Candidate", spans: "_KeySpans") -> WeighedCandidate | None:
    span = spans.span(candidate.phrase)
    if span is None:
        return None
    return WeighedCandidate(span=span, dropped=candidate.dropped, score=candidate.score, factors=candidate.factors)


class _KeySpans:
    """Spans of phrases over the words of the key, cached."""

    def __init__(self, resolution: "Resolution", alignment: "TokenAlignment") -> None:
        self._phrases = resolution.discourse.phrases
        self._alignment = alignment
        self._known: dict[int, Span | None] = {}

    def span(self, phrase: int) -> Span | None:
        if phrase not in self._known:
            noun_phrase = self._phrases[phrase]
            self._known[phrase] = self._alignment.span((noun_phrase.start, noun_phrase.end))
        return self._known[phrase]
