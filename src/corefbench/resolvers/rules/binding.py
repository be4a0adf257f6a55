"""Which noun phrases of a sentence cannot be a pronoun's antecedent, and which bind a reflexive.

The conditions are those of Lappin & Leass (1994, §2.1.1 and §2.1.2), over dependency trees. Their
condition 1, agreement, is left to the caller, who tells it apart from binding. Containment
(condition 4) asks in addition that the noun phrase follows the pronoun: read to the letter it would
forbid "The mother of John loves him" and "After John left, he slept".
"""

from typing import Literal, TypeAlias

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.preprocess.tree import Tree
from corefbench.resolvers.rules.domains import DEEPEST, Domains
from corefbench.resolvers.rules.slots import (
    Places,
    Slot,
    adjunct_domain,
    argument_domain,
    both_prepositional,
    commands,
    noun_phrase_domain,
)
from corefbench.resolvers.rules.window import near

Condition: TypeAlias = Literal[
    "",
    "i within i",
    "coordination",
    "argument domain",
    "adjunct domain",
    "containment",
    "noun phrase domain",
    "determiner",
    "predication",
]
"""What keeps two phrases apart; empty if nothing does."""

_BOUND = ("reflexive", "reciprocal")
_EMPHATIC = frozenset(("nmod", "appos", "flat", "dep", "advmod"))
_CLAUSAL = frozenset(("acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis"))


def is_bound(phrase: Phrase) -> bool:
    """Whether it is a reflexive or reciprocal, which has its antecedent in its own clause."""
    return phrase.pronoun is not None and phrase.pronoun.kind in _BOUND


class Binding:
    """The restrictions on coreference within the sentences of one document."""

    def __init__(self, discourse: Discourse) -> None:
        self._discourse = discourse
        self._tree = Tree(discourse.analysis)
        self._domains = Domains(self._tree)
        self._places = [self._domains.places(phrase.head) for phrase in discourse.phrases]

    def disjoint(self, pronoun: Phrase, other: Phrase) -> bool:
        """Whether a pronoun (not a reflexive) and another phrase cannot corefer."""
        return self.condition(pronoun, other) != ""

    def condition(self, pronoun: Phrase, other: Phrase) -> Condition:
        """What forbids coreference, seen from the pronoun and, of two pronouns, from either."""
        if pronoun.sentence != other.sentence:
            return ""
        forbidden = self._condition(pronoun, other)
        if not forbidden and other.pronoun is not None and not is_bound(other):
            return self._condition(other, pronoun)
        return forbidden

    def binders(self, anaphor: Phrase) -> list[Phrase]:
        """The phrases that may bind a reflexive or reciprocal, in text order.

        Whether they agree with it is not asked.
        """
        return [phrase for phrase in near(self._discourse, anaphor) if self.binds(phrase, anaphor)]

    def binds(self, binder: Phrase, anaphor: Phrase) -> bool:
        """Whether a phrase may bind a reflexive or reciprocal of its sentence."""
        if binder.index == anaphor.index:
            return False
        if self._is_emphatic(anaphor, binder):
            return True
        if self._within_itself(anaphor, binder):
            return False
        outer, inner = self._places[binder.index], self._places[anaphor.index]
        return (
            commands(outer, inner)
            or adjunct_domain(inner, outer)
            or (binder.head < anaphor.head and both_prepositional(outer, inner))
            or noun_phrase_domain(inner, outer)
            or self._binds_into_noun(outer, inner)
        )

    def _condition(self, pronoun: Phrase, other: Phrase) -> Condition:
        if is_bound(other) or self._renames(pronoun, other) or self._renames(other, pronoun):
            return ""
        if self._within_itself(pronoun, other):
            return "i within i"
        if self._conjoined(pronoun, other):
            return "coordination"
        own, others = self._places[pronoun.index], self._places[other.index]
        if argument_domain(own, others) or own.get(other.head) is Slot.SUBJECT:
            return "argument domain"
        if adjunct_domain(own, others):
            return "adjunct domain"
        if other.pronoun is None and self._contained(pronoun, other, own):
            return "containment"
        if noun_phrase_domain(own, others):
            return "noun phrase domain"
        return self._as_determiner(other, own, others)

    def _renames(self, apposition: Phrase, other: Phrase) -> bool:
        """Whether the first is an apposition to the second, and so the same."""
        tree = self._tree
        return tree.heads[apposition.head] == other.head and tree.base[apposition.head] == "appos"

    def _conjoined(self, pronoun: Phrase, other: Phrase) -> bool:
        """Whether both are conjuncts of one coordination."""
        first = self._domains.coordination
        return pronoun.head != other.head and first(pronoun.head) == first(other.head)

    def _contained(self, pronoun: Phrase, other: Phrase, own: Places) -> bool:
        """Condition 4: the pronoun is an argument of a head that the name or noun depends on."""
        return other.head > pronoun.head and any(
            slot.is_argument and self._domains.is_within(other.head, head)
            for head, slot in own.items()
        )

    def _as_determiner(self, other: Phrase, own: Places, others: Places) -> Condition:
        """Condition 6, "his portrait of John"; and of predicates, "John is his friend"."""
        for noun, slot in own.items():
            if slot is not Slot.DETERMINER:
                continue
            place = self._domains.places(noun)
            if others.get(noun) is Slot.SUBJECT or place.get(other.head) is Slot.SUBJECT:
                return "predication"
            is_complement = others.get(noun) is Slot.COMPLEMENT
            if is_complement or (
                other.pronoun is None and self._domains.is_within(other.head, noun)
            ):
                return "determiner"
        return ""

    def _within_itself(self, pronoun: Phrase, other: Phrase) -> bool:
        """Whether a pronoun is part of the other phrase and no clause of it stands between."""
        if self._places[pronoun.index].get(other.head) is Slot.DETERMINER:
            return True
        if not _contains(other, pronoun):
            return False
        token, heads, base = pronoun.head, self._tree.heads, self._tree.base
        for _ in range(DEEPEST):
            if token in (other.head, -1):
                break
            if base[token] in _CLAUSAL:
                return False
            token = heads[token]
        return True

    def _is_emphatic(self, anaphor: Phrase, other: Phrase) -> bool:
        """Whether it stresses the phrase that it follows: "the president himself"."""
        return (
            self._tree.heads[anaphor.head] == other.head
            and other.head < anaphor.head
            and not anaphor.prepositional
            and self._tree.base[anaphor.head] in _EMPHATIC
        )

    def _binds_into_noun(self, outer: Places, inner: Places) -> bool:
        """Binding conditions 4 and 5: into a noun that has no possessor, or as its possessor."""
        for noun, slot in inner.items():
            if slot > Slot.DETERMINER or (slot is Slot.COMPLEMENT and self._domains.owned(noun)):
                continue
            place = self._domains.places(noun)
            reaches = commands if slot is Slot.DETERMINER else argument_domain
            if reaches(outer, place) or adjunct_domain(place, outer):
                return True
        return False


def _contains(outer: Phrase, inner: Phrase) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
