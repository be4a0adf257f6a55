"""MUC-6 and MUC-7: SGML text with COREF tags that point to each other.

``<COREF ID="2" TYPE="IDENT" REF="1" MIN="emperor">the emperor</COREF>``: every mention has an ID,
and REF names another mention of its chain, before or after it; chains are what REF connects. MIN
is the minimal string of a mention in the key, STATUS="OPT" an optional one.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.errors import Place
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.markup import decoded, is_name, place, tags
from corefbench.formats.minimum import locate, nested
from corefbench.formats.muc_text import NAMES, Marked, Opened, Scanner, Span
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
_OWN = ("ID", "REF", "MIN", "MINSPAN", "TYPE")


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
        return 0.4 if re.search(rb"(?i)<doc>.*<(?:docid|docno|txt)>", head, re.DOTALL) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each a ``<DOC>``; without one the file is one document."""
        raw = text(contents(source, reading), source.name, fallback="latin-1")
        build = CorpusBuilder(source.stem, words=reading.words, columns=("zone",))
        seen: set[str] = set()
        for attributes, extent in _extents(raw, source, reading):
            scanner = Scanner(raw, extent, source.name, reading.strictness)
            _Adding(build, scanner, reading).add(scanner.marked(), attributes, seen)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document in UTF-8; of two mentions that cross the earlier is kept."""
        needs_words(corpus)
        for document in corpus:
            stream.write(document_text(document).encode())


def _extents(raw: str, source: Source, reading: Reading) -> Iterator[tuple[str, Span]]:
    """What each document tag says and where the document's content stands."""
    begun: re.Match[str] | None = None
    outside = 0
    for match in _DOC.finditer(raw):
        here = place(raw, match.start(), source.name)
        if begun is not None:
            if not match[1]:
                reading.strictness.fault(
                    "CB107",
                    "a document is not ended before the next begins",
                    place=here,
                    found=match[0],
                    expected="</DOC>",
                    repair="ended there",
                )
            yield begun[2], (begun.end(), match.start())
        elif match[1]:
            reading.strictness.fault(
                "CB123", "a DOC is closed that was never opened", place=here, repair="tag ignored"
            )
        _stray(raw[outside : match.start()] if begun is None else "", here, reading)
        begun, outside = (None if match[1] else match), match.end()
    if begun is not None:
        reading.strictness.fault(
            "CB124",
            "a DOC is opened and never closed",
            place=place(raw, begun.start(), source.name),
            repair="ended with the file",
        )
        yield begun[2], (begun.end(), len(raw))
    elif not outside:
        yield "", (0, len(raw))
    else:
        _stray(raw[outside:], place(raw, outside, source.name), reading)


def _stray(piece: str, here: Place, reading: Reading) -> None:
    """Words between documents belong to none."""
    words = re.sub(r"<[^<>]*>", " ", piece).split()
    if words:
        reading.strictness.fault(
            "CB108",
            "text stands outside every document",
            place=here,
            found=" ".join(words[:8]),
            expected="<DOC> … </DOC>",
            repair="text left out",
        )


class _Adding:
    """Adds one document to the corpus: its tokens, its mentions, the chains that REF makes."""

    def __init__(self, build: CorpusBuilder, scanner: Scanner, reading: Reading) -> None:
        self.build, self.scanner, self.reading = build, scanner, reading

    def add(self, marked: Marked, attributes: str, seen: set[str]) -> None:
        columns = {
            name: value
            for tag in tags(f"<DOC {attributes}>")
            for name, value in tag.attributes.items()
        }
        name, part = self.name(marked, seen, columns)
        self.build.begin_document(name, part, columns, marked.text)
        position = 0
        for words, offsets in zip(marked.words, marked.offsets, strict=True):
            zones = marked.zones[position : position + len(words)]
            self.build.sentence(
                words,
                columns={"zone": zones} if zones else None,
                offsets=offsets if marked.text is not None else (),
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
                    place=place(self.scanner.raw, self.scanner.extent[0], self.scanner.source),
                    found=name,
                    repair="a number added to the name",
                )
            name = f"{given or self.build.name}-{len(seen) + 1}"
            label = f"{name}_{part}"
        seen.add(label)
        return name, int(part) if part.isascii() and part.isdigit() else -1

    def mentions(self, marked: Marked) -> None:
        words = [word for sentence in marked.words for word in sentence]
        inside = nested([opened.span for opened in marked.opened])
        ids = self.ids(marked.opened)
        labels, bridges = self.labels(marked.opened, ids)
        numbers = [
            self.build.mention(
                label,
                [opened.span],
                minimum=self.minimum(opened, some, words),
                columns=_columns(opened),
            )
            for opened, label, some in zip(marked.opened, labels, inside, strict=True)
        ]
        for anaphor, anchor in bridges:
            kind = marked.opened[anaphor].tag.get("TYPE")
            self.build.bridge(numbers[anaphor], mention=numbers[anchor], label=kind)

    def ids(self, opened: list[Opened]) -> dict[str, int]:
        """The mention of every ID."""
        ids: dict[str, int] = {}
        for number, one in enumerate(opened):
            name = one.tag.get("ID")
            if not name:
                self.scanner.fault("CB125", "a COREF has no ID", one.tag, "kept without one")
            elif name in ids:
                self.scanner.fault(
                    "CB126",
                    "an ID occurs twice; where IDs are those of chains, the format is ontonotes",
                    one.tag,
                    "REF means the first",
                )
            else:
                ids[name] = number
        return ids

    def labels(
        self, opened: list[Opened], ids: dict[str, int]
    ) -> tuple[list[str], list[tuple[int, int]]]:
        """The label of every mention's chain, the ID of its first; and links not of identity."""
        root = list(range(len(opened)))
        bridges: list[tuple[int, int]] = []

        def find(number: int) -> int:
            while root[number] != number:
                root[number] = root[root[number]]
                number = root[number]
            return number

        for number, one in enumerate(opened):
            target = one.tag.get("REF")
            if target and target not in ids:
                self.scanner.fault("CB115", "REF points to nothing", one.tag, "link left out")
            elif target and one.tag.get("TYPE", "IDENT").upper() not in ("IDENT", ""):
                bridges.append((number, ids[target]))
            elif target:
                a, b = sorted((find(number), find(ids[target])))
                root[b] = a
        firsts = [find(number) for number in range(len(opened))]
        names = [one.tag.get("ID") for one in opened]
        return [names[n] if ids.get(names[n]) == n else f"#{n}" for n in firsts], bridges

    def minimum(self, one: Opened, inside: list[Span], words: list[str]) -> list[Span]:
        """The minimal span, where MIN is in the mention."""
        start, end = one.span
        exact = re.fullmatch(r"(\d{1,6})-(\d{1,6})", one.tag.get("MINSPAN"))
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


def _columns(one: Opened) -> dict[str, str]:
    """The attributes to keep; names that the format knows in small letters."""
    columns = {"id": one.tag.get("ID")} if one.tag.get("ID") else {}
    for name, value in one.tag.attributes.items():
        if name.upper() == "STATUS":
            columns["status"] = value
        elif name.upper() == "TYPE" and value.upper() != "IDENT":
            columns["type"] = value
        elif name.upper() not in _OWN and is_name(name):
            columns[name] = value
    return columns
