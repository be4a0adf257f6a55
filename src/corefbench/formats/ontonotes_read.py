"""Reads OntoNotes ``.coref``, tag by tag; a text whose tags are plain, at once."""

import re

import numpy as np

from corefbench.formats.base import Reading
from corefbench.formats.markup import Places, Tag, attributes_of, decoded, tags
from corefbench.formats.ontonotes_plain import IDENT, Plain, plain
from corefbench.formats.ontonotes_write import TRACE
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

_DOCNO = re.compile(r"""(?i)\sdocno\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""")
_OWN = ("ID", "TYPE", "SUBTYPE")


class OntoNotesReader:
    """Goes through the tags; words between them fill the sentence that a line end closes."""

    def __init__(self, raw: str, source: Source, reading: Reading, appositions: bool) -> None:
        self.raw, self.source, self.strictness = raw, source, reading.strictness
        self.appositions = appositions
        self.places = Places(raw, source.name)
        # To begin again behind a text, the scanner would look for the end of a comment again.
        self.leaps = "<!--" not in raw
        self.build = CorpusBuilder(source.stem, words=reading.words)
        self.open = False
        self.docno = ""
        self.seen: set[tuple[str, int]] = set()
        self.words: list[str] = []
        self.before = 0
        """How many words of the document stand before those of the open sentence."""
        self.stack: list[tuple[Tag, int, int]] = []
        self.mentions: list[tuple[int, Tag, int, int]] = []
        self.count = 0

    def fault(self, code: str, message: str, tag: Tag, repair: str) -> None:
        found = self.raw[tag.begin : tag.end][:80]
        place = self.places.at(tag.begin)
        self.strictness.fault(code, message, place=place, found=found, repair=repair)

    def corpus(self) -> Corpus:
        position: int | None = 0
        while position is not None:
            position = self.walk(position)
        self.end()
        return self.build.finish()

    def walk(self, position: int) -> int | None:
        """Go from tag to tag, to the end or over a plain text; returns where that ends."""
        for tag in tags(self.raw, position):
            self.take(position, tag.begin)
            position = tag.end
            if tag.name == "COREF":
                self.coref(tag)
            elif tag.name in ("DOC", "TEXT"):
                self.end()
                if tag.name == "DOC":
                    self.docno = "" if tag.closing else self.docno_of(tag)
                elif not tag.closing:
                    self.begin(tag)
                    if self.leaps and (found := plain(self.raw, position)):
                        self.leap(found)
                        return found.end
        self.take(position, len(self.raw))
        return None

    def leap(self, text: Plain) -> None:
        """Add a whole text."""
        for self.words in text.spanned.sentences:
            self.close_sentence()
        if {*text.others} <= {"", IDENT}:
            chains: dict[str, int] = {}
            numbers = [chains.setdefault(name, len(chains)) for name in text.ids]
            first = self.build.add_chains(list(chains))
            start, end, chain = np.array([*text.spanned[1:], numbers], np.int32)
            self.build.add_mentions(start, end, chain + first)
            return
        rows = zip(text.ids, text.others, *text.spanned[1:], strict=True)
        for order, (name, other, begin, finish) in enumerate(rows):
            tag = Tag("COREF", False, False, attributes_of(f' ID="{name}"{other}'), 0, 0)
            self.mentions.append((order, tag, begin, finish))

    def docno_of(self, tag: Tag) -> str:
        """The value as it stands in the file: an escaped @ is part of the name."""
        match = _DOCNO.search(self.raw, tag.begin, tag.end)
        return match[1].strip("\"' \t\n") if match else ""

    def begin(self, tag: Tag | None) -> None:
        name = decoded(self.docno.partition("@")[0]) or self.source.stem
        number = tag.get("PARTNO") if tag else ""
        if tag and number and not (number.isascii() and number.isdigit() and len(number) < 9):
            self.fault("CB125", "PARTNO is not a number", tag, "read as no part")
            number = ""
        part = int(number) if number else -1
        if (name, part) in self.seen:
            here = tag or Tag("", False, False, {}, 0, 0)
            self.fault("CB109", "a document occurs twice", here, "a number added to the name")
            name = f"{name}-{len(self.seen) + 1}"
        self.seen.add((name, part))
        self.build.begin_document(
            name, part, {"DOCNO": decoded(self.docno)} if "@" in self.docno else None
        )
        self.open = True
        self.before = 0

    def take(self, begin: int, end: int) -> None:
        """Words between two tags; each line end closes a sentence."""
        if begin == end:
            return
        text = self.raw[begin:end].replace("\t", " ")
        if "\n" not in text:
            self.words.extend(filter(None, text.split(" ")))
            return
        first, *lines = text.split("\n")
        self.words.extend(filter(None, first.split(" ")))
        for line in lines:
            self.close_sentence()
            self.words.extend(filter(None, line.split(" ")))

    def close_sentence(self) -> None:
        if self.words:
            if not self.open:
                self.begin(None)
            words, together = self.words, " ".join(self.words)
            empty = [TRACE.fullmatch(w) is not None for w in words] if "*" in together else []
            if "&" in together:
                words = list(map(decoded, words))
            self.build.sentence(words, empty=empty if any(empty) else None)
            self.words, self.before = [], self.build.position

    def coref(self, tag: Tag) -> None:
        if not tag.closing:
            self.count += 1
            self.stack.append((tag, self.before + len(self.words), self.count))
            if not tag.empty:
                return
        if not self.stack:
            self.fault("CB123", "a COREF is closed that was never opened", tag, "tag ignored")
            return
        opened, start, order = self.stack.pop()
        end = self.before + len(self.words)
        if start == end:
            self.fault("CB129", "a mention has no words", opened, "mention left out")
        elif not opened.get("ID"):
            self.fault("CB125", "a COREF has no ID", opened, "mention left out")
        else:
            self.mentions.append((order, opened, start, end))

    def end(self) -> None:
        """Close the document: its mentions are added in the order in which they opened."""
        self.close_sentence()
        for tag, _, _ in self.stack:
            self.fault("CB124", "a COREF is opened and never closed", tag, "mention left out")
        labels: dict[tuple[str, bool], str] = {}
        taken: set[str] = set()
        for _, tag, start, end in sorted(self.mentions, key=lambda item: item[0]):
            apposition = tag.get("TYPE").upper() == "APPOS"
            if apposition and not self.appositions:
                continue
            # An ID that serves an apposition and another chain makes two chains.
            key = (tag.get("ID"), apposition)
            label = labels.get(key)
            if not label:
                label = labels[key] = self.free(tag, taken)
                taken.add(label)
            self.build.mention(label, [(start, end)], columns=_columns(tag))
        self.stack, self.mentions, self.open, self.before = [], [], False, 0

    @staticmethod
    def free(tag: Tag, taken: set[str]) -> str:
        """The ID, or, where another chain has it, the ID and its type."""
        label = tag.get("ID")
        while label in taken:
            label += f"-{tag.get('TYPE') or 'IDENT'}"
        return label


def _columns(tag: Tag) -> dict[str, str]:
    """The attributes to keep; names that the format knows in small letters."""
    columns = {}
    for name, value in tag.attributes.items():
        known = name.upper()
        if known in ("SUBTYPE", "MENTION"):
            columns["subtype" if known == "SUBTYPE" else "id"] = value
        elif known == "TYPE" and value.upper() != "IDENT":
            columns["type"] = value
        elif known not in _OWN:
            columns[name] = value
    return columns
