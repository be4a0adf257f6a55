"""The slots that a noun phrase fills, and the domains of Lappin & Leass (1994, §2.1.1) over them.

A phrase has *places*: for every head that it depends on, overtly or not, the slot that it fills.
"""

from enum import IntEnum
from typing import TypeAlias


class Slot(IntEnum):
    """The slots of a verb from high to low, then those of a noun."""

    SUBJECT = 6
    AGENT = 5
    OBJECT = 4
    INDIRECT = 3
    PREPOSITIONAL = 2
    """In a prepositional phrase. The trees do not tell complements from adjuncts: both are this."""
    DETERMINER = 1
    """The possessor."""
    COMPLEMENT = 0
    """In a prepositional phrase that a noun governs."""

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of a verb beyond doubt."""
        return self >= Slot.INDIRECT

    def outranks(self, other: "Slot") -> bool:
        """Subject before agent before object before indirect object and prepositional object."""
        return self > max(other, Slot.INDIRECT)


Places: TypeAlias = dict[int, Slot]
"""For the governors of one token the slot it fills."""

_SLOTS = {
    "nsubj": Slot.SUBJECT,
    "nsubj:pass": Slot.SUBJECT,
    "obl:agent": Slot.AGENT,
    "obj": Slot.OBJECT,
    "iobj": Slot.INDIRECT,
    "nmod:poss": Slot.DETERMINER,
}
_SLOTS_OF_BASE = {"obl": Slot.PREPOSITIONAL, "nmod": Slot.COMPLEMENT}


def slot_of(relation: str) -> Slot | None:
    """The slot that a relation stands for.

    >>> slot_of("nsubj:pass"), slot_of("obl:tmod"), slot_of("amod")
    (<Slot.SUBJECT: 6>, <Slot.PREPOSITIONAL: 2>, None)
    """
    return _SLOTS.get(relation) or _SLOTS_OF_BASE.get(relation.partition(":")[0])


def argument_domain(one: Places, other: Places) -> bool:
    """Whether both are arguments of one head."""
    for head, slot in one.items():
        if slot.is_argument and head in other and other[head].is_argument:
            return True
    return False


def adjunct_domain(inner: Places, outer: Places) -> bool:
    """Whether the second is an argument of a head, the first in a prepositional phrase of it."""
    for head, slot in inner.items():
        if slot is Slot.PREPOSITIONAL and head in outer and outer[head].is_argument:
            return True
    return False


def both_prepositional(one: Places, other: Places) -> bool:
    """Whether both are in prepositional phrases of one head: "talked to Bill about himself"."""
    for head, slot in one.items():
        if slot is Slot.PREPOSITIONAL and other.get(head) is Slot.PREPOSITIONAL:
            return True
    return False


def noun_phrase_domain(inner: Places, outer: Places) -> bool:
    """Whether the second is the possessor and the first a complement of one noun."""
    for noun, slot in inner.items():
        if slot is Slot.COMPLEMENT and outer.get(noun) is Slot.DETERMINER:
            return True
    return False


def commands(outer: Places, inner: Places) -> bool:
    """Whether both are arguments of one head, the first in the higher slot."""
    for head, slot in inner.items():
        if slot >= Slot.PREPOSITIONAL and head in outer and outer[head].outranks(slot):
            return True
    return False
