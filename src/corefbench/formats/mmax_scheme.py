"""What the attributes of an MMAX2 level mean: sets, pointers, or plain attributes.

The scheme of a level declares attributes of type ``markable_set`` (equal values are one entity) and
``markable_pointer``; their names are up to the project, written in lower case in the data. Without
a scheme the values tell: ``set_12``, ``markable_34``, ``coref:markable_34;markable_35``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.mmax_project import Level
from corefbench.formats.source import Source

Role: TypeAlias = Literal["set", "antecedent", "bridging", "split", "minimum", "other pointer"]

NONE = ("", "empty", "none")
"""Values of sets and pointers that name nothing."""
FIXED = frozenset({"id", "span", "mmax_level", "bridging_relation"})
"""Attributes that every level has, or that say more about a pointer."""

_SET = re.compile(r"set_\w+")
_POINTER = re.compile(r"(?:\w+:)?markable_\w+(?:;(?:\w+:)?markable_\w+)*")
_WORDS = re.compile(r"word_\w+(?:\.\.word_\w+)?(?:,word_\w+(?:\.\.word_\w+)?)*")
_BRIDGING = re.compile(r"bridg|assoc|part|poss|relat")
_ANTECEDENT = re.compile(r"ante|coref|ident|anaph")
_MINIMUM = re.compile(r"min(?:imum|imal)?(?:_?(?:ids?|spans?))?")


def roles(
    level: Level, markables: Sequence[Mapping[str, str]], reading: Reading
) -> dict[str, Role]:
    """The attributes, by the names they have in the data, that are more than attributes."""
    kinds = _guessed(markables)
    if level.scheme is not None:
        declared = _declared(level.scheme, reading)
        used = dict.fromkeys(name for markable in markables for name in markable)
        kinds |= {name: declared[name.lower()] for name in used if name.lower() in declared}
    return {name: role for name, kind in kinds.items() if (role := _role(name, kind)) is not None}


def says_coreference(level: Level, reading: Reading) -> bool:
    """Whether some markable of the level is in a set or points to an antecedent."""
    root = xml.read(Source.of(level.path), reading, allow_doctype=True)
    found = roles(level, [dict(element.items()) for element in root], reading)
    return not {"set", "antecedent", "split"}.isdisjoint(found.values())


def is_plain(name: str) -> bool:
    """Whether an attribute of free text under that name stays a plain attribute."""
    return name not in FIXED and _role(name, "freetext") is None


def _declared(scheme: Path, reading: Reading) -> dict[str, str]:
    root = xml.read(Source.of(scheme), reading, allow_doctype=True)
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

    >>> [_role(name, "markable_pointer") for name in ("dir_antecedent", "bridging_antecedent")]
    ['antecedent', 'bridging']
    """
    name = name.lower()
    if kind == "markable_set":
        return None if _BRIDGING.search(name) else "set"
    if kind == "markable_pointer":
        if "split" in name:
            return "split"
        if _BRIDGING.search(name):
            return "bridging"
        return "antecedent" if _ANTECEDENT.search(name) else "other pointer"
    return "minimum" if _MINIMUM.fullmatch(name) and kind in ("words", "freetext") else None
