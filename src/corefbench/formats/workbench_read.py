"""Reads workbench XML, well-formed or as the paper prints it."""

import re

import numpy as np

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.links import add_linked
from corefbench.formats.markup import Places, Tag, decoded, tags
from corefbench.formats.source import Source
from corefbench.formats.workbench_write import KNOWN
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus


class WorkbenchReader:
    """Goes through the tags; nesting decides what is a sentence, not the numbers."""

    def __init__(self, raw: str, source: Source, reading: Reading) -> None:
        self.raw, self.source, self.reading = raw, source, reading
        self.places = Places(raw, source.name)
        self.build = CorpusBuilder(source.stem, words=reading.words)
        self.by_tags = re.search(r"(?i)<s[\s>]", raw) is not None
        self.inside: Tag | None = None
        self.written: list[str] = []
        self.open = False
        self.clear()

    def clear(self) -> None:
        """Nothing is known of the next document."""
        self.words: list[str] = []
        self.attributes: list[Tag] = []
        self.sentences: list[tuple[int, int]] = []
        self.start = self.opened = 0
        self.stacks: dict[str, list[tuple[Tag, int, int]]] = {"COREF": [], "NP": []}
        self.mentions: list[tuple[int, Tag, int, int]] = []
        self.phrases: list[tuple[int, int]] = []

    def fault(self, code: str, message: str, tag: Tag, repair: str) -> None:
        self.reading.strictness.fault(
            code,
            message,
            place=self.places.at(tag.begin),
            found=self.raw[tag.begin : tag.end][:80],
            repair=repair,
        )

    def corpus(self) -> Corpus:
        position = 0
        for tag in tags(self.raw):
            self.take(position, tag.begin)
            position = tag.end
            self.hear(tag)
        self.take(position, len(self.raw))
        self.end()
        if not self.build.position and not self.build.document_count:
            raise FormatError(
                "the file has no words",
                code="CB101",
                place=Place(source=self.source.name),
                expected="<w …>word</w>",
                remedy="name another format with --input-format",
            )
        return self.build.finish()

    def take(self, begin: int, end: int) -> None:
        if self.inside is not None:
            self.written.append(self.raw[begin:end])
        elif begin < end and not self.raw[begin:end].isspace():
            stray = Tag("", False, False, {}, begin, end)
            self.fault("CB108", "text stands outside every word", stray, "text left out")

    def hear(self, tag: Tag) -> None:
        if tag.name == "W":
            self.word(tag)
        elif tag.name in self.stacks:
            self.bracket(tag)
        elif tag.name in ("S", "P"):
            self.close_sentence()
        elif tag.name == "TEXT":
            self.end()
            if not tag.closing:
                self.begin(tag)

    def word(self, tag: Tag) -> None:
        if self.inside is not None:
            if not tag.closing:
                message = "a word is opened and never closed"
                self.fault("CB124", message, self.inside, "closed where the next begins")
            self.words.append(decoded("".join(self.written).strip()))
            self.attributes.append(self.inside)
            self.inside = None
        elif tag.closing:
            self.fault("CB123", "a word is closed that was never opened", tag, "tag ignored")
        if not tag.closing:
            if not self.by_tags and self.attributes:
                before = self.attributes[-1]
                if (before.get("SENT"), before.get("PAR")) != (tag.get("SENT"), tag.get("PAR")):
                    self.close_sentence()
            self.inside, self.written = tag, []
            if tag.empty:
                self.word(tag._replace(closing=True))

    def bracket(self, tag: Tag) -> None:
        stack = self.stacks[tag.name]
        if not tag.closing:
            self.opened += 1
            stack.append((tag, len(self.words), self.opened))
            if not tag.empty:
                return
        if not stack:
            message = f"a {tag.name} is closed that was never opened"
            self.fault("CB123", message, tag, "tag ignored")
            return
        opened, start, order = stack.pop()
        if start == len(self.words):
            self.fault("CB129", f"a {tag.name} has no words", opened, "left out")
        elif tag.name == "COREF":
            self.mentions.append((order, opened, start, len(self.words)))
        else:
            self.phrases.append((start, len(self.words)))

    def close_sentence(self) -> None:
        if len(self.words) > self.start:
            self.sentences.append((self.start, len(self.words)))
            self.start = len(self.words)

    def begin(self, tag: Tag | None) -> None:
        columns = dict(tag.attributes) if tag else {}
        name, part = columns.pop("NAME", ""), columns.pop("PART", "")
        number = int(part) if part.isascii() and part.isdigit() and len(part) < 9 else -1
        if part and number < 0 and tag:
            self.fault("CB125", "PART is not a number", tag, "read as no part")
        self.build.begin_document(name or self.source.stem, number, columns)
        self.open = True

    def end(self) -> None:
        """Close what is open, and add what was gathered."""
        if self.inside is not None:
            message = "a word is opened and never closed"
            self.fault("CB124", message, self.inside, "word left out")
            self.inside = None
        self.close_sentence()
        for name, stack in self.stacks.items():
            for tag, _, _ in stack:
                message = f"a {name} is opened and never closed"
                self.fault("CB124", message, tag, "left out")
        if self.words and not self.open:
            self.begin(None)
        self.add()

    def add(self) -> None:
        """Add the words and the mentions that were gathered to the open document."""
        columns = self.columns() if self.reading.words else {}
        first = np.array([start for start, _ in self.sentences], np.int64)
        self.build.sentences(self.words, first, columns=columns)
        found = [item[1:] for item in sorted(self.mentions, key=lambda m: (m[2], -m[3], m[0]))]
        spans = [(start, end) for _, start, end in found]
        add_linked(self.build, [tag for tag, _, _ in found], spans, self.fault)
        self.clear()
        self.open = False

    def columns(self) -> dict[str, list[str]]:
        """What the words say of themselves, by name."""
        columns: dict[str, list[str]] = {}
        count = len(self.words)
        names: dict[str, str] = {}
        for token, tag in enumerate(self.attributes):
            for name, value in tag.attributes.items():
                column = names.get(name)
                if column is None:
                    column = names[name] = KNOWN.get(name.upper(), name)
                    columns.setdefault(column, [""] * count)
                columns[column][token] = value
        return self.with_phrases(columns)

    def with_phrases(self, columns: dict[str, list[str]]) -> dict[str, list[str]]:
        """The columns that tell something, and the brackets of the noun phrases."""
        columns.pop("", None)
        if set(columns.get("par", ())) <= {"", "1"}:
            columns.pop("par", None)
        if self.phrases:
            opened, closed = [0] * len(self.words), [0] * len(self.words)
            for start, end in self.phrases:
                opened[start] += 1
                closed[end - 1] += 1
            columns["np"] = ["(" * a + "*" + ")" * b for a, b in zip(opened, closed, strict=True)]
        return columns
