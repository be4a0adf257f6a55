"""One MMAX2 document: from words and markables to sentences, mentions and chains."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from corefbench.errors import FormatError, Place
from corefbench.findings import Finding
from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.layout import merged
from corefbench.formats.links import components
from corefbench.formats.mmax_project import Level, Project
from corefbench.formats.mmax_scheme import FIXED, NONE, Role, roles
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.record import Record

_SENTENCES = re.compile(r"sent|utterance|segment", re.IGNORECASE)


class Markable(Record, frozen=True):
    """A markable whose span was found among the words."""

    id: str
    parts: list[Span]
    values: Mapping[str, str]
    place: Place


class Pointer(Record, frozen=True):
    """What one markable's attribute points to, as numbers of markables."""

    role: Role
    anaphor: int
    targets: tuple[int, ...]


def add_document(
    build: CorpusBuilder, project: Project, level: Level | None, reading: Reading
) -> None:
    """Append the words, and the mentions and chains of the level."""
    build.begin_document(project.name)
    words, positions, columns = _words(project, reading)
    spans = _sentences(project, positions, len(words), reading)
    for start, end in spans:
        some = {key: values[start:end] for key, values in columns.items()}
        build.sentence(words[start:end], columns=some or None)
    if level is not None:
        markables = list(_markables(level, positions, project.name, reading))
        meaning = roles(level, [m.values for m in markables], reading)
        _Mentions(build, markables, meaning, level.name, reading).add()


def _words(
    project: Project, reading: Reading
) -> tuple[list[str], dict[str, int], dict[str, list[str]]]:
    """The words, where each identifier stands, and the further attributes of words."""
    source = Source.of(project.words)
    root = xml.read(source, reading, allow_doctype=True)
    elements = [element for element in root if _local(element) == "word"]
    if _local(root) != "words":
        raise FormatError(
            "the file is not a words file",
            code="CB132",
            place=xml.place(root, source.name, project.name),
            found=f"<{_local(root)}>",
            expected="<words><word id=…>",
        )
    positions: dict[str, int] = {}
    for number, element in enumerate(elements):
        word_id = element.get("id", "")
        if not word_id or word_id in positions:
            raise FormatError(
                "a word's id occurs twice" if word_id else "a word has no id",
                code="CB126" if word_id else "CB125",
                place=xml.place(element, source.name, project.name),
                found=word_id,
            )
        positions[word_id] = number
    keys = dict.fromkeys(key for element in elements for key in element.keys() if key != "id")
    columns = {key: [element.get(key, "") for element in elements] for key in keys}
    return [(element.text or "").strip() for element in elements], positions, columns


def _sentences(
    project: Project, positions: Mapping[str, int], count: int, reading: Reading
) -> list[Span]:
    """The spans of the sentence level; words outside it are sentences too."""
    edges = {0, count}
    level = next((level for level in project.levels if _SENTENCES.search(level.name)), None)
    if level is not None:
        for markable in _markables(level, positions, project.name, reading):
            edges |= {edge for part in markable.parts for edge in part}
    return list(itertools.pairwise(sorted(edges)))


def _markables(
    level: Level, positions: Mapping[str, int], document: str, reading: Reading
) -> Iterator[Markable]:
    """The markables of a level that stand on words."""
    source = Source.of(level.path)
    root = xml.read(source, reading, allow_doctype=True)
    if _local(root) != "markables":
        raise FormatError(
            "the file is not a file of markables",
            code="CB132",
            place=xml.place(root, source.name, document),
            found=f"<{_local(root)}>",
            expected="<markables><markable id=… span=…>",
        )
    seen: set[str] = set()
    for element in root:
        values = {key.rpartition("}")[2]: value for key, value in element.items()}
        place = xml.place(element, source.name, document)
        name, span = values.get("id", ""), values.get("span", "")
        if not name or not span:
            reading.strictness.fault(
                "CB125", "a markable has no id or no span", place=place, repair="left out"
            )
        elif name in seen:
            reading.strictness.fault(
                "CB126", "a markable's id occurs twice", place=place, found=name, repair="left out"
            )
        elif parts := _parts(span, positions):
            seen.add(name)
            yield Markable(id=name, parts=parts, values=values, place=place)
        else:
            reading.strictness.fault(
                "CB112",
                "a span names no words, or its end before its start",
                place=place,
                found=span,
                expected="word_3..word_5,word_9, of the words file and in its order",
                repair="left out",
            )


def _parts(span: str, positions: Mapping[str, int]) -> list[Span]:
    """The parts of a span, none where one of its words does not exist.

    >>> _parts("b..c,e", {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4})
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
    return merged(parts)


class _Mentions:
    """The markables of a level on their way into a corpus."""

    def __init__(
        self,
        build: CorpusBuilder,
        markables: Sequence[Markable],
        meaning: Mapping[str, Role],
        level: str,
        reading: Reading,
    ) -> None:
        self.build, self.markables, self.meaning = build, markables, meaning
        self.level, self.reading = level, reading
        self.numbers = {markable.id: n for n, markable in enumerate(markables)}

    def add(self) -> None:
        """Mentions first, then what holds between them."""
        pointers = [p for n in range(len(self.markables)) for p in self._pointers(n)]
        labels = self._labels(pointers)
        mentions = [
            self.build.mention(
                label,
                markable.parts,
                minimum=self._minimum(markable),
                columns=self._columns(markable),
            )
            for label, markable in zip(labels, self.markables, strict=True)
        ]
        for pointer in pointers:
            if pointer.role == "bridging":
                label = self.markables[pointer.anaphor].values.get("bridging_relation", "")
                for target in pointer.targets:
                    self.build.bridge(
                        mentions[pointer.anaphor], mention=mentions[target], label=label
                    )
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
            if pointer.role == "antecedent" and not (
                sets[pointer.anaphor] and sets[pointer.targets[0]]
            ):
                links.append((pointer.anaphor, pointer.targets[0]))
        chains = components(len(sets), links)
        names: dict[int, str] = {}
        for chain, name in zip(chains, sets, strict=True):
            if name:
                names.setdefault(chain, name)
        return [
            names.setdefault(chain, markable.id)
            for chain, markable in zip(chains, self.markables, strict=True)
        ]

    def _set(self, markable: Markable) -> str:
        for name, role in self.meaning.items():
            if role == "set" and markable.values.get(name, "") not in NONE:
                return markable.values[name]
        return ""

    def _pointers(self, number: int) -> Iterator[Pointer]:
        """The pointers of a markable; an antecedent in several pieces is a split antecedent."""
        markable = self.markables[number]
        for name, role in self.meaning.items():
            value = markable.values.get(name, "")
            if role not in ("antecedent", "bridging", "split") or value in NONE:
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
                self.reading.strictness.fault(
                    "CB115", "a pointer names no markable", place=place, found=target, repair="left out"
                )

    def _minimum(self, markable: Markable) -> list[Span]:
        """The minimal span, if it lies within the markable; some of NP4E's do not."""
        for name, role in self.meaning.items():
            value = markable.values.get(name, "")
            if role == "minimum" and value not in NONE:
                ...
        return []

    def _columns(self, markable: Markable) -> dict[str, str]:
        return {
            key: value
            for key, value in markable.values.items()
            if key not in FIXED and key not in self.meaning
        }


def _local(element: xml.Element) -> str:
    """The name of an element without its namespace: each level has one of its own."""
    return str(element.tag).rpartition("}")[2]
