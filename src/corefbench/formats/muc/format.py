"""MUC-6 and MUC-7: SGML text with COREF tags that refer to each other.

``<COREF ID="2" TYPE="IDENT" REF="1" MIN="emperor">the emperor</COREF>``: every mention has an ID,
and REF names another mention of its chain, before or after it; chains are what REF connects. MIN
is the minimal string of a mention in the key, STATUS="OPT" an optional one.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.diagnostics import Strictness
from corefbench.formats.base import FormatCard, Reading, require_words
from corefbench.formats.common.decode import decode_text, read_bytes
from corefbench.formats.common.references import RESERVED_ATTRIBUTES, add_linked_mentions
from corefbench.formats.common.sgml import (
    TextLocator,
    escape,
    escape_blanks,
    format_attribute,
    is_attribute_name,
    scan_tags,
    unescape,
)
from corefbench.formats.common.spans import select_nested, tags_by_token
from corefbench.formats.muc.scanner import (
    NAME_ELEMENTS,
    TOKENIZED_REMARK,
    ZONES,
    MarkedDocument,
    OpenTag,
    Scanner,
    Span,
    inner_spans,
    locate_minimum,
)
from corefbench.formats.source import Source

Zone = tuple[int, int, str]
"""The first token of a zone, the one past its last, and its name."""

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
                "document names", "document attributes", "words", "sentences", "singletons",
                "repeated mentions", "mentions across sentences", "minimal spans",
                "mention attributes"
            }
        ),
        appends=True,
        cites=("vilain1995",),
    )  # fmt: skip

    def recognises(self, head: bytes) -> float:
        """Sure of COREF tags with REF; repeated IDs without REF are chains, as in OntoNotes."""
        tags = _COREF.findall(head)
        if _OTHERS.search(head):
            return 0.0
        if any(_REF.search(tag) for tag in tags):
            return 0.95
        ids = [match[1] for tag in tags if (match := _ID.search(tag))]
        if len(set(ids)) < len(ids):
            return 0.0
        if tags:
            return 0.7
        has_name = re.search(rb"(?i)<(?:docid|docno|txt)>", head)
        return 0.4 if has_name and re.search(rb"(?i)<doc[\s>]", head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield the documents, each a ``<DOC>``; without one the file is one document."""
        raw = decode_text(read_bytes(source, reading), source.name, fallback="latin-1")
        build = CorpusBuilder(source.stem, words=reading.words, columns=("zone",))
        seen: set[str] = set()
        locator = TextLocator(raw, source.name)
        for attributes, extent in _document_extents(locator, reading):
            scanner = Scanner(locator, extent, reading.strictness)
            _DocumentAdder(build, scanner, reading).add(scanner.read(), attributes, seen)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document in UTF-8; of two mentions that cross the earlier is kept."""
        require_words(corpus)
        for document in corpus:
            stream.write(_document_text(document).encode())


def _document_text(document: Document) -> str:
    """Return the document with its tags.

    The original text is written if it reads back as the same tokens and sentences, with or without
    ``<s>`` tags; else the words with blanks between them.
    """
    zones = _zones(document)
    mentions = document.mentions
    kept = select_nested([(m.start, m.end) for m in mentions], [start for start, _, _ in zones[1:]])
    mentions = [mentions[n] for n in kept]
    spans = [(m.start, m.end) for m in mentions]
    before, after = tags_by_token(spans, range(len(spans)), _tags(document, mentions), "</COREF>")
    for sentence_tags in (False, True) if document.text is not None else ():
        written = _head(document) + _tagged_text(document, zones, before, after, sentence_tags)
        if _reads_back(written, document):
            return written
    return _head(document) + TOKENIZED_REMARK + "\n" + _tagged_words(document, zones, before, after)


def _head(document: Document) -> str:
    """Return the tag that opens the document, and its names."""
    columns = {
        name: values[document.index]
        for name, values in document.corpus.documents.columns.items()
        if values[document.index]
    }
    attributes = "".join(
        format_attribute(name, value)
        for name, value in columns.items()
        if is_attribute_name(name) and name.upper() not in NAME_ELEMENTS
    )
    part = int(document.corpus.documents.parts[document.index])
    number = format_attribute("PART", str(part)) if part >= 0 else ""
    names = [f"<DOCID{number}> {_escape_name(document.name)} </DOCID>\n"]
    for name in NAME_ELEMENTS[1:]:
        if name in columns:
            names.append(f"<{name}> {_escape_name(columns[name])} </{name}>\n")
    return f"<DOC{attributes}>\n" + "".join(names)


def _escape_name(name: str) -> str:
    """Escape a name so that its own outer blanks are not taken for layout."""
    inner = name.strip()
    if inner == name:
        return escape(name)
    return "".join(f"&#{ord(c)};" if c.isspace() else escape(c) for c in name)


def _zones(document: Document) -> list[Zone]:
    """Return the runs of sentences in one zone, which is TXT without a column ``zone``."""
    column = document.corpus.tokens.columns.get("zone")
    first = int(document.corpus.tokens.offsets[document.index])
    runs: list[Zone] = []
    for start, end in document.sentences:
        name = column[first + start] if column is not None and start < end else "TXT"
        name = name if name in ZONES else "TXT"
        if runs and runs[-1][2] == name:
            runs[-1] = (runs[-1][0], end, name)
        elif start < end:
            runs.append((start, end, name))
    return runs


def _tags(document: Document, mentions: list[Mention]) -> list[str]:
    """Return the opening tags: ID, TYPE, REF, MIN, STATUS, then other attributes."""
    columns = dict(sorted(document.corpus.mentions.columns.items(), key=lambda item: item[0] != "status"))
    ids = [columns["id"][m.index] if "id" in columns else "" for m in mentions]
    if not all(ids) or len(set(ids)) < len(ids):
        ids = [str(number) for number in range(1, len(mentions) + 1)]
    minima = _minima(document, mentions)
    last: dict[int, str] = {}
    tags = []
    for name, mention, minimum in zip(ids, mentions, minima, strict=True):
        chain = int(document.corpus.mentions.chain[mention.index])
        tag = "<COREF" + format_attribute("ID", name)
        if chain in last:
            tag += format_attribute("TYPE", "IDENT") + format_attribute("REF", last[chain])
        tag += minimum
        for column, values in columns.items():
            label = "STATUS" if column == "status" else column
            is_writable = label.upper() not in RESERVED_ATTRIBUTES and is_attribute_name(label)
            if is_writable and values[mention.index]:
                tag += format_attribute(label, values[mention.index])
        last[chain] = name
        tags.append(tag + ">")
    return tags


def _minima(document: Document, mentions: list[Mention]) -> list[str]:
    """Return MIN of every mention, and MINSPAN if the string occurs earlier too."""
    minimum = document.corpus.mentions.minimum
    if minimum is None:
        return [""] * len(mentions)
    words = document.words
    inside = inner_spans([(m.start, m.end) for m in mentions])
    attributes = []
    for mention, nested in zip(mentions, inside, strict=True):
        parts = minimum.of(mention.index)
        text = ""
        if len(parts) == 1:
            (a, b), start = parts[0], mention.start
            string = " ".join(words[a:b])
            text = format_attribute("MIN", string)
            if locate_minimum(words[start : mention.end], nested, string) != (a - start, b - start):
                text += format_attribute("MINSPAN", f"{a - start}-{b - start}")
        attributes.append(text)
    return attributes


def _tagged_text(
    document: Document, zones: list[Zone], before: dict[int, str], after: dict[int, str], sentence_tags: bool
) -> str:
    """Return the original text with tags; white space between zones goes to the first."""
    text, offsets = document.text or "", document.offsets or []
    starts = {a for a, _ in document.sentences} if sentence_tags else set()
    pieces = []
    position = 0
    for start, end, name in zones or [(0, 0, "TXT")]:
        pieces.append(f"<{name}>")
        for token in range(start, end):
            begin, finish = offsets[token]
            pieces.append(escape(text[position:begin]) + ("<s>" if token in starts else ""))
            pieces.append(before.get(token, "") + escape(text[begin:finish]))
            pieces.append(after.get(token, ""))
            position = finish
        until = offsets[end][0] if end < len(offsets) else len(text)
        pieces.append(f"{escape(text[position:until])}</{name}>\n")
        position = until
    return "".join(pieces) + "</DOC>\n"


def _tagged_words(document: Document, zones: list[Zone], before: dict[int, str], after: dict[int, str]) -> str:
    """Return the words with tags, one sentence per line."""
    words = [escape_blanks(escape(word)) or "_" for word in document.words]
    for token, tag in before.items():
        words[token] = tag + words[token]
    for token, tag in after.items():
        words[token] += tag
    sentences = [" ".join(words[a:b]) + "\n" for a, b in document.sentences if a < b]
    starts = [a for a, b in document.sentences if a < b]
    pieces = []
    for start, end, name in zones:
        lines = sentences[bisect_left(starts, start) : bisect_left(starts, end)]
        pieces.append(f"<{name}>\n{''.join(lines)}</{name}>\n")
    return "".join(pieces) + "</DOC>\n"


def _reads_back(written: str, document: Document) -> bool:
    """Whether text, words and sentences are read back unchanged."""
    extent: Span = (written.index(">") + 1, len(written) - len("</DOC>\n"))
    marked = Scanner(TextLocator(written, ""), extent, Strictness(lenient=True)).read()
    if marked.text != document.text:
        return False
    words = document.words
    return (
        marked.words == [words[a:b] for a, b in document.sentences if a < b]
        and [span for sentence in marked.offsets for span in sentence] == document.offsets
    )


def _document_extents(locator: TextLocator, reading: Reading) -> Iterator[tuple[str, Span]]:
    """Yield the attributes and the extent of each document."""
    raw = locator.text

    def fault(code: str, message: str, at: int, found: str, repair: str) -> None:
        reading.strictness.fault(code, message, place=locator.at(at), found=found, repair=repair)

    def check_outside(begin: int, end: int) -> None:
        words = re.sub(r"<[^<>]*>", " ", raw[begin:end]).split()
        if words:
            message = "text stands outside every document"
            fault("CB108", message, begin, " ".join(words[:8]), "text left out")

    opened: re.Match[str] | None = None
    outside = 0
    for match in _DOC.finditer(raw):
        if opened is None:
            check_outside(outside, match.start())
            if match[1]:
                message = "a DOC is closed that was never opened"
                fault("CB123", message, match.start(), match[0], "tag ignored")
        else:
            if not match[1]:
                message = "a document is not ended before the next begins"
                fault("CB107", message, match.start(), match[0], "ended there")
            yield opened[2], (opened.end(), match.start())
        opened, outside = (None if match[1] else match), match.end()
    if opened is not None:
        message = "a DOC is opened and never closed"
        fault("CB124", message, opened.start(), opened[0], "ended with the file")
        yield opened[2], (opened.end(), len(raw))
    elif not outside:
        yield "", (0, len(raw))
    else:
        check_outside(outside, len(raw))


class _DocumentAdder:
    """Adds one document to the corpus: its tokens, mentions and chains."""

    def __init__(self, build: CorpusBuilder, scanner: Scanner, reading: Reading) -> None:
        self.build, self.scanner, self.reading = build, scanner, reading

    def add(self, marked: MarkedDocument, attributes: str, seen: set[str]) -> None:
        columns = dict(next(scan_tags(f"<DOC {attributes}>")).attributes) if attributes else {}
        name, part = self._name(marked, seen, columns)
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
        self._add_mentions(marked)

    def _name(self, marked: MarkedDocument, seen: set[str], columns: dict[str, str]) -> tuple[str, int]:
        """Return name and part; the file's name by default. Further names become columns."""
        names = [
            (key, unescape(marked.names[key][1].strip()), marked.names[key][0].get("PART"))
            for key in NAME_ELEMENTS
            if key in marked.names
        ]
        own_name, part = names[0][1:] if names else ("", "")
        columns.update({key: value for key, value, _ in names[1:] if value})
        name = own_name or self.build.name
        label = f"{name}_{part}"
        while label in seen:
            if own_name:
                self.reading.strictness.fault(
                    "CB109",
                    "a document name occurs twice",
                    place=self.scanner.locator.at(self.scanner.extent[0]),
                    found=name,
                    repair="a number added to the name",
                )
            name = f"{own_name or self.build.name}-{len(seen) + 1}"
            label = f"{name}_{part}"
        seen.add(label)
        return name, int(part) if part.isascii() and part.isdigit() and len(part) < 9 else -1

    def _add_mentions(self, marked: MarkedDocument) -> None:
        spans = [tag.span for tag in marked.tags]
        words = [word for sentence in marked.words for word in sentence]
        tags = [tag.tag for tag in marked.tags]
        minima: list[list[Span]] = []
        if any(tag.get("MIN") or tag.get("MINSPAN") for tag in tags):
            pairs = zip(marked.tags, inner_spans(spans), strict=True)
            minima = [self._minimum(tag, nested, words) for tag, nested in pairs]
        add_linked_mentions(self.build, tags, spans, self.scanner.fault, minima)

    def _minimum(self, tag: OpenTag, nested: list[Span], words: list[str]) -> list[Span]:
        """Return the minimal span, if MIN is in the mention."""
        start, end = tag.span
        exact = re.fullmatch(r"(\d{1,6})-(\d{1,6})", tag.tag.get("MINSPAN"))
        if exact and int(exact[1]) < int(exact[2]) <= end - start:
            return [(start + int(exact[1]), start + int(exact[2]))]
        wanted = tag.tag.get("MIN")
        if not wanted:
            return []
        found = locate_minimum(words[start:end], nested, wanted)
        if found is None:
            self.scanner.fault("CB127", "MIN is not in its mention", tag.tag, "MIN left out")
            return []
        return [(start + found[0], start + found[1])]
