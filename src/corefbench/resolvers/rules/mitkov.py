"""Mitkov (1998): robust pronoun resolution with limited knowledge.

The noun phrases before a pronoun, in its sentence and the two before, that agree with it in number
and gender are given points by eleven indicators; the highest sum wins. There is no syntax beyond
noun phrases and clauses: a phrase is dropped for syntax only if the pronoun is part of it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.resolvers.base import Candidate, Decision, ResolverCard, RuleResolver, choice, parameter
from corefbench.resolvers.rules.candidates import candidates_in_window
from corefbench.resolvers.rules.indicators import (
    Indicator,
    IndicatorText,
    collocation,
    definiteness,
    givenness,
    immediate_reference,
    indicating_verbs,
    lexical_reiteration,
    non_prepositional,
    referential_distance,
    section_heading,
    term_preference,
)

Rank: TypeAlias = tuple[float, ...]
"""Total, the indicators that break ties, and where the candidate begins."""
TIE_BREAKERS = ("immediate reference", "collocation", "indicating verbs")
"""The indicators that break ties, in order; then the most recent candidate wins."""


class Mitkov(RuleResolver):
    """The knowledge-poor approach of 1998."""

    card = ResolverCard(
        name="mitkov",
        title="Mitkov (1998)",
        description="Eleven indicators give points to the noun phrases that agree.",
        cites=("mitkov1998",),
    )

    definiteness_base = choice("F1", (0, 1), "the score of definite phrases: 0, or 1 as in the example")
    window = parameter("F2", 2, "sentences to look back; from three back the distance scores -1")
    same_sentence = parameter("F3", 2, "distance score of the pronoun's own sentence if it is simple")
    same_clause = parameter("F4", 2, "distance score of the pronoun's own clause in a complex sentence")
    definiteness_scope = choice("F5", ("all", "previous"), "definiteness of all phrases, or of previous sentences'")
    givenness_scope = choice("F5", ("previous", "all"), "givenness of previous sentences' phrases, or of all")
    names = choice("F6", ("neutral", "indefinite"), "names and pronouns are neutral, or count as indefinite")
    imperatives = choice("F7", ("lenient", "strict"), "lenient: 'To open it, please press …' is an imperative too")
    terms = parameter("F8", "", "the terms of the domain, as drawer;toner bottle")
    top_terms = parameter("F8", 10, "without a list: how many of the most frequent nouns are terms")
    headings = choice("F9", ("marked", "none"), "section headings as marked in the text, or none")
    synonyms = parameter("F10", "", "words that repeat each other, as bottle/flask;guide/manual")
    repeats = choice("F11", ("others", "all"), "reiteration counts the others, or all with the candidate")
    least = parameter("F8", 1, "how often a noun must come to be a term; the example counts any")
    bearers = parameter("", True, "whether all names of one bearer count as one, or by their last word")
    pronouns = choice("", ("antecedent", "bare"), "a pronoun counts as its antecedent for lexical scores, or bare")

    def decisions(self, discourse: Discourse) -> Iterator[Decision]:
        """Score the candidates of each pronoun and choose the best."""
        text = IndicatorText(discourse, bearers=self.bearers)
        ranking = IndicatorRanking(text, self.indicators(text), TIE_BREAKERS, noting=self.pronouns == "antecedent")
        return ranking.decisions(
            (anaphor, candidates_in_window(discourse, anaphor, self.window)) for anaphor in discourse.anaphors
        )

    def indicators(self, text: IndicatorText) -> dict[str, Indicator]:
        """Return the indicators by name, prepared for a text."""
        heading = {"section heading": section_heading(text)} if self.headings == "marked" else {}
        return {
            "definiteness": definiteness(
                text,
                base=self.definiteness_base,
                everywhere=self.definiteness_scope == "all",
                neutral_names=self.names == "neutral",
            ),
            "givenness": givenness(
                text, everywhere=self.givenness_scope == "all", lenient=self.imperatives == "lenient"
            ),
            "indicating verbs": indicating_verbs(text),
            "lexical reiteration": lexical_reiteration(
                text, synonyms=self.synonyms, count_itself=self.repeats == "all"
            ),
            **heading,
            "prepositional noun phrase": non_prepositional,
            "collocation": collocation(text),
            "immediate reference": immediate_reference(text),
            "referential distance": referential_distance(
                text, same_sentence=self.same_sentence, same_clause=self.same_clause
            ),
            "term preference": term_preference(text, terms=self.terms, top=self.top_terms, least=self.least),
        }


class IndicatorRanking:
    """Ranks candidates by the sum of indicators; ``ties`` names those that break ties, in order.

    Remaining ties go to the most recent candidate. With ``noting`` a pronoun that is
    resolved stands for its antecedent when it is a candidate itself.
    """

    def __init__(
        self, text: IndicatorText, indicators: Mapping[str, Indicator], ties: Sequence[str] = (), *, noting: bool = True
    ) -> None:
        self._text = text
        self._noting = noting
        self._phrases = text.discourse.phrases
        self._indicators = indicators
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
        scores = ((name, float(points(phrase, anaphor))) for name, points in self._indicators.items())
        factors = tuple(factor for factor in scores if factor[1])
        return Candidate(phrase=candidate.phrase, score=sum((points for _, points in factors), 0.0), factors=factors)

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
    # Scores may be negative, and a share of negative numbers means nothing.
    if rival is None:
        return 1.0
    return best[0] / (best[0] + max(0.0, rival[0])) if best[0] > 0 else None
