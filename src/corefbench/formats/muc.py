"""MUC-6 and MUC-7: SGML text with COREF tags that point to each other.

``<COREF ID="2" TYPE="IDENT" REF="1" MIN="emperor">the emperor</COREF>``: every mention has an ID,
and REF names another mention of its chain, before or after it; chains are what REF connects. MIN
is the minimal string of a mention in the key, STATUS="OPT" an optional one.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.links import add_linked
from corefbench.formats.markup import Places, decoded, tags
from corefbench.formats.minimum import locate, nested
from corefbench.formats.muc_plain import plain
from corefbench.formats.muc_text import NAMES, Marked, Opened, Scanner
from corefbench.formats.muc_tokens import Span
from corefbench.formats.muc_write import document_text
from corefbench.formats.nesting import needs_words
from corefbench.formats.source import Source
from corefbench.formats.whole import contents, text
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

_DOC = re.compile(r"<(/?)DOC(?=[\s>])([^<>]*)>", re.IGNORECASE)
_COREF = re.compile(rb"(?i)<coref\s[^<>]*>")
_OTHERS = re.compile(rb"(?i)<w\s|<doc\s+docno\s*=|\ssubtype\s*=|\stype\s*=\s*[\"']?appos")
_ID = re.compile(rb"(?i)\sid\s*=\s*[\"']?\s*([^\"'\s>]+)")
_REF = re.compile(rb"(?i)\sref\s*=")


class MUC:
    """Reads and writes the SGML of the Message Understanding Conferences.

    The text is tokenised here, since the format has none; tokens break at every tag, possessive
    and hyphen. Zones other than TXT are the token column ``zone``. Mentions keep ``id``,
    ``status`` and further attributes as columns, ``type`` where it is not IDENT: such a REF is
    read as bridging, not as identity.

    >>> sample = b'<COREF ID="1">Ann</COREF> saw <COREF ID="2" REF="1">her</COREF> dog.'
    >>> list(MUC().read(Source.of(sample), Reading()))
    [<Corpus 'memory': 1 documents, 5 tokens, 2 mentions, 1 chains>]
    """

    card = FormatCard(
        name="muc",
        title="MUC-6/7 SGML",
        description="Text with <COREF ID= REF= MIN=> tags, as the Message Understanding "
        "Conferences used it.",
        extensions=(".sgm", ".sgml"),
        holds=frozenset(
            {
                "document names",
                "document attributes",
                "words",
                "sentences",
                "singletons",
                "repeated mentions",
                "mentions across sentences",
                "minimal spans",
                "mention attributes",
            }
        ),
        appends=True,
        cites=("vilain1995",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of COREF tags with REF; repeated IDs without REF are chains, as in OntoNotes."""
        found = _COREF.findall(head)
        if _OTHERS.search(head):
            return 0.0
        if any(_REF.search(tag) for tag in found):
            return 0.95
        ids = [match[1] for tag in found if (match := _ID.search(tag))]
        if len(set(ids)) < len(ids):
            return 0.0
        if found:
            return 0.7
        named = re.search(rb"(?i)<(?:docid|docno|txt)>", head)
        return 0.4 if named and re.search(rb"(?i)<doc[\s>]", head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each a ``<DOC>``; without one the file is one document."""
        raw = text(contents(source, reading), source.name, fallback="latin-1")
        build = CorpusBuilder(source.stem, words=reading.words, columns=("zone",))
        seen: set[str] = set()
        places = Places(raw, source.name)
        for attributes, extent in _extents(places, reading):
            scanner = Scanner(places, extent, reading.strictness)
            adding = _Adding(build, scanner, reading)
            if found := plain(raw, extent):
                adding.add(found.marked(), attributes, seen)
                found.add_mentions(build)
            else:
                adding.add(scanner.marked(), attributes, seen)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document in UTF-8; of two mentions that cross the earlier is kept."""
        needs_words(corpus)
        for document in corpus:
            stream.write(document_text(document).encode())


def _extents(places: Places, reading: Reading) -> Iterator[tuple[str, Span]]:
    """What each document tag says and where the document's content stands."""
    raw = places.text

    def fault(code: str, message: str, at: int, found: str, repair: str) -> None:
        reading.strictness.fault(code, message, place=places.at(at), found=found, repair=repair)

    def stray(begin: int, end: int) -> None:
        words = re.sub(r"<[^<>]*>", " ", raw[begin:end]).split()
        if words:
            message = "text stands outside every document"
            fault("CB108", message, begin, " ".join(words[:8]), "text left out")

    begun: re.Match[str] | None = None
    outside = 0
    for match in _DOC.finditer(raw):
        if begun is None:
            stray(outside, match.start())
            if match[1]:
                message = "a DOC is closed that was never opened"
                fault("CB123", message, match.start(), match[0], "tag ignored")
        else:
            if not match[1]:
                message = "a document is not ended before the next begins"
                fault("CB107", message, match.start(), match[0], "ended there")
            yield begun[2], (begun.end(), match.start())
        begun, outside = (None if match[1] else match), match.end()
    if begun is not None:
        message = "a DOC is opened and never closed"
        fault("CB124", message, begun.start(), begun[0], "ended with the file")
        yield begun[2], (begun.end(), len(raw))
    elif not outside:
        yield "", (0, len(raw))
    else:
        stray(outside, len(raw))


class _Adding:
    """Adds one document to the corpus: its tokens, its mentions, the chains that REF makes."""

    def __init__(self, build: CorpusBuilder, scanner: Scanner, reading: Reading) -> None:
        self.build, self.scanner, self.reading = build, scanner, reading

    def add(self, marked: Marked, attributes: str, seen: set[str]) -> None:
        columns = dict(next(tags(f"<DOC {attributes}>")).attributes) if attributes else {}
        name, part = self.name(marked, seen, columns)
        self.build.begin_document(name, part, columns, marked.text)
        position = 0
        for number, words in enumerate(marked.words):
            zones = marked.zones[position : position + len(words)]
            self.build.sentence(
                words,
                columns={"zone": zones} if zones else None,
                offsets=marked.offsets[number] if marked.offsets else (),
            )
            position += len(words)
        self.mentions(marked)

    def name(self, marked: Marked, seen: set[str], columns: dict[str, str]) -> tuple[str, int]:
        """The name in the file, else that of the file; the other names become columns."""
        found = [
            (key, decoded(marked.names[key][1].strip()), marked.names[key][0].get("PART"))
            for key in NAMES
            if key in marked.names
        ]
        given, part = found[0][1:] if found else ("", "")
        columns.update({key: value for key, value, _ in found[1:] if value})
        name = given or self.build.name
        label = f"{name}_{part}"
        while label in seen:
            if given:
                self.reading.strictness.fault(
                    "CB109",
                    "a document name occurs twice",
                    place=self.scanner.places.at(self.scanner.extent[0]),
                    found=name,
                    repair="a number added to the name",
                )
            name = f"{given or self.build.name}-{len(seen) + 1}"
            label = f"{name}_{part}"
        seen.add(label)
        return name, int(part) if part.isascii() and part.isdigit() and len(part) < 9 else -1

    def mentions(self, marked: Marked) -> None:
        opened = marked.opened
        spans = [one.span for one in opened]
        marks = [one.tag for one in opened]
        minima: list[list[Span]] = []
        given = set(chain.from_iterable(tag.attributes for tag in marks))
        if any(name.upper() in ("MIN", "MINSPAN") for name in given):
            words = [word for sentence in marked.words for word in sentence]
            pairs = zip(opened, nested(spans), strict=True)
            minima = [self.minimum(one, inside, words) for one, inside in pairs]
        add_linked(self.build, marks, spans, self.scanner.fault, minima)

    def minimum(self, one: Opened, inside: list[Span], words: list[str]) -> list[Span]:
        """The minimal span, where MIN is in the mention."""
        start, end = one.span
        range_given = one.tag.get("MINSPAN")
        exact = range_given and re.fullmatch(r"(\d{1,6})-(\d{1,6})", range_given)
        if exact and int(exact[1]) < int(exact[2]) <= end - start:
            return [(start + int(exact[1]), start + int(exact[2]))]
        wanted = one.tag.get("MIN")
        if not wanted:
            return []
        found = locate(words[start:end], inside, wanted)
        if found is None:
            self.scanner.fault("CB127", "MIN is not in its mention", one.tag, "MIN left out")
            return []
        return [(start + found[0], start + found[1])]
