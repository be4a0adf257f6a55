"""Binding constraints over dependency trees (Lappin & Leass 1994).

The conditions are those of Lappin & Leass (1994, §2.1.1 and §2.1.2), over dependency trees. Their
condition 1, agreement, is left to the caller, who reports it separately. Containment
(condition 4) asks in addition that the noun phrase follows the pronoun: read to the letter it would
forbid "The mother of John loves him" and "After John left, he slept".
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import TypeAlias

from corefbench.preprocess.analysis import Tree
from corefbench.preprocess.discourse import Discourse, Phrase, nearby_phrases

_PARTICIPLES = frozenset(("VBG", "VBN"))
_RELATIVE_TAGS = frozenset(("WP", "WDT"))
_CONJUNCT = frozenset(("conj",))
_SHARING = frozenset(("conj", "appos"))
_SUBJECTLESS = frozenset(("conj", "xcomp", "advcl", "acl"))
MAX_DEPTH = 100
"""Real sentences are not deeper, but parses of noise may be."""
_BOUND = ("reflexive", "reciprocal")
_EMPHATIC = frozenset(("nmod", "appos", "flat", "dep", "advmod"))
_CLAUSAL = frozenset(("acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis"))


class Slot(IntEnum):
    """Slots of a verb from high to low, then those of a noun (Lappin & Leass 1994, §2.1.1)."""

    SUBJECT = 6
    AGENT = 5
    OBJECT = 4
    INDIRECT = 3
    PREPOSITIONAL = 2
    """In a prepositional phrase; the trees do not distinguish complements from adjuncts."""
    DETERMINER = 1
    """The possessor."""
    COMPLEMENT = 0
    """In a prepositional phrase that a noun governs."""

    @property
    def is_argument(self) -> bool:
        """Whether it is certainly an argument of a verb."""
        return self >= Slot.INDIRECT

    def outranks(self, other: "Slot") -> bool:
        """Subject before agent before object before indirect object and prepositional object."""
        return self > max(other, Slot.INDIRECT)


Slots: TypeAlias = dict[int, Slot]
"""For the governors of one token the slot it fills."""
_SLOT_BY_RELATION = {
    "nsubj": Slot.SUBJECT,
    "nsubj:pass": Slot.SUBJECT,
    "obl:agent": Slot.AGENT,
    "obj": Slot.OBJECT,
    "iobj": Slot.INDIRECT,
    "nmod:poss": Slot.DETERMINER,
}
_SLOT_BY_BASE_RELATION = {"obl": Slot.PREPOSITIONAL, "nmod": Slot.COMPLEMENT}
_NO_SLOTS: Slots = {}


def is_bound(phrase: Phrase) -> bool:
    """Whether it is a reflexive or reciprocal, which has its antecedent in its own clause."""
    return phrase.pronoun is not None and phrase.pronoun.kind in _BOUND


class Binding:
    """The restrictions on coreference within the sentences of one document."""

    def __init__(self, discourse: Discourse) -> None:
        self._discourse = discourse
        self._tree = Tree(discourse.analysis)
        self._domains = Domains(self._tree)
        self._slots = [self._domains.slots(phrase.head) for phrase in discourse.phrases]

    def disjoint(self, pronoun: Phrase, other: Phrase) -> bool:
        """Whether a pronoun (not a reflexive) and another phrase cannot corefer."""
        return self.condition(pronoun, other) != ""

    def condition(self, pronoun: Phrase, other: Phrase) -> str:
        """Return the condition that forbids coreference, empty if none does; two pronouns are tested both ways."""
        if pronoun.sentence != other.sentence:
            return ""
        forbidden = self._condition(pronoun, other)
        # The conditions are stated for a pronoun, so a second pronoun is tested from its side too.
        if not forbidden and other.pronoun is not None and not is_bound(other):
            return self._condition(other, pronoun)
        return forbidden

    def binders(self, anaphor: Phrase) -> list[Phrase]:
        """The phrases that may bind a reflexive or reciprocal, in text order.

        Agreement is not checked.
        """
        return [phrase for phrase in nearby_phrases(self._discourse, anaphor) if self.binds(phrase, anaphor)]

    def binds(self, binder: Phrase, anaphor: Phrase) -> bool:
        """Whether a phrase may bind a reflexive or reciprocal of its sentence."""
        if binder.index == anaphor.index:
            return False
        if self._is_emphatic(anaphor, binder):
            return True
        if self._within_itself(anaphor, binder):
            return False
        outer, inner = self._slots[binder.index], self._slots[anaphor.index]
        return (
            commands(outer, inner)
            or adjunct_domain(inner, outer)
            or (binder.head < anaphor.head and both_prepositional(outer, inner))
            or noun_phrase_domain(inner, outer)
            or self._binds_into_noun(outer, inner)
        )

    def _condition(self, pronoun: Phrase, other: Phrase) -> str:
        # Reflexives have their own conditions, and appositions corefer.
        if is_bound(other) or self._renames(pronoun, other) or self._renames(other, pronoun):
            return ""
        if self._within_itself(pronoun, other):
            return "i within i"
        if self._conjoined(pronoun, other):
            return "coordination"
        slots, other_slots = self._slots[pronoun.index], self._slots[other.index]
        # Condition 2, "She likes her"; also of predicates, whose head is the noun itself.
        if argument_domain(slots, other_slots) or slots.get(other.head) is Slot.SUBJECT:
            return "argument domain"
        # Condition 3: "She sat near her".
        if adjunct_domain(slots, other_slots):
            return "adjunct domain"
        if other.pronoun is None and self._contained(pronoun, other, slots):
            return "containment"
        # Condition 5: "John's portrait of him".
        if noun_phrase_domain(slots, other_slots):
            return "noun phrase domain"
        return self._as_determiner(other, slots, other_slots)

    def _renames(self, apposition: Phrase, other: Phrase) -> bool:
        """Whether the first is an apposition to the second, and so the same."""
        tree = self._tree
        return tree.heads[apposition.head] == other.head and tree.base[apposition.head] == "appos"

    def _conjoined(self, pronoun: Phrase, other: Phrase) -> bool:
        """Whether both are conjuncts of one coordination."""
        first = self._domains.coordination
        return pronoun.head != other.head and first(pronoun.head) == first(other.head)

    def _contained(self, pronoun: Phrase, other: Phrase, slots: Slots) -> bool:
        """Condition 4: the pronoun is an argument of a head that the name or noun depends on."""
        return other.head > pronoun.head and any(
            slot.is_argument and self._domains.is_within(other.head, head) for head, slot in slots.items()
        )

    def _as_determiner(self, other: Phrase, slots: Slots, other_slots: Slots) -> str:
        """Condition 6, "his portrait of John"; and of predicates, "John is his friend"."""
        for noun, slot in slots.items():
            if slot is not Slot.DETERMINER:
                continue
            noun_slots = self._domains.slots(noun)
            if other_slots.get(noun) is Slot.SUBJECT or noun_slots.get(other.head) is Slot.SUBJECT:
                return "predication"
            is_complement = other_slots.get(noun) is Slot.COMPLEMENT
            if is_complement or (other.pronoun is None and self._domains.is_within(other.head, noun)):
                return "determiner"
        return ""

    def _within_itself(self, pronoun: Phrase, other: Phrase) -> bool:
        """Return whether a pronoun is part of the other phrase, without a clause in between."""
        if self._slots[pronoun.index].get(other.head) is Slot.DETERMINER:
            return True
        if not other.contains(pronoun):
            return False
        token, heads, base = pronoun.head, self._tree.heads, self._tree.base
        # A clause in between makes it a new domain: "the man who said he left".
        for _ in range(MAX_DEPTH):
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

    def _binds_into_noun(self, outer: Slots, inner: Slots) -> bool:
        """Binding conditions 4 and 5: into a noun that has no possessor, or as its possessor."""
        for noun, slot in inner.items():
            if slot > Slot.DETERMINER or (slot is Slot.COMPLEMENT and self._domains.owned(noun)):
                continue
            noun_slots = self._domains.slots(noun)
            # "They like each other's portraits" and "He likes portraits of himself".
            reaches = commands if slot is Slot.DETERMINER else argument_domain
            if reaches(outer, noun_slots) or adjunct_domain(noun_slots, outer):
                return True
        return False


def find_reflexive_antecedent(
    discourse: Discourse, binding: Binding, anaphor: Phrase, agreeing: Iterable[Phrase], *, subjects: bool = True
) -> Phrase | None:
    """The antecedent of a reflexive among the phrases of its sentence that agree with it.

    What it stresses (*the president himself*), else the nearest subject that binds it, else the
    nearest phrase that does, else the nearest phrase before it. ``agreeing`` has the nearest first;
    without ``subjects`` these have no precedence.
    """
    phrases = list(agreeing)
    binders = [phrase for phrase in phrases if binding.binds(phrase, anaphor)]
    governor = discourse.analysis.heads[anaphor.head]
    for phrase in binders:
        if phrase.head == governor and not phrase.coordination:
            return phrase
    preferred = [phrase for phrase in binders if subjects and phrase.function == "subject"]
    before = [phrase for phrase in phrases if phrase.end <= anaphor.start]
    return next(iter((*preferred, *binders, *before)), None)


class Domains:
    """The slots that noun phrase heads fill, for all governors of a document.

    Lappin & Leass (1994) take arguments, adjuncts and determiners from a slot grammar; here they
    are read off Universal Dependencies. Conjuncts and appositions take the slots of the word they
    depend on. Understood subjects count, as they do in a slot grammar: of conjoined verbs,
    infinitives, participles and, through the relative pronoun, of relative clauses.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._slots: dict[int, Slots] = {}
        self._subjects: dict[int, int] = {}
        self._objects: dict[int, int] = {}
        self._determined: set[int] = set()
        self._overt()
        # Governors come first, so the subject of a chain of clauses is handed down from the top.
        for token in tree.order:
            if tree.base[token] in _SUBJECTLESS and token not in self._subjects:
                subject = self._understood(token)
                if subject >= 0:
                    self._subjects[token] = subject
                    self._slots.setdefault(subject, {}).setdefault(token, Slot.SUBJECT)

    def slots(self, token: int) -> Slots:
        """Return the slots of a noun phrase head, or of its first conjunct."""
        return self._slots.get(self._anchor(token, _SHARING), _NO_SLOTS)

    def coordination(self, token: int) -> int:
        """The first conjunct of the coordination that a token is in, or itself."""
        return self._anchor(token, _CONJUNCT)

    def owned(self, noun: int) -> bool:
        """Whether a noun has a possessor."""
        return noun in self._determined

    def is_within(self, token: int, head: int) -> bool:
        """Whether a token depends on a head, directly or not; what is conjoined to it does not."""
        heads, base = self.tree.heads, self.tree.base
        for _ in range(MAX_DEPTH):
            governor = heads[token]
            if governor == head:
                return base[token] not in ("conj", "parataxis")
            if governor < 0:
                return False
            token = governor
        return False

    def _anchor(self, token: int, relations: frozenset[str]) -> int:
        heads, base = self.tree.heads, self.tree.base
        for _ in range(MAX_DEPTH):
            if base[token] not in relations or heads[token] < 0:
                break
            token = heads[token]
        return token

    def _overt(self) -> None:
        """Record the slots of overt words."""
        slots = {relation: slot_of(relation) for relation in set(self.tree.relations)}
        for token, relation in enumerate(self.tree.relations):
            slot, head = slots[relation], self.tree.heads[token]
            if slot is not None and head >= 0:
                self._note(token, head, slot)

    def _note(self, token: int, head: int, slot: Slot) -> None:
        stands_for = self._antecedent(token, head)
        self._slots.setdefault(stands_for, {}).setdefault(head, slot)
        if slot is Slot.SUBJECT:
            self._subjects.setdefault(head, stands_for)
        elif slot is Slot.OBJECT:
            self._objects.setdefault(head, stands_for)
        elif slot is Slot.DETERMINER:
            self._determined.add(head)

    def _antecedent(self, token: int, clause: int) -> int:
        """Return the noun that a relative pronoun refers to, or the token itself."""
        tree = self.tree
        is_relative = tree.analysis.xpos[token] in _RELATIVE_TAGS and tree.base[clause] == "acl"
        return tree.heads[clause] if is_relative else token

    def _understood(self, clause: int) -> int:
        """The subject of a clause that has none, once that of its governor is known; or -1."""
        governor, relation = self.tree.heads[clause], self.tree.base[clause]
        analysis = self.tree.analysis
        if relation == "acl":
            return governor if analysis.xpos[clause] in _PARTICIPLES else -1
        # *Persuade* is controlled by its object, *promise* by its subject.
        by_object = relation == "xcomp" and analysis.lemmas[governor] != "promise"
        if by_object and governor in self._objects:
            return self._objects[governor]
        return self._subjects.get(governor, -1)


def slot_of(relation: str) -> Slot | None:
    """The slot that a relation stands for.

    >>> slot_of("nsubj:pass"), slot_of("obl:tmod"), slot_of("amod")
    (<Slot.SUBJECT: 6>, <Slot.PREPOSITIONAL: 2>, None)
    """
    return _SLOT_BY_RELATION.get(relation) or _SLOT_BY_BASE_RELATION.get(relation.partition(":")[0])


def argument_domain(slots: Slots, others: Slots) -> bool:
    """Whether both are arguments of one head."""
    return any(slot.is_argument and head in others and others[head].is_argument for head, slot in slots.items())


def adjunct_domain(inner: Slots, outer: Slots) -> bool:
    """Whether the second is an argument of a head, the first in a prepositional phrase of it."""
    return any(slot is Slot.PREPOSITIONAL and head in outer and outer[head].is_argument for head, slot in inner.items())


def both_prepositional(slots: Slots, others: Slots) -> bool:
    """Whether both are in prepositional phrases of one head: "talked to Bill about himself"."""
    return any(slot is Slot.PREPOSITIONAL and others.get(head) is Slot.PREPOSITIONAL for head, slot in slots.items())


def noun_phrase_domain(inner: Slots, outer: Slots) -> bool:
    """Whether the second is the possessor and the first a complement of one noun."""
    return any(slot is Slot.COMPLEMENT and outer.get(noun) is Slot.DETERMINER for noun, slot in inner.items())


def commands(outer: Slots, inner: Slots) -> bool:
    """Whether both are arguments of one head, the first in the higher slot."""
    return any(
        slot >= Slot.PREPOSITIONAL and head in outer and outer[head].outranks(slot) for head, slot in inner.items()
    )
