"""Person, number and gender as bit masks: two phrases clash if their masks do not overlap.

Bit masks, because resolvers compare them by the thousand.
"""

from typing import Literal, TypeAlias

from corefbench.records import Record

FIRST, SECOND, THIRD = 1, 2, 4
SINGULAR, PLURAL = 1, 2
MASCULINE, FEMININE, NEUTER = 1, 2, 4

ANIMATE = MASCULINE | FEMININE
ANY_PERSON = FIRST | SECOND | THIRD
ANY_NUMBER = SINGULAR | PLURAL
ANY_GENDER = MASCULINE | FEMININE | NEUTER

Clash: TypeAlias = Literal["", "person", "number", "gender", "animacy"]


class Agreement(Record, frozen=True):
    """Agreement features of a phrase; a mask with several bits leaves the value open.

    Animacy is part of gender: he and she are animate, it is neuter; a person of unknown gender is
    ``ANIMATE``, an organisation ``NEUTER``.
    """

    person: int = THIRD
    number: int = ANY_NUMBER
    gender: int = ANY_GENDER

    def clash(self, other: "Agreement") -> Clash:
        """Return the first of person, number, animacy and gender that two phrases disagree in.

        >>> Agreement(number=PLURAL).clash(Agreement(number=SINGULAR))
        'number'
        >>> Agreement(gender=MASCULINE).clash(Agreement(gender=NEUTER))
        'animacy'
        >>> Agreement(gender=MASCULINE).clash(Agreement(gender=ANIMATE))
        ''
        """
        if not self.person & other.person:
            return "person"
        if not self.number & other.number:
            return "number"
        if self.gender & other.gender:
            return ""
        return "gender" if self.gender & ANIMATE and other.gender & ANIMATE else "animacy"
