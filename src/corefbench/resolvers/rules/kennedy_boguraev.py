"""Kennedy & Boguraev (1996): salience without a parser.

Every noun phrase opens a class of coreferent phrases; a pronoun joins the class of the most salient
referent that agrees with it and that precedence and grammatical functions do not keep apart.
"""

from collections.abc import Iterable
from itertools import accumulate
from math import log2
from typing import Literal, TypeAlias

from msgspec.structs import replace

from corefbench.preprocess.discourse import Discourse, Phrase, nearby_phrases
from corefbench.resolvers.base import Resolution, ResolverCard, RuleResolver, choice, parameter
from corefbench.resolvers.rules.binding import is_bound
from corefbench.resolvers.rules.salience import (
    CandidateRanking,
    CorefClass,
    Factors,
    FactorWeights,
    SalienceReader,
    Weights,
)

WEIGHTS: Weights = {
    "SENT-S": 100.0, "CNTX-S": 50.0, "SUBJ-S": 80.0, "EXST-S": 70.0, "POSS-S": 65.0, "ACC-S": 50.0,
    "DAT-S": 40.0, "OBLQ-S": 30.0, "HEAD-S": 80.0, "ARG-S": 50.0,
}  # fmt: skip
"""The initial weights (§2.2.2); the paper takes most of them from Lappin & Leass."""
_FUNCTIONS = {"subject": "SUBJ-S", "existential": "EXST-S", "object": "ACC-S", "indirect": "DAT-S", "oblique": "OBLQ-S"}
Condition: TypeAlias = Literal["", "co-arguments", "command", "containment"]
_HIGHER = frozenset(("subject", "object"))
_LOWER = frozenset(("object", "indirect", "oblique"))
_SUBJECT_RELATIONS = frozenset(("nsubj", "nsubj:pass", "nsubj:outer", "expl"))
_RELATIVE_TAGS = frozenset(("WP", "WDT"))


class KennedyBoguraev(RuleResolver):
    """The parser-free successor of RAP (Lappin & Leass 1994)."""

    card = ResolverCard(
        name="kennedy-boguraev",
        title="Kennedy & Boguraev",
        description="Salience of coreference classes, from grammatical functions and precedence.",
        cites=("kennedy1996",),
    )

    min_salience = parameter("D1", 10.0, "classes below this are forgotten: a subject lasts 5 sentences")
    parallelism = parameter("D2", 35.0, "reward for the functions of an earlier antecedent and anaphor")
    memory = choice("D2", ("sentence", "document"), "how long such pairs are remembered: sentence or document")
    co_arguments = choice("D3", ("pairs", "literal"), "disjoint if before or after (pairs), or only after (literal)")
    segment = choice("D4", ("paragraph", "document"), "the context of CNTX-S: paragraph or document")
    unbound = choice("D5", ("pronoun", "none"), "a reflexive that nothing binds: resolved as pronoun, or none")
    existential = choice("D6", ("only", "subject"), "the subject of 'there is': EXST-S only, or as subject too")
    link_names = parameter("D7", True, "whether a proper name joins the class of the same name")
    context = choice("D8", ("flags", "tree"), "the same subordinate context: by flags, or by the tree")
    empty = choice("D9", ("none", "recent"), "without candidates: none, or the most recent phrase that agrees")
    cataphora = parameter("", 3.0, "the salience of a candidate that follows is divided by this", minimum=1)
    propagate = parameter("", True, "whether what is coreferent with a disjoint argument is disjoint too")
    genitive = choice("", ("pronouns", "all"), "POSS-S for possessive pronouns only, or for all genitives")
    modifiers = parameter("", False, "whether a noun that modifies a noun is a referent")
    member = choice("", ("nearest", "salient"), "the antecedent in the chosen class: the nearest, or the most salient")
    appositions = parameter("", True, "whether an apposition joins the class of what it renames")
    class_gender = parameter("", True, "whether the gender of one member holds for its whole class")

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        reader = _Reader(self, discourse).read()
        return self.resolution(discourse, reader.decisions, links=reader.links)


class _Reader(SalienceReader):
    """Reads one document, sentence by sentence."""

    def __init__(self, settings: KennedyBoguraev, discourse: Discourse) -> None:
        super().__init__(settings, discourse, WEIGHTS, additive=False, threshold=settings.min_salience)
        self._settings = settings
        self._precedence = Precedence(
            discourse, literal=settings.co_arguments == "literal", tree=settings.context == "tree"
        )
        self._back = _sentences_in_memory(settings.min_salience, len(discourse.by_sentence))
        self._pairs: set[tuple[str, str]] = set()

    def read_sentence(self, number: int, phrases: list[Phrase]) -> None:
        """Open classes, bind reflexives, then resolve pronouns."""
        paragraphs = self.discourse.analysis.paragraphs
        changes = number > 0 and paragraphs[number] != paragraphs[number - 1]
        if changes and self._settings.segment == "paragraph":
            self.forget("CNTX-S")
        if self._settings.memory == "sentence":
            self._pairs.clear()
        for phrase in phrases:
            if not phrase.anaphoric and self._is_referent(phrase):
                self.introduce(phrase)
        # Reflexives come first: pronouns may then join the classes they were bound into.
        for phrase in sorted(phrases, key=is_bound, reverse=True):
            if phrase.anaphoric:
                self.decide(phrase)

    def factors(self, phrase: Phrase) -> Factors:
        """Return the factors that a phrase of the current sentence satisfies."""
        factors = ["SENT-S", "CNTX-S"]
        if phrase.function in _FUNCTIONS:
            factors.append(_FUNCTIONS[phrase.function])
        if phrase.function == "existential" and self._settings.existential == "subject":
            factors.append("SUBJ-S")
        if phrase.function == "possessive" and (phrase.pronoun or self._settings.genitive == "all"):
            factors.append("POSS-S")
        if not phrase.embedded:
            factors.append("HEAD-S")
        if not phrase.adjunct:
            factors.append("ARG-S")
        return tuple(factors)

    def _is_referent(self, phrase: Phrase) -> bool:
        """Return whether a phrase is a referent: base noun phrases are, their modifiers are not."""
        relation = self.discourse.analysis.relations[phrase.head]
        return self._settings.modifiers or not relation.startswith("compound")

    def binders(self, anaphor: Phrase) -> list[Phrase]:
        """Return the co-arguments that may bind a reflexive or reciprocal."""
        return self._precedence.binders(anaphor)

    def rank_candidates(self, pronoun: Phrase) -> CandidateRanking:
        """Rank all salient referents."""
        ranking = CandidateRanking(pronoun, preceding_first=True)
        referents = self.referents(pronoun, self._back)
        disjoint, classes = self._disjoint(pronoun, referents)
        for phrase, coref in referents:
            clash = self.clash(pronoun, phrase, coref)
            if clash or phrase.index in disjoint or coref in classes:
                ranking.drop(phrase, clash or "binding")
            else:
                local = self._adjustments(pronoun, phrase, coref.salience)
                ranking.keep(phrase, coref, coref.salience + _total(local), local)
        return ranking

    def _disjoint(
        self, pronoun: Phrase, referents: list[tuple[Phrase, CorefClass]]
    ) -> tuple[set[int], set[CorefClass]]:
        """The referents of the sentence that are disjoint, and the classes that are with them.

        Command does not spread: "Apple and its partners … Apple's offerings" is one class.
        """
        phrases: set[int] = set()
        classes: set[CorefClass] = set()
        for phrase, coref in referents:
            if phrase.sentence != pronoun.sentence:
                continue
            condition = self._precedence.condition(pronoun, phrase)
            if condition:
                phrases.add(phrase.index)
                if self._settings.propagate and condition != "command":
                    classes.add(coref)
        return phrases, classes

    def _adjustments(self, pronoun: Phrase, phrase: Phrase, salience: float) -> FactorWeights:
        """Return the gains and losses of a candidate of the sentence for this pronoun only."""
        if phrase.sentence != pronoun.sentence:
            return ()
        local: list[tuple[str, float]] = []
        if self._precedence.share_embedding(phrase, pronoun):
            local.append(("locality HEAD-S", WEIGHTS["HEAD-S"]))
        if self._precedence.share_adjunct(phrase, pronoun):
            local.append(("locality ARG-S", WEIGHTS["ARG-S"]))
        if (phrase.function, pronoun.function) in self._pairs:
            local.append(("parallelism", self._settings.parallelism))
        if phrase.start > pronoun.start:
            # Cataphora is disfavoured by division, not by a fixed penalty as in RAP.
            total = salience + _total(tuple(local))
            local.append(("cataphora", total / self._settings.cataphora - total))
        return tuple(local)

    def decide(self, anaphor: Phrase) -> None:
        """Decide, and remember the functions of antecedent and anaphor."""
        ranking = self.rank(anaphor)
        nearest = self._settings.member == "nearest"
        antecedent = ranking.nearest() if nearest else ranking.best()
        decision = ranking.decision(antecedent)
        if antecedent is None and self._settings.empty == "recent":
            antecedent = self._most_recent(anaphor)
            if antecedent is not None:
                decision = replace(decision, antecedent=antecedent.index, rule="most recent")
        self.record(anaphor, antecedent, decision)
        if antecedent is not None:
            self._pairs.add((antecedent.function, anaphor.function))

    def _most_recent(self, anaphor: Phrase) -> Phrase | None:
        """The nearest phrase before an anaphor that agrees with it and has no part in it."""
        for phrase in reversed(nearby_phrases(self.discourse, anaphor, anaphor.sentence)):
            agrees = not phrase.pleonastic and not anaphor.agreement.clash(phrase.agreement)
            if agrees and phrase.end <= anaphor.start:
                return phrase
        return None


def _total(local: FactorWeights) -> float:
    return sum(gain for _, gain in local)


def _sentences_in_memory(threshold: float, sentences: int) -> int:
    """Return after how many sentences without mention even the most salient class fades."""
    if threshold <= 0:
        return sentences
    # Weights halve per sentence: solve ΣW / 2ⁿ ≥ threshold for n.
    return max(0, int(log2(sum(WEIGHTS.values()) / threshold)))


class Precedence:
    """Disjoint reference without a parse (Kennedy & Boguraev 1996, §2.2.3).

    Configuration is approximated by grammatical functions, from the flags EMBED and
    ADJUNCT, and from precedence:

    1. co-arguments: an object or oblique that follows a subject or object, no subject in between;
    2. command: a noun that follows a pronoun which is neither in an adjunct nor in a noun phrase;
    3. containment: an embedded pronoun that follows a referent which is not embedded, none such in
       between; and the phrase that a pronoun is part of.
    """

    def __init__(self, discourse: Discourse, *, literal: bool = False, tree: bool = False) -> None:
        """``literal``: co-arguments only where the pronoun comes first, as printed;
        ``tree``: contexts are clauses and phrases, not runs of flags."""
        self._discourse = discourse
        self._literal = literal
        self._tree = tree
        relations = discourse.analysis.relations
        # Counts up to each token tell in constant time whether something lies between two phrases; every
        # pronoun asks that about every phrase near it.
        self._subject_tokens = [t for t, relation in enumerate(relations) if relation in _SUBJECT_RELATIONS]
        self._subjects = _cumulative_counts(relation in _SUBJECT_RELATIONS for relation in relations)
        referring = [phrase for phrase in discourse.phrases if not phrase.pleonastic]
        free = {phrase.head for phrase in referring if not phrase.embedded}
        arguments = {phrase.head for phrase in referring if not phrase.adjunct}
        tokens = range(len(relations))
        self._free = _cumulative_counts(token in free for token in tokens)
        self._arguments = _cumulative_counts(token in arguments for token in tokens)

    def condition(self, pronoun: Phrase, other: Phrase) -> Condition:
        """Why a pronoun and another phrase of its sentence are disjoint; empty if they are not."""
        if self._contains(other, pronoun):
            return "containment"
        if self._co_arguments(pronoun, other):
            return "co-arguments"
        follows = other.start > pronoun.start
        free = not pronoun.embedded and not pronoun.adjunct
        return "command" if follows and free and other.pronoun is None else ""

    def share_embedding(self, phrase: Phrase, other: Phrase) -> bool:
        """Whether both are in the same noun phrase or relative clause."""
        return phrase.embedded and other.embedded and self._share(phrase, other, self._free, "acl")

    def share_adjunct(self, phrase: Phrase, other: Phrase) -> bool:
        """Whether both are in the same adverbial."""
        return phrase.adjunct and other.adjunct and self._share(phrase, other, self._arguments, "advcl")

    def binders(self, anaphor: Phrase) -> list[Phrase]:
        """What may bind a reflexive: the closest subject before it and, unless it is the direct
        object, the closest direct object after that subject."""
        before = [
            phrase
            for phrase in nearby_phrases(self._discourse, anaphor)
            if phrase.head < anaphor.head and not phrase.pleonastic and not is_bound(phrase)
        ]
        binders = self._closest_subject(anaphor, before)
        if anaphor.function != "object":
            objects = [
                phrase
                for phrase in before
                if phrase.function == "object" and _none_between(self._subjects, phrase.head, anaphor.head)
            ]
            binders += _closest_phrases(objects)
        return binders

    def _closest_subject(self, anaphor: Phrase, before: list[Phrase]) -> list[Phrase]:
        """The closest subject; for a relative pronoun, the referent that it follows."""
        subjects = _closest_phrases(phrase for phrase in before if phrase.function == "subject")
        relative = self._relative_subject(anaphor)
        if relative >= 0 and (not subjects or subjects[-1].head < relative):
            return _closest_phrases(phrase for phrase in before if phrase.head < relative)
        return subjects

    def _relative_subject(self, anaphor: Phrase) -> int:
        """The closest relative pronoun before an anaphor that is a subject, or -1."""
        analysis = self._discourse.analysis
        start, _ = analysis.sentences[anaphor.sentence]
        before = self._subjects[anaphor.head]
        token = self._subject_tokens[before - 1] if before else -1
        return token if token >= start and analysis.xpos[token] in _RELATIVE_TAGS else -1

    def _co_arguments(self, pronoun: Phrase, other: Phrase) -> bool:
        first, second = sorted((pronoun, other), key=lambda phrase: phrase.head)
        if (self._literal and first is not pronoun) or is_bound(other) or is_bound(pronoun):
            return False
        return (
            first.function in _HIGHER
            and second.function in _LOWER
            and _none_between(self._subjects, first.head, second.head)
        )

    def _contains(self, other: Phrase, pronoun: Phrase) -> bool:
        return other.contains(pronoun) or (
            pronoun.embedded
            and not other.embedded
            and other.head < pronoun.head
            and _none_between(self._free, other.head, pronoun.head)
        )

    def _share(self, phrase: Phrase, other: Phrase, outside: list[int], clause: str) -> bool:
        if not self._tree:
            first, second = sorted((phrase.head, other.head))
            return _none_between(outside, first, second)
        if phrase.clause == other.clause and phrase.clause >= 0:
            relation = self._discourse.clauses[phrase.clause].relation
            if relation.partition(":")[0] == clause:
                return True
        return phrase.parent == other.parent and phrase.parent >= 0


def _cumulative_counts(flags: Iterable[bool]) -> list[int]:
    """Return the number of set flags before each index."""
    return list(accumulate(flags, initial=0))


def _none_between(counts: list[int], first: int, second: int) -> bool:
    """Whether no flag is set after the first place and before the second."""
    return counts[second] <= counts[first + 1]


def _closest_phrases(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Return the preceding phrases whose last word is closest, with their coordinations."""
    candidates = list(phrases)
    if not candidates:
        return []
    last = max(candidates, key=lambda phrase: (phrase.head, phrase.end)).head
    return [
        phrase
        for phrase in candidates
        if phrase.head == last or (phrase.coordination and phrase.start <= last < phrase.end)
    ]
