"""MUC-6 and MUC-7: SGML text with COREF tags that refer to each other.

``<COREF ID="2" TYPE="IDENT" REF="1" MIN="emperor">the emperor</COREF>``: every mention has an ID,
and REF names another mention of its chain, before or after it; chains are what REF connects. MIN
is the minimal string of a mention in the key, STATUS="OPT" an optional one.
"""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError
from corefbench.formats.base import (
    ATTRIBUTES,
    DOCUMENTS,
    NESTED_MENTIONS,
    FormatCard,
    Reading,
    document_attributes,
    document_part,
    mention_attribute,
    unique_or_numbered,
    write_documents,
)
from corefbench.formats.common import sgml
from corefbench.formats.common.decode import parse_natural, read_text
from corefbench.formats.common.sgml import Tag, TextLocator
from corefbench.formats.common.spans import Span, select_nested, split_spans, tags_by_token
from corefbench.formats.common.tokenize import tokenize
from corefbench.formats.common.xml import MAX_DEPTH
from corefbench.formats.source import Source
from corefbench.records import Columns

Zone = tuple[int, int, str]
"""The first token of a zone, the one past its last, and its name."""

_DOC = re.compile(r"<(/?)DOC(?=[\s>])([^<>]*)>", re.IGNORECASE)
_COREF = re.compile(rb"(?i)<coref\s[^<>]*>")
_OTHERS = re.compile(rb"(?i)<w\s|<doc\s+docno\s*=|\ssubtype\s*=|\stype\s*=\s*[\"']?appos")
_ID = re.compile(rb"(?i)\sid\s*=\s*[\"']?\s*([^\"'\s>]+)")
_REF = re.compile(rb"(?i)\sref\s*=")

# Annotators put tags at possessives and hyphens. Tokens always break there, so that a key and a
# response have the same tokens, whatever was annotated.
# The mark comes first in the pattern, since it is found faster than what must stand around it.
_FIXED_BREAK = re.compile(r"['’](?<=\w['’])(?=[sS]\b)|-(?<=\w-)(?=\w)")
_BLANK_WORD = re.compile(r"[^ \n]+")
_REST = re.compile(r"[^ \n]*")

NAME_ELEMENTS = ("DOCID", "DOCNO", "STORYID")
"""Elements that name the document and are not part of its text."""
ZONES = frozenset(
    {"TXT", "TEXT", "HL", "DD", "DATELINE", "SLUG", "DATE", "NWORDS", "PREAMBLE", "TRAILER", "CO",
     "IN", "SO", "G"}
)  # fmt: skip
TOKENIZED_REMARK = "<!-- tokens stand between blanks, sentences on lines -->"
"""Comment that our writer puts before a text that is given as tokens."""

_ZONE = re.compile(rf"<\s*(?:{'|'.join(sorted(ZONES))})[\s>]", re.IGNORECASE)


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
        description="Text with <COREF ID= REF= MIN=> tags, as the Message Understanding Conferences used it.",
        extensions=(".sgm", ".sgml"),
        holds=DOCUMENTS | NESTED_MENTIONS | ATTRIBUTES | {"mentions across sentences", "minimal spans"},
        appends=True,
        cites=("vilain1995",),
    )

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
        raw = read_text(source, reading, fallback="latin-1")
        build = CorpusBuilder(source.stem, words=reading.words, columns=("zone",))
        locator = TextLocator(raw, source.name, reading.strictness)
        seen: set[str] = set()
        for attributes, extent in _document_extents(locator):
            _add_document(build, locator, extent, attributes, seen)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document in UTF-8; of two mentions that cross the earlier is kept."""
        write_documents(corpus, stream, _document_text)


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
    # Readers break tokens at tags, so only a trial shows whether the text gives the same tokens again.
    for sentence_tags in (False, True) if document.text is not None else ():
        written = _head(document) + _tagged_text(document, zones, before, after, sentence_tags)
        if _reads_back(written, document):
            return written
    return _head(document) + TOKENIZED_REMARK + "\n" + _tagged_words(document, zones, before, after)


def _head(document: Document) -> str:
    """Return the tag that opens the document, and its names."""
    columns = document_attributes(document)
    others = [name for name in columns if name.upper() not in NAME_ELEMENTS]
    attributes = "".join(_format_optional(name, columns[name]) for name in others)
    part = document_part(document)
    number = sgml.format_attribute("PART", str(part)) if part >= 0 else ""
    names = [f"<DOCID{number}> {_escape_name(document.name)} </DOCID>\n"]
    for name in NAME_ELEMENTS[1:]:
        if name in columns:
            names.append(f"<{name}> {_escape_name(columns[name])} </{name}>\n")
    return f"<DOC{attributes}>\n" + "".join(names)


def _escape_name(name: str) -> str:
    """Escape a name so that its own outer blanks are not taken for layout."""
    inner = name.strip()
    if inner == name:
        return sgml.escape(name)
    return "".join(f"&#{ord(c)};" if c.isspace() else sgml.escape(c) for c in name)


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


def _format_optional(name: str, value: str) -> str:
    """Return an attribute, or nothing if it has no value or its name cannot be written."""
    return sgml.format_attribute(name, value) if value and sgml.is_attribute_name(name) else ""


def _tags(document: Document, mentions: list[Mention]) -> list[str]:
    """Return the opening tags: ID, TYPE, REF, MIN, STATUS, then other attributes."""
    columns = dict(sorted(document.corpus.mentions.columns.items(), key=lambda item: item[0] != "status"))
    ids = unique_or_numbered([mention_attribute(mention, "id") for mention in mentions])
    identity = sgml.format_attribute("TYPE", "IDENT")
    return sgml.linked_tags(
        mentions, ids, columns, _format_optional, identity=identity, minima=_minima(document, mentions)
    )


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
            text = sgml.format_attribute("MIN", string)
            if locate_minimum(words[start : mention.end], nested, string) != (a - start, b - start):
                text += sgml.format_attribute("MINSPAN", f"{a - start}-{b - start}")
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
            pieces.append(sgml.escape(text[position:begin]) + ("<s>" if token in starts else ""))
            pieces.append(before.get(token, "") + sgml.escape(text[begin:finish]))
            pieces.append(after.get(token, ""))
            position = finish
        until = offsets[end][0] if end < len(offsets) else len(text)
        pieces.append(f"{sgml.escape(text[position:until])}</{name}>\n")
        position = until
    return "".join(pieces) + "</DOC>\n"


def _tagged_words(document: Document, zones: list[Zone], before: dict[int, str], after: dict[int, str]) -> str:
    """Return the words with tags, one sentence per line."""
    words = [sgml.escape_blanks(sgml.escape(word)) or "_" for word in document.words]
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
    marked = _Scanner(TextLocator(written, "", Strictness(lenient=True)), extent).read()
    if marked.text != document.text:
        return False
    words = document.words
    return (
        marked.words == [words[a:b] for a, b in document.sentences if a < b]
        and [span for sentence in marked.offsets for span in sentence] == document.offsets
    )


def text_tokens(text: str, breaks: list[int], walls: set[int], by_sentence: bool) -> list[list[Span]]:
    """Return the tokens by sentence.

    ``walls`` divide sentences; with ``by_sentence``, nothing else does.

    >>> [len(sentence) for sentence in text_tokens("Poe's pro-war cat. It", [], {0}, False)]
    [7, 1]
    """
    marks = [match.start() for match in _FIXED_BREAK.finditer(text)]
    breaks = sorted({*breaks, *marks, *(mark + 1 for mark in marks if text[mark] == "-")})
    sentences: list[list[Span]] = []
    for begin, end in itertools.pairwise(sorted({0, len(text), *walls})):
        inside = breaks[bisect_left(breaks, begin) : bisect_left(breaks, end)]
        block = tokenize(text[begin:end], [edge - begin for edge in inside], lines=False)
        if by_sentence and block:
            block = [[span for sentence in block for span in sentence]]
        sentences += [[(a + begin, b + begin) for a, b in sentence] for sentence in block]
    return sentences


def blank_words(text: str, breaks: list[int]) -> tuple[list[list[str]], dict[int, int]]:
    """Return the words between blanks and breaks, one sentence per line.

    Also return how many words stand before each of the breaks, which are in order.

    >>> blank_words("a bc\\nd\\n", [0, 3])
    ([['a', 'b', 'c'], ['d']], {0: 0, 3: 2})
    """
    spans = split_spans([match.span() for match in _BLANK_WORD.finditer(text)], breaks)
    begins = [begin for begin, _ in spans]
    words = [text[begin:end] for begin, end in spans]
    line_ends = [bisect_left(begins, match.start()) for match in re.finditer("\n", text)]
    rows = itertools.pairwise([0, *line_ends, len(words)])
    before = {offset: bisect_left(begins, offset) for offset in breaks}
    return [words[a:b] for a, b in rows if a < b], before


def word_end(text: str, offset: int, breaks: list[int]) -> int:
    """Return the offset or, if it lies inside a word, the end of that word."""
    if not offset or text[offset - 1] in " \n":
        return offset
    match = _REST.match(text, offset)
    end = match.end() if match else offset
    following = bisect_left(breaks, offset)
    return min(end, breaks[following]) if following < len(breaks) else end


class _OpenTag:
    """A COREF tag and the text and tokens it spans."""

    __slots__ = ("begin", "end", "span", "tag")

    def __init__(self, tag: Tag, begin: int) -> None:
        self.tag = tag
        self.begin = begin
        self.end = -1
        self.span: Span = (0, 0)


class _MarkedDocument(Columns, frozen=True, eq=False):
    """A document as read: tokens, and tags with the tokens they span."""

    names: dict[str, tuple[Tag, str]]
    """The elements that name it."""
    text: str | None
    """The text without tags; None if the file gives tokens."""
    words: list[list[str]]
    offsets: list[list[Span]]
    """Character spans of the words; empty without a text."""
    zones: list[str]
    """The zone of every token; empty if all are in one zone."""
    tags: list[_OpenTag]
    """The COREF tags that are closed and span at least one token, in opening order."""


class _Scanner:
    """Reads the tags of one document and collects its text."""

    def __init__(self, locator: TextLocator, extent: Span) -> None:
        raw = locator.text
        self.raw, self.extent, self.locator = raw, extent, locator
        self.is_tokenized = raw.find(TOKENIZED_REMARK, *extent) >= 0
        self.has_zones = _ZONE.search(raw, *extent) is not None
        self.pieces: list[str] = []
        self.length = 0
        self.needs_separator = False
        self.zone = self.name_element = ""
        self.zones: list[tuple[int, str]] = [(0, "")]
        self.sentence_edges: list[int] = []
        self.has_sentence_tags = False
        self.names: dict[str, tuple[Tag, str]] = {}
        self.stack: list[_OpenTag] = []
        self.tags: list[_OpenTag] = []

    def read(self) -> _MarkedDocument:
        """Read all tags and return the document."""
        position, end = self.extent
        for tag in sgml.scan_tags(self.raw, position, end):
            self._add_text(self.raw[position : tag.begin])
            position = tag.end
            if tag.name == "COREF":
                self._read_coref(tag)
            else:
                self._read_other(tag)
        self._add_text(self.raw[position:end])
        self._close_open_tags()
        return self._document()

    def _add_text(self, piece: str) -> None:
        """Add the text between two tags; white space between zones is not text."""
        if self.name_element:
            tag, before = self.names[self.name_element]
            self.names[self.name_element] = (tag, before + piece)
        elif piece and (self.zone or not self.has_zones or not piece.isspace()):
            if not self.is_tokenized:
                piece = sgml.unescape(piece)
            # <HL>Title</HL><TXT>Text must not become one word.
            if self.needs_separator and not piece[0].isspace():
                piece = "\n" + piece
            self.needs_separator = False
            self.pieces.append(piece)
            self.length += len(piece)

    def _read_other(self, tag: Tag) -> None:
        """Read a tag that marks no mention."""
        if tag.name in NAME_ELEMENTS:
            self.name_element = "" if tag.closing else tag.name
            if not tag.closing:
                self.names[tag.name] = (tag, "")
        # A tag left open would swallow the zones that follow.
        elif tag.name in ZONES:
            self._close_open_tags()
            self._enter_zone("" if tag.closing else tag.name)
        elif tag.name in ("P", "S"):
            self.sentence_edges.append(self.length)
            self.has_sentence_tags |= tag.name == "S"

    def _enter_zone(self, zone: str) -> None:
        """Begin or end a zone; the text of two zones never runs together."""
        self.needs_separator = bool(self.pieces) and not self.pieces[-1][-1].isspace()
        self.zone = zone
        self.zones.append((self.length, zone))

    def _read_coref(self, tag: Tag) -> None:
        if not tag.closing:
            opened = _OpenTag(tag, self.length)
            self.tags.append(opened)
            if tag.empty:
                opened.end = self.length
            else:
                self.stack.append(opened)
                if len(self.stack) > MAX_DEPTH:
                    place, expected = self.locator.at(tag.begin), f"at most {MAX_DEPTH} levels"
                    raise FormatError("tags are nested too deep", code="CB122", place=place, expected=expected)
        elif self.stack:
            self.stack.pop().end = self.length
        else:
            self.locator.fault("CB123", "a COREF is closed that was never opened", tag, "tag ignored")

    def _close_open_tags(self) -> None:
        """Report the tags that are open at the end of a zone."""
        while self.stack:
            tag = self.stack.pop().tag
            self.locator.fault("CB124", "a COREF is opened and never closed", tag, "mention left out")

    def _document(self) -> _MarkedDocument:
        text = "".join(self.pieces)
        closed = [tag for tag in self.tags if tag.end >= 0]
        breaks = sorted({tag.begin for tag in closed} | {tag.end for tag in closed})
        offsets: list[list[Span]] = []
        if self.is_tokenized:
            # Zones begin between words.
            edges = {offset: word_end(text, offset, breaks) for offset, _ in self.zones}
            words, before = blank_words(text, sorted({*breaks, *edges.values()}))
            before |= {offset: before[end] for offset, end in edges.items()}
            if "&" in text:
                words = [list(map(sgml.unescape, sentence)) for sentence in words]
        else:
            walls = {*self.sentence_edges, *(offset for offset, _ in self.zones)}
            offsets = text_tokens(text, breaks, walls, self.has_sentence_tags)
            words = [[text[a:b] for a, b in sentence] for sentence in offsets]
            begins = [begin for sentence in offsets for begin, _ in sentence]
            before = {edge: bisect_left(begins, edge) for edge in {*breaks, *walls}}
        for tag in closed:
            tag.span = (before[tag.begin], before[tag.end])
            if tag.span[0] == tag.span[1]:
                self.locator.fault("CB129", "a mention has no words", tag.tag, "mention left out")
        return _MarkedDocument(
            names=self.names,
            text=None if self.is_tokenized else text,
            words=words,
            offsets=offsets,
            zones=self._token_zones(before, sum(map(len, words))),
            tags=[tag for tag in closed if tag.span[0] < tag.span[1]],
        )

    def _token_zones(self, before: dict[int, int], count: int) -> list[str]:
        """Return the zone of each token; none if all are TXT."""
        if not {zone for _, zone in self.zones} - {"", "TXT"}:
            return []
        ends = [*(before[begin] for begin, _ in self.zones[1:]), count]
        zones: list[str] = []
        for (_, zone), end in zip(self.zones, ends, strict=True):
            zones.extend([zone or "TXT"] * (end - len(zones)))
        return zones


def locate_minimum(words: Sequence[str], nested: Sequence[Span], minimum: str) -> Span | None:
    """Return the tokens that the minimal string covers, or None if it does not occur.

    The first occurrence is taken that begins and ends with tokens and lies outside the nested
    mentions; else the first that begins and ends with tokens; else the first that begins or ends
    inside one, as MIN="Poe" does in "Poe's". White space is ignored.

    >>> locate_minimum(["the", "man", "of", "the", "man", "'s"], [(0, 2)], "the man")
    (3, 5)
    >>> locate_minimum(["Poe's", "cat"], [], "Poe"), locate_minimum(["cat"], [], "dog")
    ((0, 1), None)
    """
    # MIN is typed by hand: its white space need not be that of the text.
    bare = ["".join(word.split()) for word in words]
    text, wanted = "".join(bare), "".join(minimum.split())
    starts = [0, *accumulate(map(len, bare))]
    best: tuple[int, int, Span] | None = None
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        first = bisect_right(starts, at) - 1
        last = bisect_right(starts, at + len(wanted) - 1)
        cut = (starts[first] != at) + (starts[last] != at + len(wanted))
        inside = any(a <= first and last <= b for a, b in nested)
        if best is None or (bool(cut), inside) < best[:2]:
            best = (bool(cut), inside, (first, last))
        if not cut and not inside:
            break
        at = text.find(wanted, at + 1)
    return best[2] if best else None


def inner_spans(spans: Sequence[Span]) -> list[list[Span]]:
    """Return for each span, given in opening order, those inside it, relative to its start.

    >>> inner_spans([(2, 6), (2, 3), (4, 5), (7, 8)])
    [[(0, 1), (2, 3)], [], [], []]
    """
    inner: list[list[Span]] = [[] for _ in spans]
    open_spans: list[int] = []
    for number, (start, end) in enumerate(spans):
        while open_spans and spans[open_spans[-1]][1] <= start:
            open_spans.pop()
        for outer in open_spans:
            if spans[outer] != (start, end):
                inner[outer].append((start - spans[outer][0], end - spans[outer][0]))
        open_spans.append(number)
    return inner


def _document_extents(locator: TextLocator) -> Iterator[tuple[str, Span]]:
    """Yield the attributes and the extent of each document."""
    raw = locator.text

    def fault(code: str, message: str, at: int, found: str, repair: str) -> None:
        locator.strictness.fault(code, message, place=locator.at(at), found=found, repair=repair)

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


def _add_document(build: CorpusBuilder, locator: TextLocator, extent: Span, attributes: str, seen: set[str]) -> None:
    """Add one document: its tokens, mentions and chains."""
    marked = _Scanner(locator, extent).read()
    columns = dict(next(sgml.scan_tags(f"<DOC {attributes}>")).attributes) if attributes else {}
    # The first element that names the document counts; the others become columns.
    names = [(key, *marked.names[key]) for key in NAME_ELEMENTS if key in marked.names]
    columns |= {key: name for key, _, text in names[1:] if (name := sgml.unescape(text.strip()))}
    own_name = sgml.unescape(names[0][2].strip()) if names else ""
    part = names[0][1].get("PART") if names else ""
    name = own_name or build.name
    while f"{name}_{part}" in seen:
        if own_name:
            place = locator.at(extent[0])
            message, repair = "a document name occurs twice", "a number added to the name"
            locator.strictness.fault("CB109", message, place=place, found=name, repair=repair)
        name = f"{own_name or build.name}-{len(seen) + 1}"
    seen.add(f"{name}_{part}")
    build.begin_document(name, parse_natural(part), columns, marked.text)
    position = 0
    for number, words in enumerate(marked.words):
        zones = marked.zones[position : position + len(words)]
        offsets = marked.offsets[number] if marked.offsets else ()
        build.sentence(words, columns={"zone": zones} if zones else None, offsets=offsets)
        position += len(words)
    tags = [tag.tag for tag in marked.tags]
    spans = [tag.span for tag in marked.tags]
    minima: list[list[Span]] = []
    if any(tag.get("MIN") or tag.get("MINSPAN") for tag in tags):
        words = list(itertools.chain.from_iterable(marked.words))
        pairs = zip(marked.tags, inner_spans(spans), strict=True)
        minima = [_minimum(tag, nested, words, locator) for tag, nested in pairs]
    sgml.add_linked_mentions(build, tags, spans, locator, minima)


def _minimum(tag: _OpenTag, nested: list[Span], words: list[str], locator: TextLocator) -> list[Span]:
    """Return the minimal span, if MIN is in the mention."""
    start, end = tag.span
    exact = re.fullmatch(r"(\d{1,6})-(\d{1,6})", tag.tag.get("MINSPAN"))
    if exact and int(exact[1]) < int(exact[2]) <= end - start:
        return [(start + int(exact[1]), start + int(exact[2]))]
    wanted = tag.tag.get("MIN")
    located = locate_minimum(words[start:end], nested, wanted) if wanted else None
    if located is not None:
        return [(start + located[0], start + located[1])]
    if wanted:
        locator.fault("CB127", "MIN is not in its mention", tag.tag, "MIN left out")
    return []
