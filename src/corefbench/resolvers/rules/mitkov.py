"""Mitkov (1998): robust pronoun resolution with limited knowledge.

The noun phrases before a pronoun, in its sentence and the two before, that agree with it in number
and gender are given points by eleven indicators; the highest sum wins. There is no syntax beyond
noun phrases and clauses: a phrase is dropped for syntax only if the pronoun is part of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.records import Record
from corefbench.resolvers import signature
from corefbench.resolvers.base import ResolverCard, check_parameters, make_parameters
from corefbench.resolvers.resolution import Candidate, Decision, Resolution
from corefbench.resolvers.rules.candidates import candidates_in_window
from corefbench.resolvers.rules.indicators import (
    Collocation,
    Definiteness,
    Givenness,
    ImmediateReference,
    IndicatingVerbs,
    Indicator,
    IndicatorText,
    LexicalReiteration,
    NonPrepositional,
    ReferentialDistance,
    SectionHeading,
    TermPreference,
)

Rank: TypeAlias = tuple[float, ...]
"""Total, the indicators that break ties, and where the candidate begins."""
TIE_BREAKERS = (ImmediateReference.name, Collocation.name, IndicatingVerbs.name)
"""The indicators that break ties, in order; then the most recent candidate wins."""
_PARAMETERS = make_parameters(
    ("F1", "definiteness_base", 0, "the score of definite phrases: 0, or 1 as in the example"),
    ("F2", "window", 2, "sentences to look back; from three back the distance scores -1"),
    ("F3", "same_sentence", 2, "distance score of the pronoun's own sentence if it is simple"),
    ("F4", "same_clause", 2, "distance score of the pronoun's own clause in a complex sentence"),
    ("F5", "definiteness_scope", "all", "definiteness of all phrases, or of previous sentences'"),
    ("F5", "givenness_scope", "previous", "givenness of previous sentences' phrases, or of all"),
    ("F6", "names", "neutral", "names and pronouns are neutral, or count as indefinite"),
    ("F7", "imperatives", "lenient", "lenient: 'To open it, please press …' is an imperative too"),
    ("F8", "terms", "", "the terms of the domain, as drawer;toner bottle"),
    ("F8", "top_terms", 10, "without a list: how many of the most frequent nouns are terms"),
    ("F9", "headings", "marked", "section headings as marked in the text, or none"),
    ("F10", "synonyms", "", "words that repeat each other, as bottle/flask;guide/manual"),
    ("F11", "repeats", "others", "reiteration counts the others, or all with the candidate"),
    ("F8", "least", 1, "how often a noun must come to be a term; the example counts any"),
    ("", "bearers", True, "whether all names of one bearer count as one, or by their last word"),
    ("", "pronouns", "antecedent",
     "a pronoun counts as its antecedent for lexical scores, or bare"),
)  # fmt: skip


class Mitkov(Record, frozen=True, kw_only=True):
    """The knowledge-poor approach of 1998."""

    card = ResolverCard(
        name="mitkov",
        title="Mitkov (1998)",
        description="Eleven indicators give points to the noun phrases that agree.",
        parameters=_PARAMETERS,
        cites=("mitkov1998",),
    )

    definiteness_base: Literal[0, 1] = 0
    window: int = 2
    same_sentence: int = 2
    same_clause: int = 2
    definiteness_scope: Literal["all", "previous"] = "all"
    givenness_scope: Literal["previous", "all"] = "previous"
    names: Literal["neutral", "indefinite"] = "neutral"
    imperatives: Literal["lenient", "strict"] = "lenient"
    terms: str = ""
    top_terms: int = 10
    headings: Literal["marked", "none"] = "marked"
    synonyms: str = ""
    repeats: Literal["others", "all"] = "others"
    least: int = 1
    bearers: bool = True
    pronouns: Literal["antecedent", "bare"] = "antecedent"

    def __post_init__(self) -> None:
        check_parameters(self)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        text = IndicatorText(discourse, bearers=self.bearers)
        ranking = IndicatorRanking(text, self.indicators(text), TIE_BREAKERS, noting=self.pronouns == "antecedent")
        anaphors = ((anaphor, candidates_in_window(discourse, anaphor, self.window)) for anaphor in discourse.anaphors)
        return Resolution(resolver=signature(self), discourse=discourse, decisions=tuple(ranking.decisions(anaphors)))

    def indicators(self, text: IndicatorText) -> list[Indicator]:
        """Return the indicators, prepared for a text."""
        indicators: list[Indicator] = [
            Definiteness(text, base=self.definiteness_base, scope=self.definiteness_scope, names=self.names),
            Givenness(text, scope=self.givenness_scope, lenient=self.imperatives == "lenient"),
            IndicatingVerbs(text),
            LexicalReiteration(text, synonyms=self.synonyms, repeats=self.repeats),
            NonPrepositional(text),
            Collocation(text),
            ImmediateReference(text),
            ReferentialDistance(text, same_sentence=self.same_sentence, same_clause=self.same_clause),
            TermPreference(text, terms=self.terms, top=self.top_terms, least=self.least),
        ]
        if self.headings == "marked":
            indicators.insert(4, SectionHeading(text))
        return indicators


class IndicatorRanking:
    """Ranks candidates by the sum of indicators; ``ties`` names those that break ties, in order.

    Remaining ties go to the most recent candidate. With ``noting`` a pronoun that is
    resolved stands for its antecedent when it is a candidate itself.
    """

    def __init__(
        self, text: IndicatorText, indicators: Sequence[Indicator], ties: Sequence[str] = (), *, noting: bool = True
    ) -> None:
        self._text = text
        self._noting = noting
        self._phrases = text.discourse.phrases
        self._indicators = [(indicator.name, indicator) for indicator in indicators]
        self._ties = ties

    def decisions(self, anaphors: Iterable[tuple[Phrase, Sequence[Candidate]]]) -> Iterator[Decision]:
        """Decide on pronouns and their candidates, from left to right."""
        for anaphor, candidates in anaphors:
            decision = self.decide(anaphor, candidates)
            # A pronoun then counts as its antecedent for the lexical indicators of later pronouns.
            if self._noting and decision.antecedent is not None:
                self._text.note(anaphor, self._phrases[decision.antecedent])
            yield decision

    def decide(self, anaphor: Phrase, candidates: Sequence[Candidate]) -> Decision:
        """Score the candidates that were not dropped, and choose."""
        scored = [candidate if candidate.dropped else self._scored(anaphor, candidate) for candidate in candidates]
        ranks = {candidate.phrase: self._rank(candidate) for candidate in scored if not candidate.dropped}
        if not ranks:
            return Decision(anaphor=anaphor.index, antecedent=None, candidates=tuple(scored), rule="no candidate")
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
        scores = [(name, float(score(phrase, anaphor))) for name, score in self._indicators]
        factors = tuple(factor for factor in scores if factor[1])
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
        for name, best_score, rival_score in zip(self._ties, best[1:], rival[1:], strict=False):
            if best_score > rival_score:
                return f"tie: {name}"
        return "tie: most recent"


def _confidence(best: Rank, rival: Rank | None) -> float | None:
    """Return the share of the best score in the sum of the two best."""
    if rival is None:
        return 1.0
    return best[0] / (best[0] + max(0.0, rival[0])) if best[0] > 0 else None
