"""What the attributes of an MMAX2 level mean: sets, pointers, or plain attributes.

The scheme of a level declares attributes of type ``markable_set`` (equal values are one entity) and
``markable_pointer``; their names are up to the project, written in lower case in the data. Without
a scheme the values tell: ``set_12``, ``markable_34``, ``coref:markable_34;markable_35``.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.mmax_project import Level
from corefbench.formats.source import Source

Role: TypeAlias = Literal["set", "antecedent", "bridging", "split", "minimum", "other pointer"]

NONE = ("", "empty", "none")
"""Values of sets and pointers that name nothing."""
FIXED = frozenset({"id", "span", "mmax_level"})

_SET = re.compile(r"set_\w+")
_POINTER = re.compile(r"(?:\w+:)?markable_\w+(?:;(?:\w+:)?markable_\w+)*")
_WORDS = re.compile(r"word_\w+(?:\.\.word_\w+)?(?:,word_\w+(?:\.\.word_\w+)?)*")
_BRIDGING = re.compile(r"bridg|assoc|part|poss|relat")
_ANTECEDENT = re.compile(r"ante|coref|ident|anaph")


def roles(level: Level, markables: Iterable[Mapping[str, str]], reading: Reading) -> dict[str, Role]:
    """The attributes that are more than attributes."""
    if level.scheme is not None:
        kinds = _declared(level, reading)
    else:
        kinds = _guessed(markables)
    return {name: role for name, kind in kinds.items() if (role := _role(name, kind)) is not None}


def _declared(level: Level, reading: Reading) -> dict[str, str]:
    """Name and type as the scheme has them; minimal spans are free text by type."""
    if level.scheme is None:
        return {}
    root = xml.read(Source.of(level.scheme), reading, allow_doctype=True)
    return {
        element.get("name", "").lower(): element.get("type", "").lower()
        for element in root.iter("attribute")
    }


def _guessed(markables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The type that all values of an attribute fit."""
    shapes = {"markable_set": _SET, "markable_pointer": _POINTER, "words": _WORDS}
    fitting: dict[str, set[str]] = {}
    for markable in markables:
        for name, value in markable.items():
            if value not in NONE and name not in FIXED:
                left = fitting.setdefault(name, set(shapes))
                left -= {kind for kind in left if not shapes[kind].fullmatch(value)}
    return {name: min(kinds) for name, kinds in fitting.items() if kinds}


def _role(name: str, kind: str) -> Role | None:
    """The role of an attribute, by type and, where the type leaves it open, by name.

    >>> _role("dir_antecedent", "markable_pointer"), _role("bridging_antecedent", "markable_pointer")
    ('antecedent', 'bridging')
    """
    if kind == "markable_set":
        return None if _BRIDGING.search(name) else "set"
    if kind == "markable_pointer":
        if "split" in name:
            return "split"
        if _BRIDGING.search(name):
            return "bridging"
        return "antecedent" if _ANTECEDENT.search(name) else "other pointer"
    return "minimum" if name.startswith("min") and name != "min_words" else None
