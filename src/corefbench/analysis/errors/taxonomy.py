"""Errors, their classes in three taxonomies, and the filters that select them."""

from collections.abc import Callable, Collection
from typing import Literal, TypeAlias

from corefbench.analysis.errors.pair import Pair, SideName
from corefbench.analysis.errors.strata import STRATA, parse_stratum, sort_strata
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Columns, Record

Taxonomy: TypeAlias = Literal["decisions", "operations", "links"]
CLASSES: dict[Taxonomy, tuple[str, ...]] = {
    "decisions": ("false-new", "false-link", "wrong-link"),
    "operations": (
        "span-error",
        "conflated-entities",
        "extra-mention",
        "extra-entity",
        "divided-entity",
        "missing-mention",
        "missing-entity",
    ),
    "links": ("recall-error", "precision-error"),
}
"""The classes of every taxonomy, operations in the order in which they are applied."""
FilterValue: TypeAlias = str | Collection[str]
"""One value, or several."""
_ERROR_ATTRIBUTES = ("kind", "taxonomy", "antecedent")


class Passage(Record, frozen=True):
    """A mention in context. Sentences count from 1, spans are half-open within the document."""

    document: str
    sentence: int
    span: tuple[int, int]
    text: str
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.before, f"[{self.text}]", self.after)))


class Example(Record, frozen=True):
    """An error as text."""

    taxonomy: Taxonomy
    kind: str
    mention: Passage
    key: Passage | None = None
    """What the key has: the antecedent, the span, the rest of the entity."""
    response: Passage | None = None
    """What the response has in its place."""
    members: tuple[Passage, ...] = ()
    """All mentions of the error, where it is about several."""
    type: str = ""
    low_frequency: bool | None = None


class Error(Columns, frozen=True, eq=False):
    """One error: a view of the pair, whose text is only copied on demand."""

    pair: Pair
    taxonomy: Taxonomy
    kind: str
    """Its class."""
    side: SideName
    """The side that ``mention`` and ``members`` are of."""
    mention: int
    key: int = -1
    """A mention of the key: what is right."""
    response: int = -1
    """A mention of the response: what is wrong."""
    members: tuple[int, ...] = ()
    low_frequency: bool | None = None
    """Whether a related mention has a low-frequency word; None without training data."""

    def __repr__(self) -> str:
        return f"<Error {self.kind}: {self.text!r} in {self.document}>"

    @property
    def document(self) -> str:
        return self.stratum("document")

    @property
    def text(self) -> str:
        return self.pair.side(self.side).text(self.mention)

    def stratum(self, name: str) -> str:
        """Return the stratum of its mention; ``antecedent`` is the type of the other mention."""
        if name == "antecedent":
            if self.key >= 0:
                return self.pair.key.kinds.type[self.key]
            return self.pair.response.kinds.type[self.response] if self.response >= 0 else "none"
        return self.pair.side(self.side).strata[parse_stratum(name)][self.mention]

    def related(self) -> list[tuple[SideName, int]]:
        """Return the mention, the correct antecedent and the wrong one, as far as they exist."""
        related: list[tuple[SideName, int]] = [(self.side, self.mention)]
        related += [("key", self.key)] if self.key >= 0 else []
        return related + ([("response", self.response)] if self.response >= 0 else [])

    def example(self, width: int = 8) -> Example:
        """Return the error with ``width`` words of context on each side."""
        return Example(
            taxonomy=self.taxonomy,
            kind=self.kind,
            mention=self._passage(self.side, self.mention, width),
            key=self._passage("key", self.key, width) if self.key >= 0 else None,
            response=self._passage("response", self.response, width) if self.response >= 0 else None,
            members=tuple(self._passage(self.side, member, width) for member in self.members),
            type=self.stratum("type"),
            low_frequency=self.low_frequency,
        )

    def _passage(self, name: SideName, mention: int, width: int) -> Passage:
        """Return a mention with its context, which stays within the document."""
        side = self.pair.side(name)
        document = side.document[mention]
        start, end = side.token_span(mention)
        first, last = (int(side.tokens.offsets[d]) for d in (document, document + 1))
        return Passage(
            document=side.strata["document"][mention],
            sentence=side.sentence[mention] + 1,
            span=side.span(mention),
            text=side.text(mention),
            before=" ".join(side.words[max(first, start - width) : start]),
            after=" ".join(side.words[end : min(last, end + width)]),
        )


def parse_taxonomy(name: str) -> tuple[Taxonomy, ...]:
    """Return the taxonomies of a name, which may be that of their authors' program, or ``all``."""
    aliases = {"preco": "decisions", "kummerfeld": "operations", "cort": "links"}
    if name == "all":
        return tuple(CLASSES)
    for taxonomy in CLASSES:
        if taxonomy == aliases.get(name, name):
            return (taxonomy,)
    raise UnknownName("taxonomy", name, [*CLASSES, *aliases, "all"])


def parse_class(name: str) -> str:
    """Return the class of a name, which may be written with spaces or underscores."""
    normalized = name.strip().lower().replace(" ", "-").replace("_", "-")
    known = [kind for kinds in CLASSES.values() for kind in kinds]
    if normalized not in known:
        raise UnknownName("class of errors", name, known)
    return normalized


def select_taxonomies(name: str, kind: str | None) -> tuple[Taxonomy, ...]:
    """Return the taxonomies of a name, or the one that has the class."""
    named = parse_taxonomy(name)
    if kind is None:
        return named
    taxonomy_of_class = next(t for t, kinds in CLASSES.items() if parse_class(kind) in kinds)
    if taxonomy_of_class not in named:
        raise UsageError(f"{kind} is not a class of the taxonomy {name}", expected=", ".join(CLASSES[named[0]]))
    return (taxonomy_of_class,)


def is_error_filter(text: str) -> bool:
    """Whether ``NAME=VALUE,…`` names an attribute of errors, rather than one of the corpus.

    >>> [is_error_filter(text) for text in ("type=pronoun", "kind=false-link", "kind=event", "topic=36")]
    [True, True, False, False]
    """
    name, _, values = text.partition("=")
    if name == "kind":  # the class of an error, but also a column of ECB+
        return {*values.split(",")} <= {kind for kinds in CLASSES.values() for kind in kinds}
    try:
        attribute_getter(name)
    except UnknownName:
        return False
    return True


def parse_filters(kind: str | None, only: Collection[str], by: str | None) -> dict[str, FilterValue]:
    """Parse ``NAME=VALUE,…`` into arguments of ``filter``; raise for unknown names, ``by`` too."""
    if by:
        parse_stratum(by)
    wanted: dict[str, FilterValue] = {} if kind is None else {"kind": parse_class(kind)}
    for text in only:
        name, equals, values = text.partition("=")
        if not equals:
            raise UsageError(f"cannot select by {text!r}", expected="STRATUM=VALUE,…")
        attribute_getter(name)
        # Bins such as 3–5 are written with an en dash, but typed with a hyphen.
        wanted[name] = tuple(values.replace("-", "–").split(",")) + tuple(values.split(","))
    return wanted


def sort_values(name: str, values: Collection[str]) -> list[str]:
    """Sort values as tables list them."""
    if name in ("kind", "taxonomy"):
        order = [*CLASSES, *(kind for kinds in CLASSES.values() for kind in kinds)]
        return sorted(values, key=order.index)
    return sort_strata("type" if name == "antecedent" else parse_stratum(name), values)


def attribute_getter(name: str) -> Callable[[Error], str]:
    """Return a function from errors to their value of an attribute."""
    if name in ("kind", "taxonomy"):
        return lambda error: str(getattr(error, name))
    if name not in _ERROR_ATTRIBUTES:
        name = _parse_attribute(name)
    return lambda error: error.stratum(name)


def _parse_attribute(name: str) -> str:
    try:
        return parse_stratum(name)
    except UnknownName as error:
        raise UnknownName("attribute of errors", name, [*_ERROR_ATTRIBUTES, *STRATA]) from error


def value_filter(name: str, values: FilterValue) -> Callable[[Error], bool]:
    """Return a predicate: whether an error's value of the attribute is one of those wanted."""
    wanted = {values} if isinstance(values, str) else set(values)
    value = attribute_getter(name)
    return lambda error: value(error) in wanted
