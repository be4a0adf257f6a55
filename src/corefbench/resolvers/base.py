"""What every resolver is: a card, and a function from a discourse to a resolution."""

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol, runtime_checkable

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
    signed: bool = True
    """Whether answers depend on it: a path, a device or a time limit is not in the signature."""


class ResolverCard(Record, frozen=True):
    """What is said about a resolver in help, documentation and web forms."""

    name: str
    title: str
    description: str
    resolves: Literal["pronouns", "chains"] = "pronouns"
    """Pronouns alone, or all noun phrases."""
    parameters: tuple[Parameter, ...] = ()
    cites: tuple[str, ...] = ()
    needs: str = ""
    """What has to be there that corefbench does not bring, and how to get it."""
    preprocess: str = ""
    """The pre-processor that is enough for it on raw text; empty for the usual one."""


class Resolver(Protocol):
    """An algorithm. Its parameters are keyword arguments of its class, named as in its card.

    A resolver may be a ten-line class: what it must have is a card and ``resolve``. It keeps
    nothing between documents, so documents may be resolved in any order and in parallel.
    """

    card: ResolverCard

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        ...


@runtime_checkable
class BatchResolver(Resolver, Protocol):
    """A resolver that is faster on several documents at a time."""

    def resolve_many(self, discourses: Iterable[Discourse]) -> Iterator[Resolution]:
        """Resolve documents in their order, without waiting for the last of them."""
        ...
