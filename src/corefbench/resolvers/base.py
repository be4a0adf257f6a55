"""Interface of resolvers: card, parameters and protocol."""

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol, get_args, get_origin, get_type_hints, runtime_checkable

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.records import Record
from corefbench.resolvers.resolution import Resolution


class Parameter(Record, frozen=True):
    """A parameter of a resolver, such as a decision that its paper leaves open."""

    name: str
    default: bool | int | float | str
    meaning: str
    decision: str = ""
    """Its number in the table of decisions, such as ``D2``."""
    signed: bool = True
    """Whether answers depend on it; a path, a device or a time limit is not in the signature."""


def make_parameters(*rows: tuple[str, str, bool | int | float | str, str]) -> tuple[Parameter, ...]:
    """Return the parameters of a table with decision, name, default and meaning."""
    return tuple(
        Parameter(decision=decision, name=name, default=default, meaning=meaning)
        for decision, name, default, meaning in rows
    )


class ResolverCard(Record, frozen=True):
    """Description of a resolver for help, documentation and web forms."""

    name: str
    title: str
    description: str
    resolves: Literal["pronouns", "chains"] = "pronouns"
    """Pronouns alone, or all noun phrases."""
    parameters: tuple[Parameter, ...] = ()
    cites: tuple[str, ...] = ()
    needs: str = ""
    """What must be installed beyond corefbench, and how."""
    preprocess: str = ""
    """The pre-processor that suffices on raw text; empty for the default."""


class Resolver(Protocol):
    """An algorithm. Its parameters are keyword arguments of its class, named as in its card.

    A resolver may be a ten-line class: it needs a card and ``resolve``. It keeps no state between
    documents, so documents may be resolved in any order and in parallel.
    """

    card: ResolverCard

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        ...


@runtime_checkable
class BatchResolver(Resolver, Protocol):
    """A resolver that is faster on several documents at a time."""

    def resolve_many(self, discourses: Iterable[Discourse]) -> Iterator[Resolution]:
        """Resolve documents in order, as a stream."""
        ...


def check_parameters(resolver: Record, **minimum: float) -> None:
    """Raise if a choice does not exist or a number is below its minimum.

    >>> class Guess(Record, frozen=True):
    ...     window: int = 4
    >>> check_parameters(Guess(window=0), window=1)
    Traceback (most recent call last):
    corefbench.errors.UsageError: CB002 the parameter window has an invalid value
      found: 0
      expected: a whole number from 1
    """
    hints = get_type_hints(type(resolver))
    for name in resolver.__struct_fields__:
        value, kind = getattr(resolver, name), hints[name]
        expected = _expected_value(value, kind, minimum.get(name, 0))
        if expected:
            raise UsageError(f"the parameter {name} has an invalid value", found=str(value), expected=expected)


def _expected_value(value: object, kind: object, minimum: float) -> str:
    """Return what was expected; empty if the value is valid."""
    if get_origin(kind) is Literal:
        return "" if value in get_args(kind) else " or ".join(map(str, get_args(kind)))
    if kind is bool:
        return "" if isinstance(value, bool) else "true or false"
    if kind is str:
        return "" if isinstance(value, str) else "text"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int and not isinstance(value, int):
        is_number = False
    if isinstance(value, int | float) and is_number and minimum <= value < float("inf"):
        return ""
    return f"a {'whole ' if kind is int else ''}number from {minimum:g}"
