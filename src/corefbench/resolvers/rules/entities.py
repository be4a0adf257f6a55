"""The entities of a discourse as it is read: phrases in classes, with their merged agreement.

Entities are indexed by agreement, the last mentioned at the end, so that the entities that a
pronoun may refer to are found without scanning the whole text.
"""

from collections.abc import Iterator
from heapq import merge
from typing import TypeAlias

from corefbench.preprocess.discourse import Phrase
from corefbench.preprocess.english.agreement import Agreement

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
        """The agreement by which it is indexed."""
        return self.agreement.person, self.agreement.number, self.agreement.gender

    def mentions_since(self, sentence: int) -> int:
        """Return the number of mentions from a sentence on."""
        count = 0
        for phrase in reversed(self.mentions):
            if phrase.sentence < sentence:
                break
            count += 1
        return count


class Entities:
    """The entities of the text read so far."""

    def __init__(self) -> None:
        self._of: dict[int, Entity] = {}
        self._kept: dict[_Masks, dict[int, Entity]] = {}

    def of(self, phrase: Phrase) -> Entity | None:
        """Return the entity of a phrase that has been read."""
        return self._of.get(phrase.index)

    def add(self, phrase: Phrase, entity: Entity | None = None) -> None:
        """Add a phrase as a mention of an entity, or of a new one."""
        if entity is None:
            entity = Entity(phrase)
        else:
            self._remove(entity)
            entity.agreement = merge_agreement(entity.agreement, phrase.agreement)
            entity.mentions.append(phrase)
        self._of[phrase.index] = entity
        self._kept.setdefault(entity.masks, {})[id(entity)] = entity

    def describe(self, phrase: Phrase, entity: Entity) -> None:
        """Add an apposition or predicate, which describes an entity but is no further mention."""
        row = self._kept[entity.masks]
        agreement = merge_agreement(entity.agreement, phrase.agreement)
        if agreement != entity.agreement:
            del row[id(entity)]
            entity.agreement = agreement
            self._insert(entity)
        self._of[phrase.index] = entity

    def possible(self, agreement: Agreement) -> Iterator[Entity]:
        """Yield the entities that do not clash with an agreement, the last mentioned first."""
        person, number, gender = agreement.person, agreement.number, agreement.gender
        # There are few different masks, and within each the entities are sorted by recency, so that
        # a merge of the matching rows yields the latest entity first.
        rows = [
            reversed(row.values())
            for masks, row in self._kept.items()
            if row and masks[0] & person and masks[1] & number and masks[2] & gender
        ]
        return rows[0] if len(rows) == 1 else merge(*rows, key=lambda entity: -entity.latest.index)

    def _remove(self, entity: Entity) -> None:
        del self._kept[entity.masks][id(entity)]

    def _insert(self, entity: Entity) -> None:
        """Insert an entity at its place by recency; most often that is the end."""
        row = self._kept.setdefault(entity.masks, {})
        later = []
        while row:
            key = next(reversed(row))
            if row[key].latest.index < entity.latest.index:
                break
            later.append(row.pop(key))
        for moved in (entity, *reversed(later)):
            row[id(moved)] = moved


def merge_agreement(first: Agreement, second: Agreement) -> Agreement:
    """Merge the agreement of two mentions; where they clash, the first wins.

    >>> merge_agreement(Agreement(number=3, gender=3), Agreement(number=1, gender=7))
    Agreement(person=4, number=1, gender=3)
    """
    if first == second:
        return first
    return Agreement(
        person=first.person & second.person or first.person,
        number=first.number & second.number or first.number,
        gender=first.gender & second.gender or first.gender,
    )
