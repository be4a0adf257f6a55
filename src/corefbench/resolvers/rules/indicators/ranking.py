"""Adds up what the indicators say of the candidates of a pronoun, and takes the best."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.resolution import Candidate, Decision
from corefbench.resolvers.rules.indicators import Indicator
from corefbench.resolvers.rules.indicators.text import Text

Rank: TypeAlias = tuple[float, ...]
"""Total, the indicators that break ties, and where the candidate begins."""


class Ranking:
    """Some indicators, and the names of those that decide between equal totals, in order.

    What is still equal is decided for the most recent candidate. With ``noting`` a pronoun that is
    resolved stands for its antecedent when it is a candidate itself.
    """

    def __init__(
        self,
        text: Text,
        indicators: Sequence[Indicator],
        ties: Sequence[str] = (),
        *,
        noting: bool = True,
    ) -> None:
        self._text = text
        self._noting = noting
        self._phrases = text.discourse.phrases
        self._indicators = [(indicator.name, indicator) for indicator in indicators]
        self._ties = ties

    def decisions(self, found: Iterable[tuple[Phrase, Sequence[Candidate]]]) -> Iterator[Decision]:
        """Decide on pronouns and their candidates, from left to right."""
        for anaphor, candidates in found:
            decision = self.decide(anaphor, candidates)
            if self._noting and decision.antecedent is not None:
                self._text.note(anaphor, self._phrases[decision.antecedent])
            yield decision

    def decide(self, anaphor: Phrase, candidates: Sequence[Candidate]) -> Decision:
        """Score the candidates that were not dropped, and choose."""
        scored = [one if one.dropped else self._scored(anaphor, one) for one in candidates]
        ranks = {one.phrase: self._rank(one) for one in scored if not one.dropped}
        if not ranks:
            return Decision(
                anaphor=anaphor.index,
                antecedent=None,
                candidates=tuple(scored),
                rule="no candidate",
            )
        chosen = max(ranks, key=lambda phrase: ranks[phrase])
        best = ranks.pop(chosen)
        rival = max(ranks.values(), default=None)
        return Decision(
            anaphor=anaphor.index,
            antecedent=chosen,
            candidates=tuple(scored),
            rule=self._rule(best, rival),
            confidence=_confidence(best, rival),
        )

    def _scored(self, anaphor: Phrase, candidate: Candidate) -> Candidate:
        phrase = self._phrases[candidate.phrase]
        given = [(name, float(score(phrase, anaphor))) for name, score in self._indicators]
        factors = tuple(factor for factor in given if factor[1])
        total = sum(points for _, points in factors)
        return Candidate(phrase=candidate.phrase, score=float(total), factors=factors)

    def _rank(self, candidate: Candidate) -> Rank:
        factors = dict(candidate.factors)
        breaking = (factors.get(name, 0.0) for name in self._ties)
        return (candidate.score or 0.0, *breaking, self._phrases[candidate.phrase].start)

    def _rule(self, best: Rank, rival: Rank | None) -> str:
        if rival is None:
            return "only candidate"
        if best[0] > rival[0]:
            return "highest score"
        for name, one, other in zip(self._ties, best[1:], rival[1:], strict=False):
            if one > other:
                return f"tie: {name}"
        return "tie: most recent"


def _confidence(best: Rank, rival: Rank | None) -> float | None:
    """The share of the best score in the two best."""
    if rival is None:
        return 1.0
    return best[0] / (best[0] + max(0.0, rival[0])) if best[0] > 0 else None
