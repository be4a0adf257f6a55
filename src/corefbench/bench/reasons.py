"""Why a resolver decided as it did, in the words of the key: what a run keeps for readers."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from corefbench.bench.judge import Verdict
    from corefbench.preprocess.documents import TokenAlignment
    from corefbench.resolvers.base import Resolution

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
    phrases = resolution.discourse.phrases

    @cache
    def key_span(phrase: int) -> Span | None:
        return alignment.span((phrases[phrase].start, phrases[phrase].end))

    reasons = [
        Reason(
            anaphor=anaphor,
            antecedent=None if decision.antecedent is None else key_span(decision.antecedent),
            rule=decision.rule,
            confidence=decision.confidence,
            correct=judged.get(decision.anaphor),
            candidates=tuple(
                WeighedCandidate(span=span, dropped=candidate.dropped, score=candidate.score, factors=candidate.factors)
                for candidate in decision.candidates
                if (span := key_span(candidate.phrase)) is not None
            ),
        )
        for decision in resolution.decisions
        if (anaphor := key_span(decision.anaphor)) is not None
    ]
    return tuple(sorted(reasons, key=lambda reason: reason.anaphor))
