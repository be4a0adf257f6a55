"""Blocks, documents and token columns of bracket-column files."""

import codecs
import re
from collections.abc import Iterator
from re import Pattern
from typing import BinaryIO
from urllib.parse import unquote

import numpy as np
from msgspec import field

from corefbench.corpus.byte_search import PADDING, Bytes, byte_windows
from corefbench.corpus.corpus import Tokens
from corefbench.corpus.hashing import hash_words
from corefbench.corpus.strings import Strings
from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.common.lines import FieldCursor, Lines
from corefbench.formats.source import Source
from corefbench.records import Columns, Hashes, Longs, Record

_NEWLINE = ord("\n")
_MARK_BYTES = 64
"""A mark that begins a document may straddle two reads by this much."""

DOCUMENT_HEADER = re.compile(rb"(?m)^#[ \t]*begin[ \t]+document\b")
DOCUMENT_BEGIN = re.compile(rb"#[ \t]*begin[ \t]+document")
MAX_LINE_BYTES = 1 << 18
"""Bytes; the longest lines of real corpora have some thousands."""

_MARK = re.compile(r"#\s*(begin|end)\s+document\b\s*(.*?)\s*$")
_CHAIN_LABEL = re.compile(r"#\s*chain\s+(\d+)\s+=\s?(\S*)\s*$")
_NAME = re.compile(r"\((.*)\)\s*;?\s*(?:part\s+(\d+))?\s*;?$")
_CONLL_2012 = {
    3: "word", 4: "pos", 5: "parse", 6: "lemma", 7: "frameset", 8: "sense", 9: "speaker", 10: "ne",
}  # fmt: skip
_SEMEVAL = {
    0: "id", 1: "word", 2: "lemma", 3: "plemma", 4: "pos", 5: "ppos", 6: "feat", 7: "pfeat",
    8: "head", 9: "phead", 10: "deprel", 11: "pdeprel", 12: "ne", 13: "pne",
}  # fmt: skip


class DocumentBlocks:
    """A stream in blocks of whole documents.

    One buffer serves all blocks, so a block must be done with before the next is asked for. A
    document larger than a block is read whole.
    """

    def __init__(self, stream: BinaryIO, size: int, begins: Pattern[bytes]) -> None:
        self._stream = stream
        self._begins = begins
        self._buffer = bytearray(size + PADDING + 1)
        self._filled = 0
        self._searched = 0

    def __iter__(self) -> Iterator[Bytes]:
        """Each block with a newline and bytes to spare at its end."""
        while self._fill():
            cut = self._last_beginning()
            if cut:
                yield from self._emit(cut)
        if self._filled:
            yield from self._emit(self._filled)

    def _fill(self) -> bool:
        room = len(self._buffer) - PADDING - 1
        if self._filled == room:
            # A new buffer: the caller may still hold the last block, which must not move.
            self._buffer = self._buffer + bytes(room)
            room *= 2
        with memoryview(self._buffer) as view:
            got = _read_into(self._stream, view[self._filled : room])
        self._filled += got
        return got > 0

    def _last_beginning(self) -> int:
        """The start of the last line, after the first, at which a document begins; 0 if none."""
        end = self._filled
        # From the end: the last document that begins here is cut off, all before it are whole.
        while (found := self._buffer.rfind(b"\n#", self._searched, end)) >= 0:
            if self._begins.match(self._buffer, found + 1):
                return found + 1
            end = found
        self._searched = max(self._filled - _MARK_BYTES, 0)
        return 0

    def _emit(self, cut: int) -> Iterator[Bytes]:
        """Hand out the buffer up to ``cut``; keep what is behind it."""
        behind = bytes(self._buffer[cut : self._filled])
        last = cut if self._buffer[cut - 1] == _NEWLINE else cut + 1
        self._buffer[last - 1] = _NEWLINE
        self._buffer[last : last + PADDING] = bytes(PADDING)
        yield np.frombuffer(self._buffer, np.uint8, last + PADDING)
        self._buffer[: len(behind)] = behind
        self._filled, self._searched = len(behind), 0


def _read_into(stream: BinaryIO, view: memoryview) -> int:
    """Fill the view from the stream, as far as the stream goes."""
    got = stream.readinto(view)  # type: ignore[attr-defined]
    return got or 0


class Block(Columns, frozen=True, eq=False):
    """The lines of a block and where in which file they stand."""

    lines: Lines
    source: Source
    reading: Reading
    first_line: int
    """The number, in the file, of the block's first line."""

    def place(self, line: int, position: int | None = None) -> Place:
        """A line of the block, and the byte in it, as a place in the file."""
        column = 0 if position is None else position - int(self.lines.start[line]) + 1
        return Place(source=self.source.name, line=self.first_line + line, column=column)

    @classmethod
    def of(cls, data: Bytes, source: Source, reading: Reading, first_line: int) -> "Block":
        if first_line == 1 and data[:3].tobytes() == codecs.BOM_UTF8:
            data = data[3:]
        lines = Lines.in_buffer(data)
        block = cls(lines=lines, source=source, reading=reading, first_line=first_line)
        block._check_length()
        if reading.words:
            block._check_encoding()
        return block

    @property
    def next_line(self) -> int:
        """The number, in the file, of the line after the block."""
        return self.first_line + len(self.lines.start)

    def _check_length(self) -> None:
        """Refuse a line that no token can fill: looking for its columns would take for ever."""
        length = np.diff(self.lines.start, append=len(self.lines.data) - PADDING)
        if len(length) and length.max() > MAX_LINE_BYTES:
            raise FormatError(
                "a line is too long",
                code="CB120",
                place=self.place(int(length.argmax())),
                found=f"{int(length.max()):,} bytes",
                expected=f"at most {MAX_LINE_BYTES:,}",
                remedy="look for lost line ends",
            )

    def _check_encoding(self) -> None:
        text = self.lines.data[:-PADDING].tobytes()
        try:
            text.decode()
        except UnicodeDecodeError as error:
            self.reading.warn(
                "CB103",
                "the text is not valid UTF-8; other characters are shown as �",
                self.place(text.count(b"\n", 0, error.start)),
                f"byte 0x{text[error.start]:02x}",
                "convert the file to UTF-8",
            )


class DocumentLines(Record, frozen=True):
    """A document's name and the lines it stands between."""

    name: str
    part: int
    first: int
    last: int
    labels: dict[str, str] = field(default_factory=dict)
    """The labels of chains, by their numbers in the brackets."""


class TokenLines(Columns, frozen=True, eq=False):
    """The lines that hold tokens, and the document of each."""

    line: Longs
    document: Longs
    offsets: Longs
    """Document *d* has the tokens ``offsets[d]`` to ``offsets[d + 1]``."""


def find_documents(block: Block) -> list[DocumentLines]:
    """The documents that begin in the block; a file without marks is one document."""
    marks = _document_marks(block.lines)
    begins = [(line, rest) for line, kind, rest in marks if kind == "begin"]
    end_of_block = len(block.lines.start)
    if not begins:
        if block.first_line > 1:
            return []
        return [DocumentLines(name=block.source.stem, part=-1, first=-1, last=end_of_block)]
    default = block.source.stem
    ends = np.array([line for line, kind, _ in marks if kind == "end"] + [end_of_block])
    limits = [line for line, _ in begins[1:]] + [end_of_block]
    spans = [(line, limit) for (line, _), limit in zip(begins, limits, strict=True)]
    unfinished = [line for line, limit in spans if ends[np.searchsorted(ends, line)] >= limit]
    if unfinished:
        # Not a fault: all tokens are there, as far as can be told, and scores can be computed.
        block.reading.warn(
            "CB107",
            "a document is not ended; the file may be cut off",
            block.place(unfinished[0]),
            f"{len(unfinished)} documents without #end document",
            "check that the file is complete",
        )
    documents = []
    for (line, rest), limit in zip(begins, limits, strict=True):
        name, part = _name_and_part(rest, default)
        last = min(int(ends[np.searchsorted(ends, line)]), limit)
        labels = _chain_labels(block.lines, line, limit)
        documents.append(DocumentLines(name=name, part=part, first=line, last=last, labels=labels))
    return documents


def _chain_labels(lines: Lines, first: int, limit: int) -> dict[str, str]:
    """The labels that comments between two lines give to chains."""
    comments = first + np.flatnonzero(lines.comment[first:limit])
    matches = (_CHAIN_LABEL.match(lines.text(line)) for line in comments.tolist())
    return {match[1]: unquote(match[2]) for match in matches if match}


def _document_marks(lines: Lines) -> list[tuple[int, str, str]]:
    """Line, kind and rest of every ``#begin document …`` and ``#end document``."""
    marks = []
    for line in np.flatnonzero(lines.comment).tolist():
        mark = _MARK.match(lines.text(line))
        if mark:
            marks.append((line, mark[1], mark[2]))
    return marks


def _name_and_part(rest: str, default: str) -> tuple[str, int]:
    """``(bn/cnn_0001); part 000`` is part 0 of bn/cnn_0001; other styles have the bare name."""
    match = _NAME.match(rest)
    if match:
        return match[1] or default, int(match[2]) if match[2] and len(match[2]) < 9 else -1
    return rest or default, -1


def find_tokens(block: Block, documents: list[DocumentLines]) -> TokenLines:
    """The token lines of the documents; tokens outside every document are a fault."""
    lines = block.lines
    token = np.flatnonzero(~(lines.blank | lines.comment))
    first = np.array([d.first for d in documents], np.int64)
    last = np.array([d.last for d in documents], np.int64)
    document = np.searchsorted(first, token, "right") - 1
    inside = (document >= 0) & (token < last[document]) if len(documents) else token < 0
    if not inside.all():
        stray = int(token[np.argmin(inside)])
        block.reading.fault(
            "CB108",
            "a token stands outside every document",
            block.place(stray),
            lines.text(stray)[:60],
            f"{np.count_nonzero(~inside)} lines left out",
            expected="tokens between #begin document and #end document",
        )
        token, document = token[inside], document[inside]
    offsets = np.searchsorted(document, np.arange(len(documents) + 1))
    return TokenLines(line=token, document=document, offsets=offsets)


def column_names(lines: Lines, token_line: Longs, *, semeval: bool) -> dict[int, str]:
    """What the columns are called, judged by how many the first token line has."""
    if not len(token_line):
        return {0: "word"}
    text = lines.text(int(token_line[0]))
    count = len(text.split("\t")) if "\t" in text else len(text.split())
    if semeval and count > 2:
        return {i: name for i, name in _SEMEVAL.items() if i < count - 1}
    if count >= 11:
        return {i: name for i, name in _CONLL_2012.items() if i < count - 1}
    return {3: "word"} if count >= 5 else {1: "word"} if count >= 3 else {0: "word"}


def read_tokens(block: Block, tokens: TokenLines, names: dict[int, str]) -> Tokens:
    """Sentences and digests, and the named columns where they are asked for."""
    lines, keep = block.lines, block.reading.words
    word = next(index for index, name in names.items() if name == "word")
    skipped = 2 if min(names) >= 2 else 0
    start = _after_common_columns(lines, tokens, skipped)
    fields = FieldCursor(lines, tokens.line, start)
    columns: dict[str, Strings] = {}
    digests = np.zeros(len(tokens.offsets) - 1, np.uint64)
    for index in range(0 if start is None else skipped, (max(names) if keep else word) + 1):
        start, end = fields.take()
        if index == word:
            digests = _digests(lines, tokens, start, end)
        if keep and index in names:
            columns[names[index]] = Strings.between(lines.data, start, end)
    words = columns.pop("word", None)
    return Tokens(offsets=tokens.offsets, sentences=_sentences(tokens), digests=digests, words=words, columns=columns)


def _after_common_columns(lines: Lines, tokens: TokenLines, columns: int) -> Longs | None:
    """Past the first few columns of every line, if these are the same throughout a document.

    Document and part stand in front of every line; they are as wide as in the document's first
    line if they end with the same eight bytes. None where that does not hold.
    """
    counts = np.diff(tokens.offsets)
    first = tokens.line[tokens.offsets[:-1][counts > 0]]
    if not columns or not len(first):
        return None
    fields = FieldCursor(lines, first)
    for _ in range(columns):
        _, end = fields.take()
    after = np.minimum(end + 1, lines.end[first])
    width = after - lines.start[first]
    if width.min() < PADDING:
        return None
    window = byte_windows(lines.data)
    counts = counts[counts > 0]
    position = lines.start[tokens.line] + np.repeat(width, counts)
    if position.max() - PADDING >= len(window):  # the last line is cut off
        return None
    same = window[position - PADDING] == np.repeat(window[after - PADDING], counts)
    return position if same.all() else None


def _sentences(tokens: TokenLines) -> Longs:
    """A token begins a sentence where the line before it holds none."""
    begins = np.ones(len(tokens.line), np.bool_)
    begins[1:] = np.diff(tokens.line) > 1
    first = tokens.offsets[:-1]
    begins[first[first < len(begins)]] = True
    return np.flatnonzero(begins)


def _digests(lines: Lines, tokens: TokenLines, start: Longs, end: Longs) -> Hashes:
    position = np.arange(len(start)) - tokens.offsets[tokens.document]
    running = np.zeros(len(start) + 1, np.uint64)
    np.cumsum(hash_words(lines.data, start, end, position), out=running[1:])
    return running[tokens.offsets[1:]] - running[tokens.offsets[:-1]]
