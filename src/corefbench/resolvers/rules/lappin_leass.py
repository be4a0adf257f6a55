"""Lappin & Leass (1994): RAP, the resolution of anaphora procedure.

Salience is made of syntactic factors that halve with every sentence and add up over the phrases of
a coreference class; binding over the dependency tree says what a pronoun cannot refer to.
"""

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.resolvers.base import Dropped, Resolution, ResolverCard, RuleResolver, choice, parameter
from corefbench.resolvers.rules.binding import Binding, is_bound
from corefbench.resolvers.rules.salience import (
    CandidateRanking,
    CorefClass,
    Factors,
    FactorWeights,
    SalienceReader,
    Weights,
)

WEIGHTS: Weights = {
    "sentence recency": 100.0,
    "subject": 80.0,
    "existential": 70.0,
    "accusative": 50.0,
    "indirect object and oblique": 40.0,
    "head noun": 80.0,
    "non-adverbial": 50.0,
}
"""Table 1 of the paper."""

_FUNCTIONS = {
    "subject": "subject",
    "existential": "existential",
    "object": "accusative",
    "indirect": "indirect object and oblique",
}
_SLOT_BY_FUNCTION = {"indirect": "oblique", "other": ""}
"""Functions that count as one slot, or as none."""


class LappinLeass(RuleResolver):
    """RAP, over dependency trees."""

    card = ResolverCard(
        name="lappin-leass",
        title="Lappin & Leass (RAP)",
        description="Salience of coreference classes, with binding over the tree.",
        cites=("lappin1994",),
    )

    parallelism = parameter("", 35.0, "reward for a candidate in the slot of the pronoun")
    cataphora = parameter("", 175.0, "taken from a candidate that follows the pronoun")
    min_salience = parameter("", 0.0, "candidates below this are not considered")
    sentences = parameter("", 4, "how many sentences are remembered")
    unbound = choice("", ("pronoun", "none"), "a reflexive that nothing binds: resolved as pronoun, or none")
    link_names = parameter("", True, "whether a proper name joins the class of the same name")
    appositions = parameter("", True, "whether an apposition joins the class of what it renames")
    class_gender = parameter("", True, "whether the gender of one member holds for its whole class")

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        reader = _Reader(self, discourse).read()
        return self.resolution(discourse, reader.decisions, links=reader.links)


class _Reader(SalienceReader):
    """Reads one document, sentence by sentence."""

    def __init__(self, settings: LappinLeass, discourse: Discourse) -> None:
        super().__init__(settings, discourse, WEIGHTS, additive=True, threshold=1.0)
        self._settings = settings
        self._relations = discourse.analysis.relations
        self._heads = discourse.analysis.heads
        self._binding = Binding(discourse)

    def factors(self, phrase: Phrase) -> Factors:
        """The factors that a phrase of the current sentence satisfies (§2.1.4).

        Possessors and nouns that modify a noun are contained in its phrase. Objects of prepositions
        count as oblique complements unless they are set off as adverbials or belong to a noun.
        """
        factors = ["sentence recency"]
        relation = self._relations[phrase.head]
        if phrase.function in _FUNCTIONS:
            factors.append(_FUNCTIONS[phrase.function])
        elif phrase.function == "oblique" and not (phrase.adjunct or self._in_noun(phrase.head)):
            factors.append(_FUNCTIONS["indirect"])
        contained = phrase.function == "possessive" or relation.startswith("compound")
        if not phrase.embedded and not contained:
            factors.append("head noun")
        if not phrase.adjunct:
            factors.append("non-adverbial")
        return tuple(factors)

    def _in_noun(self, token: int) -> bool:
        """Whether the preposition of a phrase belongs to a noun."""
        while self._relations[token] == "conj" and self._heads[token] >= 0:
            token = self._heads[token]
        return self._relations[token].startswith("nmod")

    def binders(self, anaphor: Phrase) -> list[Phrase]:
        """Return the phrases that may bind a reflexive or reciprocal."""
        return self._binding.binders(anaphor)

    def rank_candidates(self, pronoun: Phrase) -> CandidateRanking:
        """Rank the most recent member of every salient class."""
        ranking = CandidateRanking(pronoun, preceding_first=False)
        referents = self.referents(pronoun, self._settings.sentences)
        # RAP weighs classes, each represented by its most recent member.
        newest = _most_recent(referents, pronoun)
        # A class is excluded if binding excludes any of its members.
        disjoint = {coref for phrase, coref in referents if self._is_disjoint(pronoun, phrase)}
        for phrase, coref in referents:
            if newest[coref] is not phrase:
                continue
            local = self._adjustments(pronoun, phrase)
            score = coref.salience + sum(gain for _, gain in local)
            reason: Dropped = self.clash(pronoun, phrase, coref)
            if not reason and coref in disjoint:
                reason = "binding"
            if not reason and score < self._settings.min_salience:
                reason = "other"
            if reason:
                ranking.drop(phrase, reason)
            else:
                ranking.keep(phrase, coref, score, local)
        return ranking

    # A reflexive that nothing binds is resolved as a pronoun: only containment excludes then.
    def _is_disjoint(self, pronoun: Phrase, phrase: Phrase) -> bool:
        if is_bound(pronoun):
            return phrase.contains(pronoun)
        return self._binding.disjoint(pronoun, phrase)

    def _adjustments(self, pronoun: Phrase, phrase: Phrase) -> FactorWeights:
        """Return the gains and losses of a candidate for this pronoun only."""
        local: list[tuple[str, float]] = []
        slot = _SLOT_BY_FUNCTION.get(phrase.function, phrase.function)
        if slot and slot == _SLOT_BY_FUNCTION.get(pronoun.function, pronoun.function):
            local.append(("parallelism", self._settings.parallelism))
        if phrase.start > pronoun.start:
            local.append(("cataphora", -self._settings.cataphora))
        return tuple(local)


def _most_recent(referents: list[tuple[Phrase, CorefClass]], pronoun: Phrase) -> dict[CorefClass, Phrase]:
    """For every class its last phrase before the pronoun or, if there is none, its first after."""
    newest: dict[CorefClass, Phrase] = {}
    for phrase, coref in referents:
        if phrase.start < pronoun.start or coref not in newest:
            newest[coref] = phrase
    return newest
