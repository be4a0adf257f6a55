"""Scan a MUC document: text, zones, tokens and COREF tags."""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError
from corefbench.formats.common.sgml import Tag, TextLocator, scan_tags, unescape
from corefbench.formats.common.spans import split_spans
from corefbench.formats.common.tokenize import tokenize
from corefbench.formats.common.xml import MAX_DEPTH
from corefbench.records import Columns

Span = tuple[int, int]

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


class OpenTag:
    """A COREF tag and the text and tokens it spans."""

    __slots__ = ("begin", "end", "span", "tag")

    def __init__(self, tag: Tag, begin: int) -> None:
        self.tag = tag
        self.begin = begin
        self.end = -1
        self.span: Span = (0, 0)


class MarkedDocument(Columns, frozen=True, eq=False):
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
    tags: list[OpenTag]
    """The COREF tags that are closed and span at least one token, in opening order."""


class Scanner:
    """Reads the tags of one document and collects its text."""

    def __init__(self, locator: TextLocator, extent: Span, strictness: Strictness) -> None:
        raw = locator.text
        self.raw, self.extent = raw, extent
        self.locator, self.strictness = locator, strictness
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
        self.stack: list[OpenTag] = []
        self.tags: list[OpenTag] = []

    def fault(self, code: str, message: str, tag: Tag, repair: str) -> None:
        self.strictness.fault(
            code, message, place=self.locator.at(tag.begin), found=self.raw[tag.begin : tag.end][:80], repair=repair
        )

    def read(self) -> MarkedDocument:
        """Read all tags and return the document."""
        position, end = self.extent
        for tag in scan_tags(self.raw, position, end):
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
                piece = unescape(piece)
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
            opened = OpenTag(tag, self.length)
            self.tags.append(opened)
            if tag.empty:
                opened.end = self.length
            else:
                self.stack.append(opened)
                if len(self.stack) > MAX_DEPTH:
                    raise FormatError(
                        "tags are nested too deep",
                        code="CB122",
                        place=self.locator.at(tag.begin),
                        expected=f"at most {MAX_DEPTH} levels",
                    )
        elif self.stack:
            self.stack.pop().end = self.length
        else:
            self.fault("CB123", "a COREF is closed that was never opened", tag, "tag ignored")

    def _close_open_tags(self) -> None:
        """Report the tags that are open at the end of a zone."""
        while self.stack:
            tag = self.stack.pop().tag
            self.fault("CB124", "a COREF is opened and never closed", tag, "mention left out")

    def _document(self) -> MarkedDocument:
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
                words = [list(map(unescape, sentence)) for sentence in words]
        else:
            walls = {*self.sentence_edges, *(offset for offset, _ in self.zones)}
            offsets = text_tokens(text, breaks, walls, self.has_sentence_tags)
            words = [[text[a:b] for a, b in sentence] for sentence in offsets]
            begins = [begin for sentence in offsets for begin, _ in sentence]
            before = {edge: bisect_left(begins, edge) for edge in {*breaks, *walls}}
        for tag in closed:
            tag.span = (before[tag.begin], before[tag.end])
            if tag.span[0] == tag.span[1]:
                self.fault("CB129", "a mention has no words", tag.tag, "mention left out")
        return MarkedDocument(
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
