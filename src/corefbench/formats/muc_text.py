"""One document with COREF tags in its text: what is text, where the tags stand, in which zone.

Shared by the MUC format and its writer, which reads back what it is about to write.
"""

import re
from bisect import bisect_left

from corefbench.findings import Strictness
from corefbench.formats.markup import Tag, decoded, place, tags
from corefbench.formats.tokenise import tokenise
from corefbench.record import Columns

Span = tuple[int, int]

NAMES = ("DOCID", "DOCNO", "STORYID")
"""Elements that name the document and are not part of its text."""
ZONES = frozenset(
    [
        "TXT",
        "TEXT",
        "HL",
        "DD",
        "DATELINE",
        "SLUG",
        "DATE",
        "NWORDS",
        "PREAMBLE",
        "TRAILER",
        "CO",
        "IN",
        "SO",
        "G",
    ]
)
BLANKS = "<!-- tokens stand between blanks, sentences on lines -->"
"""Our own remark at the head of a document whose text is given as words."""

# Annotators put tags at possessives and hyphens. Tokens always break there, so that a key and a
# response have the same tokens, whatever was annotated.
_ALWAYS = re.compile(r"(?<=\w)(?=['’][sS]\b)|(?<=\w)(?=-\w)|(?<=\w-)(?=\w)")
_ZONE = re.compile(rf"<\s*(?:{'|'.join(sorted(ZONES))})[\s>]", re.IGNORECASE)


class Opened:
    """A COREF tag and the part of the text it spans."""

    __slots__ = ("begin", "end", "span", "tag")

    def __init__(self, tag: Tag, begin: int) -> None:
        self.tag = tag
        self.begin = begin
        self.end = -1
        self.span: Span = (0, 0)


class Marked(Columns, frozen=True, eq=False):
    """A document as read: tokens, and tags with the tokens they span."""

    names: dict[str, tuple[Tag, str]]
    """The elements that name it."""
    text: str | None
    """The text without tags; None where the file gives words."""
    words: list[list[str]]
    offsets: list[list[Span]]
    zones: list[str]
    """The zone of every token; none where all the text is in one."""
    opened: list[Opened]
    """The COREF tags that are closed again and span at least one token, as they open."""


class Scanner:
    """Goes through the tags of one document and gathers its text."""

    def __init__(self, raw: str, extent: Span, source: str, strictness: Strictness) -> None:
        self.raw, self.extent = raw, extent
        self.source, self.strictness = source, strictness
        self.blanks = raw.find(BLANKS, *extent) >= 0
        self.zoned = _ZONE.search(raw, *extent) is not None
        self.pieces: list[str] = []
        self.length = 0
        self.zone = self.naming = ""
        self.zones: list[tuple[int, str]] = [(0, "")]
        self.sentences: list[int] = []
        self.by_sentence = False
        self.names: dict[str, tuple[Tag, str]] = {}
        self.stack: list[Opened] = []
        self.opened: list[Opened] = []

    def fault(self, code: str, message: str, tag: Tag, repair: str) -> None:
        self.strictness.fault(
            code,
            message,
            place=place(self.raw, tag.begin, self.source),
            found=self.raw[tag.begin : tag.end][:80],
            repair=repair,
        )

    def marked(self) -> Marked:
        """The document, all its tags read."""
        position = self.extent[0]
        for tag in tags(self.raw, *self.extent):
            self.take(self.raw[position : tag.begin])
            position = tag.end
            self.hear(tag)
        self.take(self.raw[position : self.extent[1]])
        self.leave_open()
        return self.finished()

    def take(self, piece: str) -> None:
        """Text between two tags; blanks between zones are not text."""
        if self.naming:
            tag, before = self.names[self.naming]
            self.names[self.naming] = (tag, before + piece)
        elif piece and (self.zone or not self.zoned or not piece.isspace()):
            if not self.blanks:
                piece = decoded(piece)
            self.pieces.append(piece)
            self.length += len(piece)

    def hear(self, tag: Tag) -> None:
        if tag.name == "COREF":
            self.mention(tag)
        elif tag.name in NAMES:
            self.naming = "" if tag.closing else tag.name
            if not tag.closing:
                self.names[tag.name] = (tag, "")
        elif tag.name in ZONES:
            self.leave_open()
            self.enter("" if tag.closing else tag.name)
        elif tag.name in ("P", "S"):
            self.sentences.append(self.length)
            self.by_sentence |= tag.name == "S"

    def enter(self, zone: str) -> None:
        """A zone begins or ends; text of two zones never runs together."""
        if self.pieces and not self.pieces[-1][-1].isspace():
            self.pieces.append("\n")
            self.length += 1
        self.zone = zone
        self.zones.append((self.length, zone))

    def mention(self, tag: Tag) -> None:
        if not tag.closing:
            opened = Opened(tag, self.length)
            self.opened.append(opened)
            if tag.empty:
                opened.end = self.length
            else:
                self.stack.append(opened)
        elif self.stack:
            self.stack.pop().end = self.length
        else:
            self.fault("CB123", "a COREF is closed that was never opened", tag, "tag ignored")

    def leave_open(self) -> None:
        """Nothing stays open past the end of its zone."""
        while self.stack:
            tag = self.stack.pop().tag
            self.fault("CB124", "a COREF is opened and never closed", tag, "mention left out")

    def finished(self) -> Marked:
        text = "".join(self.pieces)
        closed = [o for o in self.opened if o.end >= 0]
        breaks = sorted({edge for o in closed for edge in (o.begin, o.end)})
        offsets = self.tokens(text, breaks)
        flat = [span for sentence in offsets for span in sentence]
        begins = [begin for begin, _ in flat]
        for o in closed:
            o.span = (bisect_left(begins, o.begin), bisect_left(begins, o.end))
            if o.span[0] == o.span[1]:
                self.fault("CB129", "a mention has no words", o.tag, "mention left out")
        words = [[text[a:b] for a, b in sentence] for sentence in offsets]
        if self.blanks:
            words = [list(map(decoded, sentence)) for sentence in words]
        return Marked(
            names=self.names,
            text=None if self.blanks else text,
            words=words,
            offsets=offsets,
            zones=self.zones_of(begins),
            opened=[o for o in closed if o.span[0] < o.span[1]],
        )

    def tokens(self, text: str, breaks: list[int]) -> list[list[Span]]:
        """Tokens by sentence; zones, paragraphs and sentence tags divide sentences."""
        if self.blanks:
            return blank_tokens(text, breaks)
        breaks = sorted({*breaks, *(m.start() for m in _ALWAYS.finditer(text))})
        walls = {0, len(text), *self.sentences, *(offset for offset, _ in self.zones)}
        edges = sorted(walls)
        found: list[list[Span]] = []
        for begin, end in zip(edges, edges[1:], strict=False):
            inside = breaks[bisect_left(breaks, begin) : bisect_left(breaks, end)]
            some = tokenise(text[begin:end], [edge - begin for edge in inside], lines=False)
            if self.by_sentence and some:
                some = [[span for sentence in some for span in sentence]]
            found.extend([(a + begin, b + begin) for a, b in sentence] for sentence in some)
        return found

    def zones_of(self, begins: list[int]) -> list[str]:
        """The zone of each token, where there are others than TXT."""
        if not {zone for _, zone in self.zones} - {"", "TXT"}:
            return []
        zones: list[str] = []
        for (begin, zone), (end, _) in zip(
            self.zones, [*self.zones[1:], (self.length + 1, "")], strict=True
        ):
            count = bisect_left(begins, end) - bisect_left(begins, begin)
            zones.extend([zone or "TXT"] * count)
        return zones


def blank_tokens(text: str, breaks: list[int]) -> list[list[Span]]:
    """The words between blanks and tags, a sentence a line.

    >>> blank_tokens("a bc\\nd\\n", [3])
    [[(0, 1), (2, 3), (3, 4)], [(5, 6)]]
    """
    found: list[list[Span]] = []
    position = 0
    for line in text.split("\n"):
        end = position + len(line)
        inside = breaks[bisect_left(breaks, position) : bisect_left(breaks, end)]
        edges = [position, *inside, end]
        sentence = [
            match.span()
            for a, b in zip(edges, edges[1:], strict=False)
            for match in _WORD.finditer(text, a, b)
        ]
        if sentence:
            found.append(sentence)
        position = end + 1
    return found


_WORD = re.compile(r"[^ \n]+")
