"""Salience of coreference classes, shared by Lappin & Leass and Kennedy & Boguraev.

The weight of a class halves with every sentence. Lappin & Leass (1994) and Kennedy & Boguraev
(1996) share this bookkeeping and differ in one respect. A factor that a class has from earlier
sentences, when a phrase of the current one satisfies it too,

    is added to      wₜ(f) = wₜ₋₁(f)/2 + W(f), once per sentence    (Lappin & Leass)
    is reset to      wₜ(f) = W(f)                                   (Kennedy & Boguraev)

and the salience of a class is Σ wₜ(f) over its factors.
"""

from collections.abc import Iterable
from operator import itemgetter
from typing import Protocol, Self, TypeAlias

from msgspec.structs import replace

from corefbench.preprocess.discourse import Discourse, Phrase, nearby_phrases
from corefbench.preprocess.english.pronouns import ANY_GENDER, Clash
from corefbench.resolvers.base import Candidate, Decision, Dropped
from corefbench.resolvers.rules.binding import is_bound
from corefbench.resolvers.rules.links import Names, find_appositions

Weights: TypeAlias = dict[str, float]
"""The factors of a method, by name, with their initial weights."""
Factors: TypeAlias = tuple[str, ...]
"""The factors that one phrase satisfies."""
FactorWeights: TypeAlias = tuple[tuple[str, float], ...]
_Rank: TypeAlias = tuple[float, bool, int, int]
"""Score, whether the phrase precedes the anaphor, nearness, and minus its index."""


class CorefClass:
    """A class of coreferent phrases and its current factors."""

    __slots__ = ("_fresh", "_shown", "_values", "gender", "members", "salience")

    def __init__(self) -> None:
        self.members: list[Phrase] = []
        self.salience = 0.0
        self.gender = ANY_GENDER
        """What all members may be: a name that *he* took up is masculine."""
        self._values: Weights = {}
        self._fresh: set[str] = set()
        self._shown: FactorWeights | None = None

    def join(self, phrase: Phrase) -> None:
        """Add a member; one that clashes with the others does not change the gender."""
        self.members.append(phrase)
        self.gender = self.gender & phrase.agreement.gender or self.gender

    def satisfy(self, factors: Factors, weights: Weights, additive: bool) -> None:
        """Record the factors that a phrase of the current sentence satisfies."""
        for factor in factors:
            if additive and factor not in self._fresh:
                self._values[factor] = self._values.get(factor, 0.0) + weights[factor]
            elif not additive:
                self._values[factor] = weights[factor]
        self._fresh.update(factors)
        self._changed()

    def halve(self) -> None:
        """Enter the next sentence."""
        # All weights halve with every sentence (Lappin & Leass 1994, §2.1.4).
        self._values = {factor: value / 2 for factor, value in self._values.items()}
        self._fresh.clear()
        self._changed()

    def forget(self, factor: str) -> None:
        """Remove one factor."""
        self._values.pop(factor, None)
        self._changed()

    def shown(self) -> FactorWeights:
        """The factors with their current weights."""
        if self._shown is None:
            self._shown = tuple(self._values.items())
        return self._shown

    def _changed(self) -> None:
        self.salience = sum(self._values.values())
        self._shown = None


class CorefClasses:
    """The classes of one document, and which of them are still salient.

    ``size`` is the number of phrases. Classes whose salience falls below ``threshold`` fade; a
    phrase that joins a faded class revives it.
    """

    def __init__(self, size: int, weights: Weights, *, additive: bool, threshold: float) -> None:
        self.of: list[CorefClass | None] = [None] * size
        """The class of every phrase, None while it is not interpreted."""
        self._weights = weights
        self._additive = additive
        self._threshold = threshold
        self._live: dict[int, CorefClass] = {}

    def next_sentence(self) -> None:
        """Halve all factors and drop the classes that are no longer salient."""
        # Only salient classes are visited, so that a sentence late in a book costs what an early one does.
        for key, coref in list(self._live.items()):
            coref.halve()
            if coref.salience < self._threshold:
                del self._live[key]

    def forget(self, factor: str) -> None:
        """Remove one factor from all classes."""
        for coref in self._live.values():
            coref.forget(factor)

    def add(self, phrase: Phrase, factors: Factors, coref: CorefClass | None = None) -> CorefClass:
        """Put a phrase of the current sentence into a class, or into a new one."""
        coref = coref or CorefClass()
        coref.join(phrase)
        coref.satisfy(factors, self._weights, self._additive)
        self.of[phrase.index] = coref
        self._live[id(coref)] = coref
        return coref

    def salient(self, phrase: Phrase) -> CorefClass | None:
        """Return the class of a phrase if it is still salient."""
        coref = self.of[phrase.index]
        return coref if coref is not None and id(coref) in self._live else None


class CandidateRanking:
    """The candidates of one anaphor ranked by salience, and the decision among them."""

    def __init__(self, anaphor: Phrase, *, preceding_first: bool) -> None:
        self.anaphor = anaphor
        self._preceding_first = preceding_first
        self._candidates: list[Candidate] = []
        self._kept: list[tuple[_Rank, Phrase, CorefClass]] = []

    def drop(self, phrase: Phrase, reason: Dropped) -> None:
        """Note why a phrase cannot be the antecedent."""
        self._candidates.append(Candidate(phrase=phrase.index, dropped=reason))

    def keep(self, phrase: Phrase, coref: CorefClass, score: float, local: FactorWeights = ()) -> None:
        """Note a phrase that can be the antecedent; ``local`` are adjustments of its salience."""
        self._candidates.append(Candidate(phrase=phrase.index, score=score, factors=coref.shown() + local))
        self._kept.append((self._rank(score, phrase), phrase, coref))

    def _best(self) -> tuple[_Rank, Phrase, CorefClass] | None:
        return max(self._kept, key=itemgetter(0), default=None)

    def best(self) -> Phrase | None:
        """The most salient candidate; of several, the closest."""
        best = self._best()
        return None if best is None else best[1]

    def nearest(self) -> Phrase | None:
        """The closest candidate of the class that the most salient one is of."""
        best = self._best()
        if best is None:
            return None
        members = (phrase for _, phrase, coref in self._kept if coref is best[2])
        return max(members, key=lambda phrase: self._rank(0.0, phrase))

    def _rank(self, score: float, phrase: Phrase) -> _Rank:
        """Return the sort key of a candidate.

        A coordination is as close as its last conjunct.
        """
        start = self.anaphor.start
        position = phrase.end - 1 if phrase.coordination else phrase.start
        precedes = self._preceding_first and phrase.start < start
        return score, precedes, -abs(start - position), -phrase.index

    def decision(self, antecedent: Phrase | None = None) -> Decision:
        """What was decided, and why; ``antecedent`` is the member of the class to be named."""
        candidates = tuple(self._candidates)
        best = self._best()
        if best is None:
            return Decision(anaphor=self.anaphor.index, antecedent=None, candidates=candidates, rule="no candidate")
        (score, *_), phrase, chosen = best
        rivals = (rank[0] for rank, _, coref in self._kept if coref is not chosen)
        # The confidence compares the best class with the next best, not with its own members.
        rival = max(0.0, max(rivals, default=0.0))
        return Decision(
            anaphor=self.anaphor.index,
            antecedent=(antecedent or phrase).index,
            candidates=candidates,
            rule=self._rule(score, rival),
            confidence=score / (score + rival) if score > 0 else None,
        )

    def _rule(self, score: float, rival: float) -> str:
        if len(self._kept) == 1:
            return "only candidate"
        return "tie: closest candidate" if score == rival else "highest salience"


class SalienceSettings(Protocol):
    """The parameters that both methods have."""

    link_names: bool
    class_gender: bool
    appositions: bool
    unbound: str


class SalienceReader(CorefClasses):
    """Reads a document sentence by sentence; subclasses say what is salient and what is excluded."""

    def __init__(
        self, settings: SalienceSettings, discourse: Discourse, weights: Weights, *, additive: bool, threshold: float
    ) -> None:
        super().__init__(len(discourse.phrases), weights, additive=additive, threshold=threshold)
        self.discourse = discourse
        self.decisions: list[Decision] = []
        self.links: list[tuple[int, int]] = []
        """Names and appositions that were linked."""
        self._class_gender = settings.class_gender
        self._resolve_unbound = settings.unbound == "pronoun"
        self._earlier: dict[int, Phrase] = {}
        """For names and appositions the phrase with which they are coreferent."""
        if settings.link_names:
            self._earlier |= {name.index: earlier[0] for name, earlier in Names(discourse).matches() if earlier}
        if settings.appositions:
            self._earlier |= find_appositions(discourse)

    def factors(self, phrase: Phrase) -> Factors:
        """Return the factors that a phrase of the current sentence satisfies."""
        raise NotImplementedError

    def binders(self, anaphor: Phrase) -> Iterable[Phrase]:
        """Return the phrases that may bind a reflexive or reciprocal."""
        raise NotImplementedError

    def rank_candidates(self, pronoun: Phrase) -> CandidateRanking:
        """Rank the possible antecedents of a pronoun."""
        raise NotImplementedError

    def read(self) -> Self:
        """Read the whole document."""
        for sentence, phrases in enumerate(self.discourse.by_sentence):
            self.next_sentence()
            self.read_sentence(sentence, [phrase for phrase in phrases if not phrase.pleonastic])
        self.decisions.sort(key=lambda decision: decision.anaphor)
        return self

    def read_sentence(self, number: int, phrases: list[Phrase]) -> None:
        """Open classes for the phrases that are no anaphors, then resolve the anaphors in order."""
        for phrase in phrases:
            if not phrase.anaphoric:
                self.introduce(phrase)
        for phrase in phrases:
            if phrase.anaphoric:
                self.decide(phrase)

    def decide(self, anaphor: Phrase) -> None:
        """Resolve an anaphor to its most salient candidate."""
        ranking = self.rank(anaphor)
        self.record(anaphor, ranking.best(), ranking.decision())

    def introduce(self, phrase: Phrase) -> None:
        """Open a class for a phrase that is no anaphor.

        A name may join a class that is known, and an apposition that of the phrase it renames.
        """
        earlier = self._earlier.get(phrase.index)
        coref = self.of[earlier.index] if earlier is not None else None
        if earlier is not None and coref is not None:
            self.links.append((earlier.index, phrase.index))
        self.add(phrase, self.factors(phrase), coref)

    def class_of(self, phrase: Phrase) -> CorefClass:
        """Return the class of a phrase; an unresolved pronoun gets one of its own."""
        return self.of[phrase.index] or self.add(phrase, self.factors(phrase))

    def referents(self, anaphor: Phrase, back: int) -> list[tuple[Phrase, CorefClass]]:
        """Return the interpreted phrases of the sentence and some before it in salient classes."""
        own_class = self.of[anaphor.index]
        return [
            (phrase, coref)
            for phrase in nearby_phrases(self.discourse, anaphor, back)
            if (coref := self.salient(phrase)) is not None and coref is not own_class
        ]

    def clash(self, anaphor: Phrase, phrase: Phrase, coref: CorefClass | None) -> Clash:
        """Return what an anaphor disagrees in with a phrase, or with the gender of its class."""
        clash = anaphor.agreement.clash(phrase.agreement)
        # A name that *she* has taken up is feminine from then on.
        if clash or coref is None or not self._class_gender:
            return clash
        if coref.gender & anaphor.agreement.gender:
            return ""
        return anaphor.agreement.clash(replace(phrase.agreement, gender=coref.gender))

    def rank(self, anaphor: Phrase) -> CandidateRanking:
        """Rank the candidates of an anaphor; a reflexive that nothing binds may be as a pronoun."""
        if not is_bound(anaphor):
            return self.rank_candidates(anaphor)
        ranking = self._rank_binders(anaphor)
        is_unbound = ranking.best() is None and self._resolve_unbound
        return self.rank_candidates(anaphor) if is_unbound else ranking

    def _rank_binders(self, anaphor: Phrase) -> CandidateRanking:
        ranking = CandidateRanking(anaphor, preceding_first=True)
        binders = {phrase.index for phrase in self.binders(anaphor)}
        for phrase in nearby_phrases(self.discourse, anaphor):
            if phrase.pleonastic:
                continue
            coref = self.class_of(phrase) if phrase.index in binders else None
            clash = self.clash(anaphor, phrase, coref)
            if coref is None or clash:
                ranking.drop(phrase, clash or "binding")
            else:
                ranking.keep(phrase, coref, coref.salience)
        return ranking

    def record(self, anaphor: Phrase, antecedent: Phrase | None, decision: Decision) -> None:
        """Record a decision and add the anaphor, with what it binds, to its antecedent's class."""
        self.decisions.append(decision)
        own_class = self.of[anaphor.index]
        if antecedent is None:
            self.class_of(anaphor)
            return
        coref = self.class_of(antecedent)
        # A pronoun that was a candidate before it was resolved already has a class of its own.
        for member in own_class.members if own_class is not None else [anaphor]:
            self.add(member, self.factors(member), coref)
