"""What Baldwin (1997) leaves open about CogNIAC, and how it is decided here."""

from corefbench.errors import UsageError
from corefbench.record import Record
from corefbench.resolvers.base import Parameter

PARAMETERS = (
    Parameter(
        name="count",
        default="entities",
        meaning="what must be unique: entities, or mentions as in some later systems",
        decision="E1",
    ),
    Parameter(
        name="descriptions",
        default=True,
        meaning="whether appositions and predicates count with what they describe",
        decision="E1",
    ),
    Parameter(
        name="unresolved",
        default="entity",
        meaning="whether an unresolved pronoun is an entity of its own, or ignored",
        decision="E1",
    ),
    Parameter(
        name="reflexives",
        default="continue",
        meaning="whether a reflexive without antecedent in its sentence may continue, or stops",
        decision="E2",
    ),
    Parameter(
        name="possessives",
        default="tokens",
        meaning="what rule 4 counts in the prior sentence: tokens or entities",
        decision="E3",
    ),
    Parameter(
        name="paragraphs",
        default=True,
        meaning="whether the prior sentence may be in another paragraph",
        decision="E4",
    ),
    Parameter(
        name="subjects",
        default="inside",
        meaning="whether rule 6 looks at all phrases inside the subject or at the whole only",
        decision="E5",
    ),
    Parameter(
        name="window",
        default=0,
        meaning="how many sentences rule 8 looks back; 0: to the beginning of the text",
        decision="E6",
    ),
)
_CHOICES = {
    "count": ("entities", "mentions"),
    "unresolved": ("entity", "ignored"),
    "reflexives": ("continue", "stop"),
    "possessives": ("tokens", "entities"),
    "subjects": ("inside", "whole"),
}


class Settings(Record, frozen=True):
    """What the paper leaves open, by the numbers of the decisions."""

    count: str = "entities"
    """E1: what must be unique, ``entities`` or ``mentions``."""
    descriptions: bool = True
    """E1: appositions and predicates count with what they describe."""
    unresolved: str = "entity"
    """E1: an unresolved pronoun is an ``entity`` of its own, or ``ignored``."""
    reflexives: str = "continue"
    """E2: a reflexive without antecedent in its sentence goes on to rules 3 to 8, or ``stop``."""
    possessives: str = "tokens"
    """E3: what rule 4 counts in the prior sentence, ``tokens`` or ``entities``."""
    paragraphs: bool = True
    """E4: the prior sentence may be in another paragraph."""
    subjects: str = "inside"
    """E5: rule 6 looks at all phrases ``inside`` the subject, or at the ``whole`` only."""
    window: int = 0
    """E6: how many sentences rule 8 looks back; 0: to the beginning."""


def checked(settings: Settings) -> Settings:
    """The settings, if they make sense."""
    if settings.window < 0:
        raise UsageError(
            "a window cannot be negative", found=str(settings.window), expected="0 or more"
        )
    for name, allowed in _CHOICES.items():
        if getattr(settings, name) not in allowed:
            raise UsageError(
                f"CogNIAC knows no such choice of {name}",
                found=str(getattr(settings, name)),
                expected=" or ".join(allowed),
            )
    return settings
