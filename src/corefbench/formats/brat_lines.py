"""The lines of a brat annotation file, taken apart and checked against the text."""

import re
from array import array
from collections.abc import Iterator

import numpy as np

from corefbench.findings import Finding, Strictness
from corefbench.formats.bundle import Pair, numbered
from corefbench.formats.tokenise import Span
from corefbench.record import Columns, Longs

_MARK = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_RELATION = re.compile(r"(R\S*)\t(\S+) \S+?:(\S+) \S+?:(\S+)\s*")
_GROUP = re.compile(r"\*\t(\S+)((?: \S+)+)\s*")
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.*\S))?\s*")
_NORMALISATION = re.compile(r"N\S*\t(\S+) (\S+) (\S+)(?:\t(.*))?")
_NOTE = re.compile(r"#\S*\t(\S+) (\S+)(?:\t(.*))?")

# Most files are a run of plain mentions, then one of relations; runs are taken apart as a whole.
_PLAIN_MARKS = re.compile(r"(?:T\S*+\t\S++ [0-9]{1,15}+ [0-9]{1,15}+\t *+\S.*+\n)*+")
_PLAIN_RELATIONS = re.compile(r"(?:R\S*+\t\S++ [^\s:]++:\S++ [^\s:]++:\S++\n)*+")

ATTRIBUTE_NOTE = "Attribute"
"""The notes that hold what attributes cannot: ``name=value`` with blanks in it."""


class Relations(Columns, frozen=True, eq=False):
    """The relations of a file: their types, their first and their second arguments."""

    kinds: list[str]
    ones: list[str]
    others: list[str]

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        return zip(self.kinds, self.ones, self.others, strict=True)


class Annotation(Columns, frozen=True, eq=False):
    """What the lines of one file say, references resolved, mentions in opening order."""

    ids: list[str]
    types: list[str]
    begin: Longs
    end: Longs
    """Where mentions begin and end in the text, in characters: their hulls."""
    fragments: dict[str, list[Span]]
    """Of the mentions that have several, by id."""
    relations: Relations
    groups: list[tuple[str, list[str]]]
    attributes: dict[str, dict[str, str]]

    def places(self) -> list[tuple[Span, ...]]:
        """The character spans of the fragments of every mention."""
        hulls = zip(self.begin.tolist(), self.end.tolist(), strict=True)
        places: list[tuple[Span, ...]] = [(hull,) for hull in hulls]
        if self.fragments:
            for row, mark in enumerate(self.ids):
                places[row] = tuple(self.fragments.get(mark, places[row]))
        return places

    def edges(self) -> Longs:
        """The characters at which a token must break."""
        inner = [edge for parts in self.fragments.values() for part in parts for edge in part]
        return np.concatenate((self.begin, self.end, np.array(inner, np.int64)))


def read_lines(
    pair: Pair, text: str, strictness: Strictness, identity: frozenset[str]
) -> Annotation:
    """Take the lines apart: first the mentions, then what refers to them, in any order.

    A reference to nothing is a fault where it would make a chain (``identity`` has the types, in
    small letters); elsewhere, as once in LitBank, it is only reported.
    """
    rest: list[tuple[int, str]] = []
    reader = _Reader(pair, text, strictness, identity)
    script = pair.script()
    for number, line in numbered(script, reader.plain_lines(script)):
        if line[0] == "T":
            reader.mark(number, line)
        else:
            rest.append((number, line))
    for number, line in rest:
        reader.reference(number, line)
    return reader.annotation()


class _Reader:
    def __init__(
        self, pair: Pair, text: str, strictness: Strictness, identity: frozenset[str]
    ) -> None:
        self.pair = pair
        self.identity = identity
        self.text = text
        self.strictness = strictness
        self.marks: dict[str, str] = {}  # the type of every mention …
        self.begin: list[int] = []  # … and its hull
        self.end: list[int] = []
        self.fragments: dict[str, list[Span]] = {}
        self.relations = Relations(kinds=[], ones=[], others=[])
        self.groups: list[tuple[str, list[str]]] = []
        self.attributes: dict[str, dict[str, str]] = {}

    def annotation(self) -> Annotation:
        ids, types = list(self.marks), list(self.marks.values())
        # An array of an array takes less time than one of a list.
        begin, end = np.asarray(array("q", self.begin)), np.asarray(array("q", self.end))
        later = np.diff(begin)
        if not ((later > 0) | ((later == 0) & (np.diff(end) <= 0))).all():
            order = np.lexsort((-end, begin))
            begin, end = begin[order], end[order]
            ids = [ids[row] for row in order.tolist()]
            types = [types[row] for row in order.tolist()]
        return Annotation(
            ids=ids,
            types=types,
            begin=begin,
            end=end,
            fragments=self.fragments,
            relations=self.relations,
            groups=self.groups,
            attributes=self.attributes,
        )

    def plain_lines(self, script: str) -> int:
        """Take the mentions, then the relations, that the file begins with, if they are without
        fault; the place where the other lines begin."""
        marks = _PLAIN_MARKS.match(script)
        if marks is None or not self.plain_marks(marks[0]):
            return 0
        relations = _PLAIN_RELATIONS.match(script, marks.end())
        if relations is None or not self.plain_relations(relations[0]):
            return marks.end()
        return relations.end()

    def plain_relations(self, lines: str) -> bool:
        if lines.count(":") != 2 * lines.count("\n"):  # an id has one
            return False
        cells = lines.replace(":", " ").split()
        kinds, ones, others = cells[1::6], cells[3::6], cells[5::6]
        if not self.marks.keys() >= {*ones, *others}:
            return False
        self.relations = Relations(kinds=kinds, ones=ones, others=others)
        return True

    def plain_marks(self, lines: str) -> bool:
        if "\r" in lines or lines.count("\t") != 2 * lines.count("\n"):
            return False
        cells = lines.replace("\n", "\t").split("\t")
        ids, middle, said = cells[0:-1:3], cells[1::3], cells[2::3]
        words = " ".join(middle).split(" ")
        begin, end = list(map(int, words[1::3])), list(map(int, words[2::3]))
        marks = dict(zip(ids, words[0::3], strict=False))
        there = [self.text[a:b] for a, b in zip(begin, end, strict=True)]
        good = there == said and len(marks) == len(ids)
        if not good or max(end, default=0) > len(self.text):
            return False
        self.marks, self.begin, self.end = marks, begin, end
        return True

    def fault(self, code: str, message: str, line: int, found: str, repair: str) -> None:
        place = self.pair.place(line)
        self.strictness.fault(code, message, place=place, found=found[:80], repair=repair)

    def mark(self, number: int, line: str) -> None:
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
            self.marks[match[1]] = match[2]
            self.begin.append(parts[0][0])
            self.end.append(parts[-1][1])
            if len(parts) > 1:
                self.fragments[match[1]] = parts

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
                self.relations.kinds.append(match[2])
                self.relations.ones.append(match[3])
                self.relations.others.append(match[4])
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
