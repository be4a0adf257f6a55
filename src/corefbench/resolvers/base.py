"""Interface of resolvers: cards, declared parameters, and the records of their answers."""

from collections.abc import Iterable, Iterator
from inspect import Parameter as Argument
from inspect import Signature
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from msgspec.structs import replace

from corefbench.diagnostics import Finding
from corefbench.display import as_html
from corefbench.errors import UsageError
from corefbench.formats.common.spans import connected_components
from corefbench.preprocess.discourse import Discourse
from corefbench.records import Record

Value: TypeAlias = bool | int | float | str
T = TypeVar("T", bound=Value)


class Parameter(Record, frozen=True):
    """A parameter of a resolver, such as a decision that its paper leaves open."""

    name: str
    default: Value
    meaning: str
    decision: str = ""
    """Its number in the table of decisions, such as ``D2``."""
    signed: bool = True
    """Whether answers depend on it; a path, a device or a time limit is not in the signature."""


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


Dropped: TypeAlias = Literal["", "person", "number", "gender", "animacy", "binding", "other"]
"""Why a candidate was dropped; empty if it was not. The first four are the agreement filter;
``binding`` is any syntactic restriction (co-arguments, containment, command)."""

AGREEMENT: frozenset[Dropped] = frozenset({"person", "number", "gender", "animacy"})


class Candidate(Record, frozen=True, gc=False):
    """A phrase that was considered as antecedent of one anaphor."""

    phrase: int
    dropped: Dropped = ""
    score: float | None = None
    factors: tuple[tuple[str, float], ...] = ()
    """The parts of the score by name: indicator scores, salience factors and adjustments."""

    @property
    def agrees(self) -> bool:
        """Whether it passed the agreement filter."""
        return self.dropped not in AGREEMENT


class Decision(Record, frozen=True, gc=False):
    """How one anaphor was resolved."""

    anaphor: int
    antecedent: int | None
    """A phrase, or None if the anaphor is unresolved."""
    candidates: tuple[Candidate, ...] = ()
    """All phrases of the resolver's window, the dropped ones too, in text order."""
    rule: str = ""
    """The rule or reason that decided: ``unique in discourse``, ``highest salience`` …"""
    confidence: float | None = None
    """From 0 to 1, if the resolver has one."""


class Resolution(Record, frozen=True):
    """The answer of one resolver for one document."""

    resolver: str
    """The signature: name and parameters."""
    discourse: Discourse
    decisions: tuple[Decision, ...]
    """One for every anaphor it looked at, in text order."""
    links: tuple[tuple[int, int], ...] = ()
    """Further pairs of coreferent phrases, such as names that match."""
    mentions: tuple[int, ...] | None = None
    """The phrases that are mentions of the answer; None: those in chains of two and more."""
    findings: tuple[Finding, ...] = ()
    """Diagnostics of the answer, such as mentions that could not be aligned."""

    def _repr_html_(self) -> str:
        return as_html(self)

    def chains(self) -> list[list[int]]:
        """Return the phrases of each chain; with ``mentions``, singletons too."""
        decided = ((d.anaphor, d.antecedent) for d in self.decisions if d.antecedent is not None)
        groups: dict[int, list[int]] = {}
        for phrase, chain in enumerate(connected_components(len(self.discourse.phrases), (*decided, *self.links))):
            groups.setdefault(chain, []).append(phrase)
        if self.mentions is None:
            return [group for group in groups.values() if len(group) > 1]
        chosen = set(self.mentions)
        chains = ([phrase for phrase in group if phrase in chosen] for group in groups.values())
        return [group for group in chains if group]


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


def signature(resolver: Resolver) -> str:
    """Return the signature of a resolver: its name and the parameters that differ from the default."""
    card = resolver.card
    changed = [
        f"{parameter.name}={str(value).lower() if isinstance(value, bool) else value}"
        for parameter in card.parameters
        if parameter.signed and (value := getattr(resolver, parameter.name)) != parameter.default
    ]
    return f"{card.name}({','.join(changed)})" if changed else card.name


class _Declaration(Record, Generic[T], frozen=True):
    """A parameter in the body of a class."""

    decision: str
    default: T
    meaning: str
    choices: tuple[T, ...] = ()
    minimum: float = 0

    @property
    def annotation(self) -> Any:
        return Literal[self.choices] if self.choices else type(self.default)

    def expected(self, value: object) -> str:
        """Return what was expected; empty if the value is valid."""
        if self.choices:
            return "" if value in self.choices else " or ".join(map(str, self.choices))
        if isinstance(self.default, bool):
            return "" if isinstance(value, bool) else "true or false"
        if isinstance(self.default, str):
            return "" if isinstance(value, str) else "text"
        is_whole = isinstance(self.default, int)
        is_number = isinstance(value, int if is_whole else int | float) and not isinstance(value, bool)
        if is_number and self.minimum <= cast(float, value) < float("inf"):
            return ""
        return f"a {'whole ' if is_whole else ''}number from {self.minimum:g}"


# Like ``dataclasses.field``, these claim to return the value that instances will have, so that type
# checkers know the attribute.


def parameter(decision: str, default: T, meaning: str, *, minimum: float = 0) -> T:
    """Declare a parameter; ``decision`` is its number in the table of decisions."""
    return cast(T, _Declaration(decision=decision, default=default, meaning=meaning, minimum=minimum))


def choice(decision: str, choices: tuple[T, ...], meaning: str) -> T:
    """Declare a parameter with a few valid values, of which the first is the default."""
    return cast(T, _Declaration(decision=decision, default=choices[0], meaning=meaning, choices=choices))


class RuleResolver:
    """Base class of resolvers that declare their parameters in the class body.

    The declarations make the parameters of the card, the keyword arguments and the attributes.

    >>> class Guess(RuleResolver):
    ...     card = ResolverCard(name="guess", title="Guess", description="A guess.")
    ...     window = parameter("", 4, "how many sentences to look back", minimum=1)
    >>> Guess.card.parameters[0].default, Guess(window=2).window
    (4, 2)
    >>> Guess(window=0)
    Traceback (most recent call last):
    corefbench.errors.UsageError: CB002 the parameter window has an invalid value
      found: 0
      expected: a whole number from 1
    """

    card: ResolverCard
    __signature__: ClassVar[Signature]
    _declared: ClassVar[dict[str, _Declaration[Any]]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, _Declaration)}
        cls._declared = declared = {**cls._declared, **own}
        cls.card = replace(
            cls.card,
            parameters=tuple(
                Parameter(name=name, default=row.default, meaning=row.meaning, decision=row.decision)
                for name, row in declared.items()
            ),
        )
        cls.__signature__ = Signature(
            [
                Argument(name, Argument.KEYWORD_ONLY, default=row.default, annotation=row.annotation)
                for name, row in declared.items()
            ]
        )

    def __init__(self, **values: Value) -> None:
        self.__signature__.bind(**values)
        for name, row in self._declared.items():
            value = values.get(name, row.default)
            expected = row.expected(value)
            if expected:
                raise UsageError(f"the parameter {name} has an invalid value", found=str(value), expected=expected)
            setattr(self, name, value)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        return self.resolution(discourse, self.decisions(discourse))

    def decisions(self, discourse: Discourse) -> Iterable[Decision]:
        """Yield one decision per anaphor of a document."""
        raise NotImplementedError

    def resolution(
        self,
        discourse: Discourse,
        decisions: Iterable[Decision],
        *,
        links: Iterable[tuple[int, int]] = (),
        mentions: Iterable[int] | None = None,
    ) -> Resolution:
        """Return decisions as the answer of this resolver."""
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(decisions),
            links=tuple(links),
            mentions=None if mentions is None else tuple(mentions),
        )
