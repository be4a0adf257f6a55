"""CogNIAC (Baldwin 1997): rules of high precision, tried in order, that pass on what is ambiguous.

Pronouns are resolved from left to right. What is read is kept as entities: resolved pronouns join
that of their antecedent, names that of a matching name, appositions and predicates that of what
they describe. A pronoun that no rule resolves is left alone and is an entity of its own.
"""

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.base import ResolverCard
from corefbench.resolvers.resolution import Resolution
from corefbench.resolvers.rules.cogniac_reading import Reading
from corefbench.resolvers.rules.cogniac_rules import HIGH_PRECISION, MUC6, RESOLVE_ALL
from corefbench.resolvers.rules.cogniac_settings import PARAMETERS, Settings, checked


class CogNIAC:
    """Rules 1 to 6: high precision, and no answer where the rules see an ambiguity."""

    card = ResolverCard(
        name="cogniac",
        title="CogNIAC",
        description="Ordered rules of high precision that leave ambiguous pronouns unresolved.",
        parameters=PARAMETERS,
        cites=("baldwin1997",),
    )
    rules = HIGH_PRECISION
    quotations = False
    """Whether speakers are excluded inside what they are quoted with."""

    def __init__(
        self,
        *,
        count: str = "entities",
        descriptions: bool = True,
        unresolved: str = "entity",
        reflexives: str = "continue",
        possessives: str = "tokens",
        paragraphs: bool = True,
        subjects: str = "inside",
        window: int = 0,
    ) -> None:
        self.count = count
        self.descriptions = descriptions
        self.unresolved = unresolved
        self.reflexives = reflexives
        self.possessives = possessives
        self.paragraphs = paragraphs
        self.subjects = subjects
        self.window = window
        chosen = {one.name: getattr(self, one.name) for one in self.card.parameters}
        self.settings = checked(Settings(**chosen))

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        reading = Reading(discourse, self.rules, self.settings, self.quotations)
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(reading.decisions()),
            links=tuple(reading.links),
        )


class CogNIACRobust(CogNIAC):
    """Rules 1 to 8, "resolve all": an answer wherever there is a possible antecedent."""

    card = ResolverCard(
        name="cogniac-robust",
        title="CogNIAC, resolve-all",
        description="CogNIAC with the two rules that resolve ambiguous pronouns as well.",
        parameters=PARAMETERS,
        cites=("baldwin1997",),
    )
    rules = RESOLVE_ALL


class CogNIACMuc6(CogNIAC):
    """The variant of MUC-6: looks further back for what is unique, minds quotations.

    Rules 4, 7 and 8 are off; the subject of a pronoun's own clause is its last resort.
    """

    card = ResolverCard(
        name="cogniac-muc6",
        title="CogNIAC for MUC-6",
        description="CogNIAC as entered in MUC-6, for newspaper text.",
        parameters=PARAMETERS,
        cites=("baldwin1997", "baldwin1995"),
    )
    rules = MUC6
    quotations = True
