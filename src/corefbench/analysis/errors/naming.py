"""What users call taxonomies, classes and attributes of errors."""

from collections.abc import Callable, Collection
from typing import TypeAlias

from corefbench.analysis.errors.error import CLASSES, Error, Taxonomy
from corefbench.analysis.strata import STRATA, in_order, stratum_named
from corefbench.errors import UnknownName, UsageError

Wanted: TypeAlias = str | Collection[str]
"""One value, or several."""


def taxonomy_named(name: str) -> tuple[Taxonomy, ...]:
    """The taxonomies that a name stands for, under the names of their authors too."""
    others = {"preco": "decisions", "kummerfeld": "operations", "cort": "links"}
    if name == "all":
        return tuple(CLASSES)
    made = others.get(name, name)
    for taxonomy in CLASSES:
        if taxonomy == made:
            return (taxonomy,)
    raise UnknownName("taxonomy", name, [*CLASSES, *others, "all"])


def kind_named(name: str) -> str:
    """The class of that name, however it is spaced."""
    made = name.strip().lower().replace(" ", "-").replace("_", "-")
    known = [kind for kinds in CLASSES.values() for kind in kinds]
    if made not in known:
        raise UnknownName("class of errors", name, known)
    return made


def taxonomies_of(name: str, kind: str | None) -> tuple[Taxonomy, ...]:
    """The taxonomies to show: those named, or the one that a class is of."""
    named = taxonomy_named(name)
    if kind is None:
        return named
    own = next(t for t, kinds in CLASSES.items() if kind_named(kind) in kinds)
    if own not in named:
        raise UsageError(
            f"{kind} is no class of the taxonomy {name}", expected=", ".join(CLASSES[named[0]])
        )
    return (own,)


def only_such(kind: str | None, only: Collection[str], by: str | None) -> dict[str, Wanted]:
    """What ``filter`` takes, from ``NAME=VALUE,…``; unknown names are refused, ``by`` too."""
    if by:
        stratum_named(by)
    wanted: dict[str, Wanted] = {} if kind is None else {"kind": kind_named(kind)}
    for text in only:
        name, sign, values = text.partition("=")
        if not sign:
            raise UsageError(f"cannot select by {text!r}", expected="STRATUM=VALUE,…")
        value_named(name)
        wanted[name] = tuple(values.replace("-", "–").split(",")) + tuple(values.split(","))
    return wanted


_OWN = ("kind", "taxonomy", "antecedent")


def in_table_order(name: str, values: Collection[str]) -> list[str]:
    """The values in the order of their tables."""
    if name in ("kind", "taxonomy"):
        order = [*CLASSES, *(kind for kinds in CLASSES.values() for kind in kinds)]
        return sorted(values, key=order.index)
    return in_order("type" if name == "antecedent" else stratum_named(name), values)


def value_named(name: str) -> Callable[[Error], str]:
    """What an error's value of that name is."""
    if name in ("kind", "taxonomy"):
        return lambda error: str(getattr(error, name))
    if name not in _OWN:
        name = _known(name)
    return lambda error: error.stratum(name)


def _known(name: str) -> str:
    try:
        return stratum_named(name)
    except UnknownName as error:
        raise UnknownName("attribute of errors", name, [*_OWN, *STRATA]) from error


def is_among(name: str, values: Wanted) -> Callable[[Error], bool]:
    """Whether an error's value of that name is one of those wanted."""
    wanted = {values} if isinstance(values, str) else set(values)
    value = value_named(name)
    return lambda error: value(error) in wanted
