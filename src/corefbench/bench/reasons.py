"""Why a resolver decided as it did, in the words of the key: what a run keeps for readers."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from corefbench.judging.verdict import Verdict
    from corefbench.preprocess.alignment import TokenAlignment
    from corefbench.resolvers.resolution import Candidate, Decision, Resolution

Span: TypeAlias = tuple[int, int]


class Weighed(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A candidate; written as a list, because there are many."""

    span: Span
    dropped: str = ""
    """Why the filter took it out; empty while it was in the running."""
    score: float | None = None
    factors: tuple[tuple[str, float], ...] = ()
    """What the score is made of, by name."""


class Reason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One decision. Spans are half-open, over the words of the key without empty nodes."""

    anaphor: Span
    antecedent: Span | None = None
    """None: the resolver left the anaphor alone."""
    rule: str = ""
    confidence: float | None = None
    correct: bool | None = None
    """Whether success rate counts it as right; None where it judges no such anaphor."""
    candidates: tuple[Weighed, ...] = ()
    """The resolver's window in the order of the text, the dropped ones too."""


def reasons(
    resolution: "Resolution", alignment: "TokenAlignment", verdicts: "Iterable[Verdict]"
) -> tuple[Reason, ...]:
    """All decisions whose anaphor has a place in the key's words, in the order of the text."""
    judged = {verdict.phrase: verdict.correct for verdict in verdicts if verdict.phrase >= 0}
    places = _Places(resolution, alignment)
    made = (_reason(decision, places, judged) for decision in resolution.decisions)
    return tuple(sorted(filter(None, made), key=lambda reason: reason.anaphor))


def _reason(decision: "Decision", places: "_Places", judged: Mapping[int, bool]) -> Reason | None:
    anaphor = places.span(decision.anaphor)
    if anaphor is None:
        return None
    weighed = (_weighed(candidate, places) for candidate in decision.candidates)
    return Reason(
        anaphor=anaphor,
        antecedent=None if decision.antecedent is None else places.span(decision.antecedent),
        rule=decision.rule,
        confidence=decision.confidence,
        correct=judged.get(decision.anaphor),
        candidates=tuple(filter(None, weighed)),
    )


def _weighed(candidate: "Candidate", places: "_Places") -> Weighed | None:
    span = places.span(candidate.phrase)
    if span is None:
        return None
    return Weighed(
        span=span,
        dropped=candidate.dropped,
        score=candidate.score,
        factors=candidate.factors,
    )


class _Places:
    """Where phrases stand in the words of the key; each is looked up once."""

    def __init__(self, resolution: "Resolution", alignment: "TokenAlignment") -> None:
        self._phrases = resolution.discourse.phrases
        self._alignment = alignment
        self._known: dict[int, Span | None] = {}

    def span(self, phrase: int) -> Span | None:
        if phrase not in self._known:
            found = self._phrases[phrase]
            self._known[phrase] = self._alignment.span((found.start, found.end))
        return self._known[phrase]
