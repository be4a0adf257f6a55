"""A whole file in memory, within a budget, and as text: marked-up files are not read in blocks."""

import gzip
import re
import zlib

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.source import Source, unreadable

BUDGET = 256 << 20
"""The most bytes, unpacked, that a marked-up file may have."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']""")
_ENCODINGS = re.compile(rb"(?i)utf-?8|us-ascii|ascii|iso-?8859-\d{1,2}|latin-?1|windows-125\d")


def contents(source: Source, reading: Reading, budget: int = BUDGET) -> bytes:
    """The bytes of a source, refused where there are none or more than the budget."""
    with source.open() as stream:
        pieces: list[bytes] = []
        size = 0
        try:
            while size <= budget and (piece := stream.read(reading.block_bytes)):
                pieces.append(piece)
                size += len(piece)
                reading.taken(len(piece))
        except (OSError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise unreadable(source.name, error) from error
    content = b"".join(pieces)
    if size > budget:
        raise too_large(source.name, budget)
    if not content.strip():
        raise FormatError("the file is empty", code="CB102", place=Place(source=source.name))
    return content


def too_large(name: str, budget: int) -> FormatError:
    """The error for a file beyond the budget."""
    return FormatError(
        "the file is too large to be read whole",
        code="CB120",
        place=Place(source=name),
        found=f"more than {budget >> 20} MB",
        remedy="split it into files of one document each",
    )


def encoding(content: bytes, name: str) -> str:
    """The declared encoding, UTF-8 where none is; UTF-16 and rarities are refused.

    >>> encoding(b'<?xml version="1.0" encoding="ISO-8859-1"?><a/>', "x")
    'iso-8859-1'
    """
    declared = _DECLARED.match(content.removeprefix(b"\xef\xbb\xbf"))
    if content[:2] in _UTF16:
        found = "UTF-16"
    elif declared is None or _ENCODINGS.fullmatch(declared[1]):
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


def text(content: bytes, name: str, *, fallback: str = "") -> str:
    """The decoded text, line ends as newlines; ``fallback`` serves where UTF-8 does not.

    >>> text(b"caf\\xe9\\r\\n", "x", fallback="latin-1")
    'café\\n'
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    declared = encoding(content, name)
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
