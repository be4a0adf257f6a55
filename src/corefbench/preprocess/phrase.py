"""A noun phrase as the resolvers see it: span, head, kind, agreement and syntactic place."""

from typing import Literal, TypeAlias

from corefbench.language.agreement import Agreement
from corefbench.language.pronouns import Pronoun
from corefbench.record import Record

Kind: TypeAlias = Literal["pronoun", "name", "nominal"]

Function: TypeAlias = Literal[
    "subject", "existential", "possessive", "object", "indirect", "oblique", "other"
]
"""Grammatical function. Of a conjunct: that of the first. ``existential`` is the notional subject
of *there is*; ``oblique`` any nominal with a preposition; ``possessive`` one in nmod:poss."""

Definiteness: TypeAlias = Literal["definite", "indefinite", "neither"]
"""By article, demonstrative or possessive; names and pronouns are ``neither``."""


class Phrase(Record, frozen=True):
    """A noun phrase, or in annotated mode a mention of the key."""

    index: int
    """Its place in ``Discourse.phrases``."""
    start: int
    end: int
    """The whole phrase, with what follows its head; half-open token span."""
    core: tuple[int, int]
    """The base noun phrase: determiner, modifiers and head, without complements."""
    head: int
    """The token that the rest depends on."""
    sentence: int
    kind: Kind
    pronoun: Pronoun | None
    """The row of the pronoun table, for pronouns of any person."""
    agreement: Agreement
    function: Function
    embedded: bool
    """EMBED: inside another noun phrase, by a preposition or a clause (not as a possessor)."""
    adjunct: bool
    """ADJUNCT: inside an adverbial that opens its clause or is set off by a comma."""
    prepositional: bool
    """Whether a preposition introduces it."""
    definiteness: Definiteness
    clause: int
    """The innermost clause, a place in ``Discourse.clauses``."""
    parent: int = -1
    """The smallest phrase that properly contains it, -1 for none."""
    coordination: bool = False
    """Whether it is a whole coordination, which has its conjuncts as phrases of their own."""
    pleonastic: bool = False
    """Whether it is an *it* that refers to nothing."""
    entity: str = ""
    """The entity type of its head (person, organization, place …), where one is known."""

    @property
    def anaphoric(self) -> bool:
        """Whether the classic systems try to resolve it: third person, referring, definite."""
        return self.pronoun is not None and self.pronoun.is_anaphor and not self.pleonastic
