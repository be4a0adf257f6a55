"""One document with COREF tags in its text: what is text, where the tags stand, in which zone.

Shared by the MUC format and its writer, which reads back what it is about to write.
"""

import re
from bisect import bisect_left

from corefbench.errors import FormatError
from corefbench.findings import Strictness
from corefbench.formats.markup import Places, Tag, attributes_of, decoded, tags
from corefbench.formats.muc_tokens import Span, blank_words, text_tokens, word_end
from corefbench.formats.xml import DEPTH
from corefbench.record import Columns

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

_ZONE = re.compile(rf"<\s*(?:{'|'.join(sorted(ZONES))})[\s>]", re.IGNORECASE)
# COREF in its usual form, and texts in which every tag ends before another begins, so that a
# piece of such a text has the tags that the text has there.
_COREF = re.compile(r'<(/?)COREF((?:\s+[A-Za-z_][\w.:-]*+="[^"<>]*+")*+)>')
_TAME = re.compile(
    r"""[^<]*+(?:(?:<(?!!--)[^<>"']*+(?:"[^"<>]*+"[^<>"']*+)*+>|<!--[^<>]*-->)[^<]*+)*+"""
)


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
    """Where the words stand in the text; nothing where there is none."""
    zones: list[str]
    """The zone of every token; none where all the text is in one."""
    opened: list[Opened]
    """The COREF tags that are closed again and span at least one token, as they open."""


class Scanner:
    """Goes through the tags of one document and gathers its text."""

    def __init__(self, places: Places, extent: Span, strictness: Strictness) -> None:
        raw = places.text
        self.raw, self.extent = raw, extent
        self.places, self.strictness = places, strictness
        self.blanks = raw.find(BLANKS, *extent) >= 0
        self.zoned = _ZONE.search(raw, *extent) is not None
        self.pieces: list[str] = []
        self.length = 0
        self.apart = False
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
            place=self.places.at(tag.begin),
            found=self.raw[tag.begin : tag.end][:80],
            repair=repair,
        )

    def marked(self) -> Marked:
        """The document, all its tags read."""
        begin, end = self.extent
        if _TAME.fullmatch(self.raw, begin, end):
            self.leap(begin, end)
        else:
            self.walk(begin, end)
        self.leave_open()
        return self.finished()

    def walk(self, begin: int, end: int) -> None:
        """Go from tag to tag."""
        for tag in tags(self.raw, begin, end):
            self.take(self.raw[begin : tag.begin])
            begin = tag.end
            if tag.name == "COREF":
                self.mention(tag)
            else:
                self.hear(tag)
        self.take(self.raw[begin:end])

    def leap(self, begin: int, end: int) -> None:
        """Go from COREF to COREF, and walk where other tags stand between them."""
        pieces = _COREF.split(self.raw[begin:end])
        decoding = not self.blanks and "&" in self.raw[begin:end]
        simple = False  # whether text is to be taken as it is
        rows = zip(pieces[::3], pieces[1::3], pieces[2::3], strict=False)
        for piece, closing, attributes in rows:
            if "<" in piece:
                self.walk(begin, begin + len(piece))
                simple = False
            elif simple and piece:
                self.pieces.append(piece)
                self.length += len(piece)
            elif piece:
                self.take(piece)
                simple = self.zone != "" and not (decoding or self.naming)
            begin += len(piece)
            behind = begin + len(closing) + len(attributes) + len("<COREF>")
            if closing and self.stack:
                self.stack.pop().end = self.length
            else:
                found = attributes_of(attributes)
                self.mention(Tag("COREF", closing == "/", False, found, begin, behind))
            begin = behind
        self.walk(begin, end)

    def take(self, piece: str) -> None:
        """Text between two tags; blanks between zones are not text."""
        if self.naming:
            tag, before = self.names[self.naming]
            self.names[self.naming] = (tag, before + piece)
        elif piece and (self.zone or not self.zoned or not piece.isspace()):
            if not self.blanks:
                piece = decoded(piece)
            if self.apart and not piece[0].isspace():
                piece = "\n" + piece
            self.apart = False
            self.pieces.append(piece)
            self.length += len(piece)

    def hear(self, tag: Tag) -> None:
        """A tag that marks no mention."""
        if tag.name in NAMES:
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
        self.apart = bool(self.pieces) and not self.pieces[-1][-1].isspace()
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
                if len(self.stack) > DEPTH:
                    raise FormatError(
                        "tags are nested too deep",
                        code="CB122",
                        place=self.places.at(tag.begin),
                        expected=f"at most {DEPTH} levels",
                    )
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
        breaks = sorted({o.begin for o in closed} | {o.end for o in closed})
        offsets: list[list[Span]] = []
        if self.blanks:
            places = {offset: word_end(text, offset, breaks) for offset, _ in self.zones}
            words, before = blank_words(text, sorted({*breaks, *places.values()}))
            before |= {offset: before[end] for offset, end in places.items()}
            if "&" in text:
                words = [list(map(decoded, sentence)) for sentence in words]
        else:
            walls = {*self.sentences, *(offset for offset, _ in self.zones)}
            offsets = text_tokens(text, breaks, walls, self.by_sentence)
            words = [[text[a:b] for a, b in sentence] for sentence in offsets]
            begins = [begin for sentence in offsets for begin, _ in sentence]
            before = {edge: bisect_left(begins, edge) for edge in {*breaks, *walls}}
        for o in closed:
            o.span = (before[o.begin], before[o.end])
            if o.span[0] == o.span[1]:
                self.fault("CB129", "a mention has no words", o.tag, "mention left out")
        return Marked(
            names=self.names,
            text=None if self.blanks else text,
            words=words,
            offsets=offsets,
            zones=self.zones_of(before, sum(map(len, words))),
            opened=[o for o in closed if o.span[0] < o.span[1]],
        )

    def zones_of(self, before: dict[int, int], count: int) -> list[str]:
        """The zone of each token, where there are others than TXT."""
        if not {zone for _, zone in self.zones} - {"", "TXT"}:
            return []
        ends = [*(before[begin] for begin, _ in self.zones[1:]), count]
        zones: list[str] = []
        for (_, zone), end in zip(self.zones, ends, strict=True):
            zones.extend([zone or "TXT"] * (end - len(zones)))
        return zones
