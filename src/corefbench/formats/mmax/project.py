"""Files of an MMAX2 project, its markables and their attributes.

The scheme of a level declares attributes of type ``markable_set`` (equal values are one entity) and
``markable_pointer``; their names are up to the project, written in lower case in the data. Without
a scheme the values tell: ``set_12``, ``markable_34``, ``coref:markable_34;markable_35``.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from corefbench.corpus.builder import Span
from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.common import xml
from corefbench.formats.common.spans import merge_spans
from corefbench.formats.source import Source, is_valid_path
from corefbench.records import Record

_FOLDERS = {"basedata_path": "Basedata", "markable_path": "Markables", "scheme_path": "Schemes"}
_ABSOLUTE = re.compile(r"/|[A-Za-z]:|[A-Za-z][\w+.-]*://")

Role: TypeAlias = Literal["set", "antecedent", "bridging", "split", "minimum", "other pointer"]
EMPTY_VALUES = ("", "empty", "none")
"""Values of sets and pointers that name nothing."""
RESERVED_ATTRIBUTES = frozenset({"id", "span", "mmax_level", "bridging_relation"})
"""Attributes that every level has, or that say more about a pointer."""

_SET = re.compile(r"set_\w+")
_POINTER = re.compile(r"(?:\w+:)?markable_\w+(?:;(?:\w+:)?markable_\w+)*")
_WORDS = re.compile(r"word_\w+(?:\.\.word_\w+)?(?:,word_\w+(?:\.\.word_\w+)?)*")
_BRIDGING = re.compile(r"bridg|assoc|part|poss|relat")
_ANTECEDENT = re.compile(r"ante|coref|ident|anaph")
_MINIMUM = re.compile(r"min(?:imum|imal)?(?:_?(?:ids?|spans?))?")


class Level(Record, frozen=True):
    """A level that has a file."""

    name: str
    path: Path
    scheme: Path | None


class Project(Record, frozen=True):
    """One document."""

    name: str
    words: Path
    levels: tuple[Level, ...]


def open_project(source: Source, reading: Reading) -> Project:
    """Find the files of a project; levels that have none are left out, as MMAX2 does."""
    if source.path is None:
        raise FormatError(
            "an MMAX2 project is several files",
            code="CB130",
            place=Place(source=source.name),
            remedy="give the path of the .mmax file, or of the folder",
        )
    root = xml.read(source, reading, allow_doctype=True)
    words = root.findtext("words") or ""
    if root.tag != "mmax_project" or not words.strip():
        raise FormatError(
            "the file names no words file",
            code="CB132",
            place=Place(source=source.name, line=root.sourceline or 0),
            found=f"<{root.tag}>",
            expected="<mmax_project> … <words>x_words.xml</words>",
        )
    return _Finder(source, reading).project(root.get("name"), words)


class _Finder:
    """Looks for files within the folder of one project."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self.source, self.reading = source, reading
        self.base = source.stem
        self.folder = Path(source.name).parent
        self.paths = dict(_FOLDERS)
        self.levels: list[tuple[str, str, str]] = []
        common = self._find("common_paths.xml")
        if common is not None:
            self._read_common(common)

    def project(self, name: str | None, words: str) -> Project:
        path = self._find(self.paths["basedata_path"], words) or self._find(words)
        if path is None:
            raise FormatError(
                "the words file is not there",
                code="CB130",
                place=Place(source=self.source.name),
                found=words.strip(),
                expected=f"a file in {self.paths['basedata_path']}",
            )
        levels = self._declared() if self.levels else self._undeclared()
        return Project(name=self.base if name is None else name, words=path, levels=tuple(levels))

    def _read_common(self, path: Path) -> None:
        root = xml.read(Source.of(path), self.reading, allow_doctype=True)
        for key in self.paths:
            self.paths[key] = (root.findtext(key) or "").strip()
        for level in root.iter("level"):
            pattern = (level.text or "").strip().replace("$", self.base)
            self.levels.append((level.get("name", ""), pattern, level.get("schemefile", "")))

    def _declared(self) -> list[Level]:
        levels = []
        for name, file, scheme in self.levels:
            path = self._find(self.paths["markable_path"], file)
            if path is not None:
                rules = self._find(self.paths["scheme_path"], scheme) if scheme else None
                levels.append(Level(name=name, path=path, scheme=rules))
        return levels

    def _undeclared(self) -> list[Level]:
        """Without common paths: the files that are named like levels of this project."""
        name = re.compile(re.escape(self.base) + r"_(.+)_level\.xml")
        places = [self.folder, self._find(self.paths["markable_path"], directory=True)]
        return [
            Level(name=match[1], path=path, scheme=None)
            for place in places
            if place is not None
            for path in sorted(place.iterdir())
            if (match := name.fullmatch(path.name))
        ]

    def _find(self, *names: str, directory: bool = False) -> Path | None:
        """The file of that relative name, None where there is none."""
        text = "/".join(name.strip().replace("\\", "/") for name in names if name.strip())
        if _ABSOLUTE.match(text) or not is_valid_path(text):
            raise self._outside(text)
        path, pieces = str(self.folder), text.split("/")
        for piece in pieces:
            path = os.path.join(path, piece if piece in ("", ".", "..") else _find_entry(path, piece))
        exists = os.path.isdir(path) if directory else os.path.isfile(path)
        if (exists or ".." in pieces) and not self._is_inside(path):
            raise self._outside(text)
        return Path(path) if exists else None

    def _is_inside(self, path: str) -> bool:
        """Whether a path, its links followed, lies in the folder of the project."""
        home = os.path.realpath(self.folder)
        return os.path.commonpath([home, os.path.realpath(path)]) == home

    def _outside(self, text: str) -> FormatError:
        return FormatError(
            "the project names a file outside its folder",
            code="CB131",
            place=Place(source=self.source.name),
            found=text[:200],
            remedy="copy the files into the folder of the project, and name them relative to it",
        )


def _find_entry(folder: str, name: str) -> str:
    """The name of an entry; where there is none, of one that differs in case only."""
    if os.path.exists(os.path.join(folder, name)) or not os.path.isdir(folder):
        return name
    return _entries(folder, os.stat(folder).st_mtime_ns).get(name.casefold(), name)


@lru_cache(maxsize=64)
def _entries(folder: str, changed: int) -> dict[str, str]:
    """The entries of a folder by their names in one case, listed anew whenever it has changed."""
    return {name.casefold(): name for name in os.listdir(folder)}


class Markable(Record, frozen=True):
    """A markable whose span was found among the words."""

    id: str
    parts: list[Span]
    values: Mapping[str, str]
    place: Place


def read_markables(level: Level, positions: Mapping[str, int], document: str, reading: Reading) -> Iterator[Markable]:
    """The markables of a level that stand on words."""
    source = Source.of(level.path)
    root = xml.read(source, reading, allow_doctype=True)
    if xml.local_name(root) != "markables":
        raise FormatError(
            "the file is not a file of markables",
            code="CB132",
            place=xml.element_place(root, source.name, document),
            found=f"<{xml.local_name(root)}>",
            expected="<markables><markable id=… span=…>",
        )
    seen: set[str] = set()
    for element in root:
        values = {key.rpartition("}")[2]: value for key, value in element.items()}
        place = xml.element_place(element, source.name, document)
        name, span = values.get("id", ""), values.get("span", "")
        if not name or not span:
            reading.fault("CB125", "a markable has no id or no span", place, "", "left out")
        elif name in seen:
            reading.fault("CB126", "a markable's id occurs twice", place, name, "left out")
        elif parts := parse_span(span, positions):
            seen.add(name)
            yield Markable(id=name, parts=parts, values=values, place=place)
        else:
            reading.fault(
                "CB112",
                "a span names no words, or its end before its start",
                place,
                span,
                "left out",
                expected="word_3..word_5,word_9, of the words file and in its order",
            )


def parse_span(span: str, positions: Mapping[str, int]) -> list[Span]:
    """The parts of a span, none where one of its words does not exist.

    >>> parse_span("b..c,e", {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4})
    [(1, 3), (4, 5)]
    """
    parts: list[Span] = []
    for fragment in span.split(","):
        first, _, last = fragment.strip().partition("..")
        start = positions.get(first)
        end = positions.get(last or first)
        if start is None or end is None or end < start:
            return []
        parts.append((start, end + 1))
    return merge_spans(parts)


def attribute_roles(level: Level, markables: Sequence[Mapping[str, str]], reading: Reading) -> dict[str, Role]:
    """The attributes, by the names they have in the data, that are more than attributes."""
    kinds = _guess_types(markables)
    if level.scheme is not None:
        declared = _declared_types(level.scheme, reading)
        used = dict.fromkeys(name for markable in markables for name in markable)
        kinds |= {name: declared[name.lower()] for name in used if name.lower() in declared}
    return {name: role for name, kind in kinds.items() if (role := _role(name, kind)) is not None}


def has_coreference(level: Level, reading: Reading) -> bool:
    """Whether some markable of the level is in a set or points to an antecedent."""
    root = xml.read(Source.of(level.path), reading, allow_doctype=True)
    roles = attribute_roles(level, [dict(element.items()) for element in root], reading)
    return not {"set", "antecedent", "split"}.isdisjoint(roles.values())


def is_plain_attribute(name: str) -> bool:
    """Whether an attribute of free text under that name stays a plain attribute."""
    return name not in RESERVED_ATTRIBUTES and _role(name, "freetext") is None


def _declared_types(scheme: Path, reading: Reading) -> dict[str, str]:
    root = xml.read(Source.of(scheme), reading, allow_doctype=True)
    return {element.get("name", "").lower(): element.get("type", "").lower() for element in root.iter("attribute")}


def _guess_types(markables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The type that all values of an attribute fit."""
    shapes = {"markable_set": _SET, "markable_pointer": _POINTER, "words": _WORDS}
    fitting: dict[str, set[str]] = {}
    for markable in markables:
        for name, value in markable.items():
            if value not in EMPTY_VALUES and name not in RESERVED_ATTRIBUTES:
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
