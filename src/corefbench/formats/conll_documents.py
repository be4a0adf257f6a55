"""The documents of a block of a bracket-column file, and the lines of their tokens."""

import codecs
import re

import numpy as np

from corefbench.errors import FormatError, Place
from corefbench.findings import Finding
from corefbench.formats.base import Reading
from corefbench.formats.lines import Lines
from corefbench.formats.source import Source
from corefbench.model.windows import SPARE, Bytes
from corefbench.record import Columns, Longs, Record

HEADER = re.compile(rb"(?m)^#[ \t]*begin[ \t]+document\b")
BEGINS = re.compile(rb"#[ \t]*begin[ \t]+document")
LONGEST_LINE = 1 << 18
"""Bytes; the longest lines of real corpora have some thousands."""

_MARK = re.compile(r"#\s*(begin|end)\s+document\b\s*(.*?)\s*$")
_NAME = re.compile(r"\((.*)\)\s*;?\s*(?:part\s+(\d+))?\s*;?$")


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
        length = np.diff(self.lines.start, append=len(self.lines.data) - SPARE)
        if len(length) and length.max() > LONGEST_LINE:
            raise FormatError(
                "a line is too long",
                code="CB120",
                place=self.place(int(length.argmax())),
                found=f"{int(length.max()):,} bytes",
                expected=f"at most {LONGEST_LINE:,}",
                remedy="look for lost line ends",
            )

    def _check_encoding(self) -> None:
        text = self.lines.data[:-SPARE].tobytes()
        try:
            text.decode()
        except UnicodeDecodeError as error:
            self.reading.strictness.report(
                Finding(
                    code="CB103",
                    severity="warning",
                    message="the text is not valid UTF-8; other characters are shown as �",
                    place=self.place(text.count(b"\n", 0, error.start)),
                    found=f"byte 0x{text[error.start]:02x}",
                    remedy="convert the file to UTF-8",
                )
            )


class DocumentLines(Record, frozen=True):
    """A document's name and the lines it stands between."""

    name: str
    part: int
    first: int
    last: int


class TokenLines(Columns, frozen=True, eq=False):
    """The lines that hold tokens, and the document of each."""

    line: Longs
    document: Longs
    offsets: Longs
    """Document *d* has the tokens ``offsets[d]`` to ``offsets[d + 1]``."""


def find_documents(block: Block) -> list[DocumentLines]:
    """The documents that begin in the block; a file without marks is one document."""
    marks = _marks(block.lines)
    begins = [(line, rest) for line, kind, rest in marks if kind == "begin"]
    end_of_block = len(block.lines.start)
    if not begins:
        if block.first_line > 1:
            return []
        return [DocumentLines(name=block.source.stem, part=-1, first=-1, last=end_of_block)]
    default = block.source.stem
    ends = np.array([line for line, kind, _ in marks if kind == "end"] + [end_of_block])
    limits = [line for line, _ in begins[1:]] + [end_of_block]
    documents = []
    for (line, rest), limit in zip(begins, limits, strict=True):
        name, part = _name_and_part(rest, default)
        last = min(int(ends[np.searchsorted(ends, line)]), limit)
        documents.append(DocumentLines(name=name, part=part, first=line, last=last))
    return documents


def _marks(lines: Lines) -> list[tuple[int, str, str]]:
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
        block.reading.strictness.fault(
            "CB108",
            "a token stands outside every document",
            place=block.place(stray),
            found=lines.text(stray)[:60],
            expected="tokens between #begin document and #end document",
            repair=f"{np.count_nonzero(~inside)} lines left out",
        )
        token, document = token[inside], document[inside]
    offsets = np.searchsorted(document, np.arange(len(documents) + 1))
    return TokenLines(line=token, document=document, offsets=offsets)
