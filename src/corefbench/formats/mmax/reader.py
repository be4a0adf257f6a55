"""Reader of MMAX2 projects: files, words, markables and what their attributes mean.

The scheme of a level declares attributes of type ``markable_set`` (equal values are one entity) and
``markable_pointer``; their names are up to the project, written in lower case in the data. Without
a scheme the values tell: ``set_12``, ``markable_34``, ``coref:markable_34;markable_35``.
"""

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.common import xml
from corefbench.formats.common.spans import Span, connected_components, merge_spans
from corefbench.formats.source import Source, is_valid_path
from corefbench.records import Record

_FOLDERS = {"basedata_path": "Basedata", "markable_path": "Markables", "scheme_path": "Schemes"}
_ABSOLUTE = re.compile(r"/|[A-Za-z]:|[A-Za-z][\w+.-]*://")

Role: TypeAlias = Literal["set", "antecedent", "bridging", "split", "minimum", "other pointer"]
EMPTY_VALUES = ("", "empty", "none")
"""Values of sets and pointers that name nothing."""
RESERVED_ATTRIBUTES = frozenset({"id", "span", "mmax_level", "bridging_relation"})
"""Attributes that every level has, or that say more about a pointer."""

_SENTENCES = re.compile(r"s|sent(?:ence)?s?|utterances?|segments?", re.IGNORECASE)
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
            self._read_common_paths(common)

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

    def _read_common_paths(self, path: Path) -> None:
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
        # Projects made on Windows name their files in another case than the disk has.
        for piece in pieces:
            path = os.path.join(path, piece if piece in ("", ".", "..") else _find_entry(path, piece))
        exists = os.path.isdir(path) if directory else os.path.isfile(path)
        # A project must not tell whether files outside its folder exist, let alone read them.
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


class _Pointer(Record, frozen=True):
    """What one markable's attribute points to, as numbers of markables."""

    role: Role
    anaphor: int
    targets: tuple[int, ...]


class _MentionBuilder:
    """The markables of a level on their way into a corpus."""

    def __init__(
        self,
        build: CorpusBuilder,
        markables: Sequence[Markable],
        meaning: Mapping[str, Role],
        level: str,
        positions: Mapping[str, int],
        reading: Reading,
    ) -> None:
        self.build, self.markables, self.meaning = build, markables, meaning
        self.level, self.positions, self.reading = level, positions, reading
        self.numbers = {markable.id: n for n, markable in enumerate(markables)}

    def add(self) -> None:
        """Mentions first, then what holds between them."""
        pointers = [p for n in range(len(self.markables)) for p in self._pointers(n)]
        labels = self._labels(pointers)
        mentions = [
            self.build.mention(label, markable.parts, minimum=self._minimum(markable), columns=self._columns(markable))
            for label, markable in zip(labels, self.markables, strict=True)
        ]
        for pointer in pointers:
            if pointer.role == "bridging":
                label = self.markables[pointer.anaphor].values.get("bridging_relation", "")
                for target in pointer.targets:
                    self.build.bridge(mentions[pointer.anaphor], mention=mentions[target], label=label)
            elif pointer.role == "split":
                plural = self.build.chain(labels[pointer.anaphor])
                for element in dict.fromkeys(labels[target] for target in pointer.targets):
                    self.build.split_antecedent(plural, self.build.chain(element))

    def _labels(self, pointers: Sequence[_Pointer]) -> list[str]:
        """The chain of each markable: the name of its set, or of its first markable."""
        sets = [self._set(markable) for markable in self.markables]
        first: dict[str, int] = {}
        links = [(first.setdefault(s, n), n) for n, s in enumerate(sets) if s]
        for pointer in pointers:
            if pointer.role == "antecedent" and not (sets[pointer.anaphor] and sets[pointer.targets[0]]):
                links.append((pointer.anaphor, pointer.targets[0]))
        chains = connected_components(len(sets), links)
        names: dict[int, str] = {}
        for chain, name in zip(chains, sets, strict=True):
            if name:
                names.setdefault(chain, name)
        return [names.setdefault(chain, markable.id) for chain, markable in zip(chains, self.markables, strict=True)]

    def _set(self, markable: Markable) -> str:
        for name, role in self.meaning.items():
            if role == "set" and markable.values.get(name, "") not in EMPTY_VALUES:
                return markable.values[name]
        return ""

    def _pointers(self, number: int) -> Iterator[_Pointer]:
        """The pointers of a markable; an antecedent in several pieces is a split antecedent."""
        markable = self.markables[number]
        for name, role in self.meaning.items():
            value = markable.values.get(name, "")
            if role not in ("antecedent", "bridging", "split") or value in EMPTY_VALUES:
                continue
            targets = tuple(self._targets(value, markable.place))
            if targets:
                several = role == "antecedent" and len(targets) > 1
                yield _Pointer(role="split" if several else role, anaphor=number, targets=targets)

    def _targets(self, value: str, place: Place) -> Iterator[int]:
        """The markables that are pointed to, those of other levels apart."""
        for target in value.split(";"):
            level, _, name = target.strip().rpartition(":")
            if level and level != self.level:
                continue
            if name in self.numbers:
                yield self.numbers[name]
            else:
                self.reading.fault("CB115", "a pointer names no markable", place, target, "left out")

    def _minimum(self, markable: Markable) -> list[Span]:
        """The minimal span, if it lies within the markable; some of NP4E's do not."""
        for name, role in self.meaning.items():
            value = markable.values.get(name, "")
            if role != "minimum" or value in EMPTY_VALUES:
                continue
            minimum = parse_span(value, self.positions)
            inside = (any(a <= start and end <= b for a, b in markable.parts) for start, end in minimum)
            if minimum and all(inside):
                return minimum
            self.reading.warn(
                "CB114",
                "a minimal span lies outside its mention and is left out",
                markable.place,
                f"{value} of {markable.values['span']}",
            )
        return []

    def _columns(self, markable: Markable) -> dict[str, str]:
        special = RESERVED_ATTRIBUTES | self.meaning.keys()
        return {key: value for key, value in markable.values.items() if key not in special}


def add_document(build: CorpusBuilder, project: Project, level: Level | None, reading: Reading) -> None:
    """Append the words, and the mentions and chains of the level."""
    build.begin_document(project.name)
    words, positions, columns = _words(project, reading)
    spans = _sentences(project, positions, len(words), reading)
    for start, end in spans:
        attributes = {key: values[start:end] for key, values in columns.items()}
        build.sentence(words[start:end], columns=attributes or None)
    if level is not None:
        unsorted = read_markables(level, positions, project.name, reading)
        # In order of appearance, by which chains are numbered.
        markables = sorted(unsorted, key=lambda m: (m.parts[0][0], -m.parts[-1][1]))
        meaning = attribute_roles(level, [m.values for m in markables], reading)
        _MentionBuilder(build, markables, meaning, level.name, positions, reading).add()


def _words(project: Project, reading: Reading) -> tuple[list[str], dict[str, int], dict[str, list[str]]]:
    """The words, where each identifier stands, and the further attributes of words."""
    source = Source.of(project.words)
    root = xml.read(source, reading, allow_doctype=True)
    elements = [element for element in root if xml.local_name(element) == "word"]
    if xml.local_name(root) != "words":
        raise FormatError(
            "the file is not a words file",
            code="CB132",
            place=xml.element_place(root, source.name, project.name),
            found=f"<{xml.local_name(root)}>",
            expected="<words><word id=…>",
        )
    positions: dict[str, int] = {}
    for number, element in enumerate(elements):
        word_id = element.get("id", "")
        if not word_id or word_id in positions:
            raise FormatError(
                "a word's id occurs twice" if word_id else "a word has no id",
                code="CB126" if word_id else "CB125",
                place=xml.element_place(element, source.name, project.name),
                found=word_id,
            )
        positions[word_id] = number
    keys = dict.fromkeys(key for element in elements for key in element.attrib if key != "id")
    columns = {key: [element.get(key, "") for element in elements] for key in keys}
    return [(element.text or "").strip() for element in elements], positions, columns


def _sentences(project: Project, positions: Mapping[str, int], count: int, reading: Reading) -> list[Span]:
    """The spans of the sentence level; words outside it are sentences too."""
    edges = {0, count}
    level = next((level for level in project.levels if _SENTENCES.fullmatch(level.name)), None)
    if level is not None:
        for markable in read_markables(level, positions, project.name, reading):
            edges |= {edge for part in markable.parts for edge in part}
    return list(itertools.pairwise(sorted(edges)))
