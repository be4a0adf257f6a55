"""The lines of a brat annotation file, taken apart and checked against the text."""

import re
from typing import TypeAlias

from corefbench.findings import Finding, Strictness
from corefbench.formats.bundle import Pair
from corefbench.formats.tokenise import Span
from corefbench.record import Record

Relation: TypeAlias = tuple[str, str, str]
"""Type, first argument, second argument."""

_MARK = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_PLAIN_MARK = re.compile(r"(T\S*)\t(\S+) (\d{1,15}) (\d{1,15})\t(.*)")
_RELATION = re.compile(r"(R\S*)\t(\S+) \S+?:(\S+) \S+?:(\S+)\s*")
_GROUP = re.compile(r"\*\t(\S+)((?: \S+)+)\s*")
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.*\S))?\s*")
_NORMALISATION = re.compile(r"N\S*\t(\S+) (\S+) (\S+)(?:\t(.*))?")
_NOTE = re.compile(r"#\S*\t(\S+) (\S+)(?:\t(.*))?")

ATTRIBUTE_NOTE = "Attribute"
"""The notes that hold what attributes cannot: ``name=value`` with blanks in it."""


class Mark(Record, frozen=True):
    """A T line: its id, its type and the character spans of its fragments."""

    id: str
    type: str
    parts: list[Span]


class Annotation(Record, frozen=True):
    """What the lines of one file say, references resolved, mentions in opening order."""

    marks: list[Mark]
    relations: list[Relation]
    groups: list[tuple[str, list[str]]]
    attributes: dict[str, dict[str, str]]


def read_lines(
    pair: Pair, text: str, strictness: Strictness, identity: frozenset[str]
) -> Annotation:
    """Take the lines apart: first the mentions, then what refers to them, in any order.

    A reference to nothing is a fault where it would make a chain (``identity`` has the types, in
    small letters); elsewhere, as once in LitBank, it is only reported.
    """
    rest: list[tuple[int, str]] = []
    reader = _Reader(pair, text, strictness, identity)
    for number, line in pair.lines():
        if line[0] == "T":
            reader.mark(number, line)
        else:
            rest.append((number, line))
    for number, line in rest:
        reader.reference(number, line)
    return Annotation(
        marks=sorted(reader.marks.values(), key=lambda m: (m.parts[0][0], -m.parts[-1][1])),
        relations=reader.relations,
        groups=reader.groups,
        attributes=reader.attributes,
    )


class _Reader:
    def __init__(
        self, pair: Pair, text: str, strictness: Strictness, identity: frozenset[str]
    ) -> None:
        self.pair = pair
        self.identity = identity
        self.text = text
        self.strictness = strictness
        self.marks: dict[str, Mark] = {}
        self.relations: list[Relation] = []
        self.groups: list[tuple[str, list[str]]] = []
        self.attributes: dict[str, dict[str, str]] = {}

    def fault(self, code: str, message: str, line: int, found: str, repair: str) -> None:
        place = self.pair.place(line)
        self.strictness.fault(code, message, place=place, found=found[:80], repair=repair)

    def mark(self, number: int, line: str) -> None:
        if self.plain_mark(line):
            return
        match = _MARK.fullmatch(line)
        if match is None:
            self.malformed(number, line)
            return
        fragments = [fragment.split(" ") for fragment in match[3].split(";")]
        parts = [(int(start[:15]), int(end[:15])) for start, end in fragments]
        if match[1] in self.marks:
            self.fault("CB126", "an id occurs twice", number, match[1], "line left out")
        elif not all(a < b <= len(self.text) and self.text[a:b].strip() for a, b in parts):
            message = "a span lies outside the text or is empty"
            self.fault("CB112", message, number, match[3], "mention left out")
        else:
            self.check_text(number, match[4], parts)
            self.marks[match[1]] = Mark(id=match[1], type=match[2], parts=parts)

    def plain_mark(self, line: str) -> bool:
        """Take a mention of one fragment and without fault: nearly all are so, and soon done."""
        match = _PLAIN_MARK.fullmatch(line)
        if match is None:
            return False
        name, kind, begin, end, said = match.groups()
        start, past = int(begin), int(end)
        good = start < past <= len(self.text) and self.text[start:past] == said
        if not good or said.isspace() or name in self.marks:
            return False
        self.marks[name] = Mark(id=name, type=kind, parts=[(start, past)])
        return True

    def check_text(self, number: int, said: str | None, parts: list[Span]) -> None:
        """Fragments are printed with blanks between them, line breaks as blanks."""
        there = " ".join(self.text[start:end] for start, end in parts)
        if said is not None and said.split() != there.split():
            message = f"the text at the span is {there[:40]!r}"
            self.fault("CB142", message, number, said, "the offsets are trusted")

    def reference(self, number: int, line: str) -> None:
        kind = line[0]
        if kind == "R" and (match := _RELATION.fullmatch(line)):
            if self.known(number, line, match[2], match[3], match[4]):
                self.relations.append((match[2], match[3], match[4]))
        elif kind == "*" and (match := _GROUP.fullmatch(line)):
            ids = match[2].split()
            if self.known(number, line, match[1], *ids):
                self.groups.append((match[1], ids))
        elif kind in "AM" and (match := _ATTRIBUTE.fullmatch(line)):
            self.attribute(number, line, match[2], match[1], match[3] or "true")
        elif kind == "N" and (match := _NORMALISATION.fullmatch(line)):
            value = f"{match[3]} {match[4] or ''}".rstrip()
            self.attribute(number, line, match[2], f"normalisation:{match[1]}", value)
        elif kind == "#":
            self.note(number, line)
        elif kind != "E":  # events have no place in a corpus of mentions
            self.malformed(number, line)

    def note(self, number: int, line: str) -> None:
        match = _NOTE.fullmatch(line)
        if match is None or match[2] not in self.marks:
            return  # a remark on a relation, an attribute, or nothing at all
        name, equals, value = (match[3] or "").partition("=")
        if match[1] == ATTRIBUTE_NOTE and equals:
            self.attribute(number, line, match[2], name, value)
        else:
            self.attribute(number, line, match[2], f"note:{match[1]}", match[3] or "")

    def attribute(self, number: int, line: str, mark: str, name: str, value: str) -> None:
        if mark[:1] in "ER":
            return  # of an event or a relation
        if self.known(number, line, name, mark):
            self.attributes.setdefault(mark, {})[name] = value

    def known(self, number: int, line: str, kind: str, *ids: str) -> bool:
        if all(mark in self.marks for mark in ids):
            return True
        message = "a reference points to nothing"
        if kind.lower() in self.identity:
            self.fault("CB115", message, number, line, "line left out")
        elif not any(mark[:1] == "E" for mark in ids):
            self.strictness.report(
                Finding(
                    code="CB115",
                    severity="warning",
                    message=message,
                    place=self.pair.place(number),
                    found=line[:80],
                    remedy="line left out",
                )
            )
        return False

    def malformed(self, number: int, line: str) -> None:
        message = "the line has the wrong shape"
        self.fault("CB141", message, number, line, "line left out")
