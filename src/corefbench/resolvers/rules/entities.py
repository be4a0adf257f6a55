"""The entities of a discourse as it is read: phrases in classes, with their merged agreement.

They are kept by agreement, the last mentioned at the end, so that the entities that a pronoun may
refer to are found without going through the whole text.
"""

from collections.abc import Iterator
from heapq import merge
from typing import TypeAlias

from corefbench.language.agreement import Agreement
from corefbench.preprocess.phrase import Phrase

_Masks: TypeAlias = tuple[int, int, int]


class Entity:
    """Phrases that refer to one thing, in text order."""

    __slots__ = ("agreement", "mentions")

    def __init__(self, phrase: Phrase) -> None:
        self.agreement = phrase.agreement
        self.mentions = [phrase]

    @property
    def latest(self) -> Phrase:
        """The last mention."""
        return self.mentions[-1]

    @property
    def masks(self) -> _Masks:
        """What it is kept by."""
        return self.agreement.person, self.agreement.number, self.agreement.gender

    def latest_in(self, start: int, end: int) -> Phrase | None:
        """The last mention that lies in a span of tokens."""
        for phrase in reversed(self.mentions):
            if phrase.start < start:
                return None
            if phrase.end <= end:
                return phrase
        return None

    def mentions_since(self, sentence: int) -> int:
        """How many mentions there are from a sentence on."""
        count = 0
        for phrase in reversed(self.mentions):
            if phrase.sentence < sentence:
                break
            count += 1
        return count


class Entities:
    """The entities of the part of a text that has been read."""

    def __init__(self) -> None:
        self._of: dict[int, Entity] = {}
        self._kept: dict[_Masks, dict[int, Entity]] = {}

    def of(self, phrase: Phrase) -> Entity | None:
        """The entity of a phrase that has been read."""
        return self._of.get(phrase.index)

    def add(self, phrase: Phrase, entity: Entity | None = None) -> None:
        """Read a phrase: as a mention of an entity, or of a new one."""
        if entity is None:
            entity = Entity(phrase)
        else:
            self._remove(entity)
            entity.agreement = both(entity.agreement, phrase.agreement)
            entity.mentions.append(phrase)
        self._of[phrase.index] = entity
        self._kept.setdefault(entity.masks, {})[id(entity)] = entity

    def describe(self, phrase: Phrase, entity: Entity) -> None:
        """Read an apposition or predicate: it tells of an entity and is no further mention."""
        place = self._kept[entity.masks]
        agreement = both(entity.agreement, phrase.agreement)
        if agreement != entity.agreement:
            del place[id(entity)]
            entity.agreement = agreement
            self._insert(entity)
        self._of[phrase.index] = entity

    def possible(self, agreement: Agreement) -> Iterator[Entity]:
        """The entities that do not clash with an agreement, the last mentioned first."""
        person, number, gender = agreement.person, agreement.number, agreement.gender
        rows = [
            reversed(row.values())
            for masks, row in self._kept.items()
            if row and masks[0] & person and masks[1] & number and masks[2] & gender
        ]
        return rows[0] if len(rows) == 1 else merge(*rows, key=lambda one: -one.latest.index)

    def _remove(self, entity: Entity) -> None:
        del self._kept[entity.masks][id(entity)]

    def _insert(self, entity: Entity) -> None:
        """Keep an entity at its place by recency; most often that is the end."""
        row = self._kept.setdefault(entity.masks, {})
        later = []
        while row:
            key = next(reversed(row))
            if row[key].latest.index < entity.latest.index:
                break
            later.append(row.pop(key))
        for one in (entity, *reversed(later)):
            row[id(one)] = one


def both(one: Agreement, other: Agreement) -> Agreement:
    """What two mentions of an entity say together; where they clash, what the first says.

    >>> both(Agreement(number=3, gender=3), Agreement(number=1, gender=7))
    Agreement(person=4, number=1, gender=3)
    """
    if one == other:
        return one
    return Agreement(
        person=one.person & other.person or one.person,
        number=one.number & other.number or one.number,
        gender=one.gender & other.gender or one.gender,
    )
