"""MMAX2: a project of several files for each document.

``x.mmax`` names the words; levels of markables stand off from them. A span names words,
``word_3..word_5,word_9``; its ranges follow the order of the words file, not the numbers. Markables
of one set are one chain; a pointer to the antecedent joins a markable that is in no set; the rest
are singletons. A pointer to several antecedents is a split antecedent.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, Place, UsageError
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading
from corefbench.formats.common import xml
from corefbench.formats.common.spans import connected_components
from corefbench.formats.common.xml import local_name
from corefbench.formats.mmax.project import (
    EMPTY_VALUES,
    RESERVED_ATTRIBUTES,
    Level,
    Markable,
    Project,
    Role,
    attribute_roles,
    has_coreference,
    open_project,
    parse_span,
    read_markables,
)
from corefbench.formats.mmax.writer import write_project
from corefbench.formats.source import Source
from corefbench.records import Record

_SENTENCES = re.compile(r"s|sent(?:ence)?s?|utterances?|segments?", re.IGNORECASE)
_ROOT = re.compile(rb"<mmax_project[\s/>]")


class Mmax:
    """Reads and writes MMAX2 projects; ``level`` names the level that holds the coreference.

    >>> Mmax().recognises(b"<?xml version='1.0'?><mmax_project><words>a_words.xml</words>")
    0.95
    """

    card = FormatCard(
        name="mmax",
        title="MMAX2",
        description="A project of several files for each document; written as a folder only.",
        extensions=(".mmax",),
        writes=False,
        holds=DOCUMENTS | ANY_MENTIONS | {"discontinuous mentions", "minimal spans", "mention attributes"},
        cites=("mueller2006",),
    )

    def __init__(self, level: str = "") -> None:
        self.level = level

    def recognises(self, head: bytes) -> float:
        """Sure of a project file."""
        return 0.95 if _ROOT.search(head) else 0.0

    def documents_in(self, folder: Path) -> list[Path]:
        """The project files, sorted by name."""
        paths = (path for path in folder.rglob("*.mmax") if not path.name.startswith("._"))
        return sorted(path for path in paths if path.is_file())

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The document of a project file, or the documents of a folder, one at a time."""
        if source.path is not None and source.path.is_dir():
            for path in self.documents_in(source.path):
                yield from self.read(Source.of(path), reading)
            return
        project = open_project(source, reading)
        build = CorpusBuilder(source.stem, words=reading.words)
        add_document(build, project, self._level(project, source, reading), reading)
        yield build.finish()

    def _level(self, project: Project, source: Source, reading: Reading) -> Level | None:
        """The level asked for; else the one named after coreference; else any that says it."""
        levels = {level.name: level for level in project.levels}
        if self.level:
            if self.level not in levels:
                raise FormatError(
                    f"the project has no level {self.level!r}",
                    code="CB133",
                    place=Place(source=source.name),
                    expected="one of: " + ", ".join(levels),
                )
            return levels[self.level]
        for name in ("coref", "coreference", *(n for n in levels if "coref" in n.lower())):
            if name in levels:
                return levels[name]
        for level in project.levels:
            if has_coreference(level, reading):
                return level
        reading.warn(
            "CB133",
            "no level of the project holds coreference: only the words are read",
            Place(source=source.name),
            ", ".join(levels) or "no levels",
            "name the level",
        )
        return None

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Refused: a project does not fit into one stream."""
        raise UsageError(
            "an MMAX2 project is several files and cannot be written to one", remedy="write it into a folder"
        )

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """A project for each document, the common files once."""
        write_project(corpus, folder)


class Pointer(Record, frozen=True):
    """What one markable's attribute points to, as numbers of markables."""

    role: Role
    anaphor: int
    targets: tuple[int, ...]


class MentionBuilder:
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

    def _labels(self, pointers: Sequence[Pointer]) -> list[str]:
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

    def _pointers(self, number: int) -> Iterator[Pointer]:
        """The pointers of a markable; an antecedent in several pieces is a split antecedent."""
        markable = self.markables[number]
        for name, role in self.meaning.items():
            value = markable.values.get(name, "")
            if role not in ("antecedent", "bridging", "split") or value in EMPTY_VALUES:
                continue
            targets = tuple(self._targets(value, markable.place))
            if targets:
                several = role == "antecedent" and len(targets) > 1
                yield Pointer(role="split" if several else role, anaphor=number, targets=targets)

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
            if minimum and all(_within(part, markable.parts) for part in minimum):
                return minimum
            self.reading.warn(
                "CB114",
                "a minimal span lies outside its mention and is left out",
                markable.place,
                f"{value} of {markable.values['span']}",
            )
        return []

    def _columns(self, markable: Markable) -> dict[str, str]:
        return {
            key: value
            for key, value in markable.values.items()
            if key not in RESERVED_ATTRIBUTES and key not in self.meaning
        }


def _within(part: Span, parts: Sequence[Span]) -> bool:
    return any(start <= part[0] and part[1] <= end for start, end in parts)


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
        MentionBuilder(build, markables, meaning, level.name, positions, reading).add()


def _words(project: Project, reading: Reading) -> tuple[list[str], dict[str, int], dict[str, list[str]]]:
    """The words, where each identifier stands, and the further attributes of words."""
    source = Source.of(project.words)
    root = xml.read(source, reading, allow_doctype=True)
    elements = [element for element in root if local_name(element) == "word"]
    if local_name(root) != "words":
        raise FormatError(
            "the file is not a words file",
            code="CB132",
            place=xml.element_place(root, source.name, project.name),
            found=f"<{local_name(root)}>",
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
