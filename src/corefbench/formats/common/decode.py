"""Read files whole or in blocks, and decode text and JSON."""

import gzip
import re
import zlib
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.source import Source, unreadable_error
from corefbench.records import Record

MAX_FILE_BYTES = 256 << 20
"""Maximum size, unpacked, of a file that is read whole."""

_UTF16_BEGINNINGS = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']""")
_SUPPORTED_ENCODINGS = re.compile(rb"(?i)utf-?8|us-ascii|ascii|iso-?8859-\d{1,2}|latin-?1|windows-125\d")

Shape = TypeVar("Shape")


def read_bytes(source: Source, reading: Reading, budget: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a source; raise if there are none, or more than the budget."""
    with source.open() as stream:
        pieces: list[bytes] = []
        size = 0
        try:
            while size <= budget and (piece := stream.read(reading.block_bytes)):
                pieces.append(piece)
                size += len(piece)
                reading.report_progress(len(piece))
        except (OSError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise unreadable_error(source.name, error) from error
    content = b"".join(pieces)
    if size > budget:
        raise too_large_error(source.name, budget)
    if not content.strip():
        raise FormatError("the file is empty", code="CB102", place=Place(source=source.name))
    return content


def too_large_error(name: str, budget: int) -> FormatError:
    """Return the error for a file beyond the budget."""
    return FormatError(
        "the file is too large to be read whole",
        code="CB120",
        place=Place(source=name),
        found=f"more than {budget >> 20} MB",
        remedy="split it into files of one document each",
    )


def declared_encoding(content: bytes, name: str) -> str:
    """Return the declared encoding, by default UTF-8; raise for UTF-16 and rare encodings.

    >>> declared_encoding(b'<?xml version="1.0" encoding="ISO-8859-1"?><a/>', "x")
    'iso-8859-1'
    """
    declared = _XML_ENCODING.match(content.removeprefix(b"\xef\xbb\xbf"))
    if content[:2] in _UTF16_BEGINNINGS:
        found = "UTF-16"
    elif declared is None or _SUPPORTED_ENCODINGS.fullmatch(declared[1]):
        return declared[1].decode().lower() if declared else "utf-8"
    else:
        found = declared[1].decode("ascii", "replace")[:40]
    raise FormatError(
        "the encoding of the file is not read",
        code="CB103",
        place=Place(source=name, line=1),
        found=found,
        expected="UTF-8, or a declared ISO-8859 or Windows code page",
        remedy=f"iconv -f {found if found.isascii() else 'UTF-16'} -t UTF-8, and declare UTF-8",
    )


def read_text(source: Source, reading: Reading, *, fallback: str = "") -> str:
    """Return the text of a source, decoded as by ``decode_text``."""
    return decode_text(read_bytes(source, reading), source.name, fallback=fallback)


def parse_natural(text: str, default: int = -1) -> int:
    """Return the number that a text of at most nine digits is, else the default.

    Nine digits fit into 32 bits; ``isdigit`` alone would let ``²`` through.

    >>> parse_natural("12"), parse_natural("²"), parse_natural("", 0)
    (12, -1, 0)
    """
    return int(text) if len(text) < 10 and text.isascii() and text.isdigit() else default


def decode_text(content: bytes, name: str, *, fallback: str = "") -> str:
    """Return the text with line ends as newlines; try ``fallback`` if it is not UTF-8.

    >>> decode_text(b"caf\\xe9\\r\\n", "x", fallback="latin-1")
    'café\\n'
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    declared = declared_encoding(content, name)
    try:
        decoded = content.decode(declared)
    except UnicodeDecodeError as error:
        if not fallback or declared != "utf-8":
            line = content.count(b"\n", 0, error.start) + 1
            raise FormatError(
                f"the text is not valid {declared.upper()}",
                code="CB103",
                place=Place(source=name, line=line),
                found=repr(content[error.start : error.end]),
                remedy="convert the file to UTF-8",
            ) from error
        decoded = content.decode(fallback)
    return decoded.replace("\r\n", "\n").replace("\r", "\n") if "\r" in decoded else decoded


def decode_json(
    decoder: "msgspec.json.Decoder[Shape]", text: bytes, place: Place, *, description: str, expected: str
) -> Shape:
    """Decode a line of JSON; raise if it is not UTF-8, not JSON, or has another shape."""
    try:
        return decoder.decode(text)
    except UnicodeDecodeError as error:
        raise FormatError(
            "the text is not valid UTF-8",
            code="CB103",
            place=place,
            found=repr(text[error.start : error.end]),
            remedy="convert the file to UTF-8",
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormatError(
            f"the line is not a document {description}", code="CB111", place=place, found=str(error), expected=expected
        ) from error


class Block(Record, frozen=True):
    """Bytes of a source that begin and end where its units do."""

    line: int
    """The number of the first line."""
    content: bytes


def iter_blocks(source: Source, size: int, mark: bytes) -> Iterator[Block]:
    """The source in pieces of about ``size`` bytes, each cut before a ``mark``'s second byte."""
    kept, line = b"", 1
    with source.with_newlines().open() as stream:
        while True:
            try:
                new = stream.read(size)
            except (OSError, EOFError) as error:
                raise unreadable_error(source.name, error) from error
            kept += new
            # No mark in the block: the document goes on, and more is read.
            cut = kept.rfind(mark) + 1 if new else len(kept)
            if cut:
                yield Block(line=line, content=kept[:cut])
                line += kept.count(b"\n", 0, cut)
                kept = kept[cut:]
            if not new:
                return


def decode_utf8(content: bytes, source: Source, line: int) -> str:
    """The bytes, whose first line has that number, as text."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise not_utf8_error(error, source, line) from error


def not_utf8_error(error: UnicodeDecodeError, source: Source, line: int) -> FormatError:
    """Return the error for text that is not UTF-8; ``line`` is that of its first byte."""
    content = error.object
    return FormatError(
        "the text is not valid UTF-8",
        code="CB103",
        place=Place(source=source.name, line=line + content.count(b"\n", 0, error.start)),
        found=repr(content[error.start : error.end]),
        remedy="convert the file to UTF-8",
    )
