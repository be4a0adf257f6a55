"""What every resolver is: a card, and a function from a discourse to a resolution."""

from typing import Literal, Protocol

from corefbench.preprocess.discourse import Discourse
from corefbench.record import Record
from corefbench.resolvers.resolution import Resolution


class Parameter(Record, frozen=True):
    """A choice that a resolver leaves open: a decision that its paper did not make."""

    name: str
    default: bool | int | float | str
    meaning: str
    decision: str = ""
    """Its number in the table of decisions, such as ``D2``."""


class ResolverCard(Record, frozen=True):
    """What is said about a resolver in help, documentation and web forms."""

    name: str
    title: str
    description: str
    resolves: Literal["pronouns", "chains"] = "pronouns"
    """Pronouns alone, or all noun phrases."""
    parameters: tuple[Parameter, ...] = ()
    cites: tuple[str, ...] = ()


class Resolver(Protocol):
    """An algorithm. Its parameters are keyword arguments of its class, named as in its card.

    A resolver may be a ten-line class: what it must have is a card and ``resolve``. It keeps
    nothing between documents, so documents may be resolved in any order and in parallel.
    """

    card: ResolverCard

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        ...
