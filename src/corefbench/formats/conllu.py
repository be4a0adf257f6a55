"""The frame of CoNLL-U and its kin: blocks of whole documents, sentences, comments.

A document begins at ``# newdoc``; a sentence is ended by an empty line; what a comment says of
the document (``# meta::genre = news``) stands before its first token.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from corefbench.errors import FormatError, Place
from corefbench.formats.source import Source, unreadable
from corefbench.record import Columns, Record

NEWDOC = b"\n# newdoc"
COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

_BLANK_LINE = re.compile(rb"(?<=\n)[ \t]+(?=\n)")
_SENTENCE_END = re.compile(rb"\n[ \t\r]*\n")
_COMMENT = re.compile(r"#\s*(newdoc(?: id)?|global\.\w+|meta::[^=]+?)\s*(?:=\s*(.*?))?\s*$")


class Block(Record, frozen=True):
    """Bytes of a source that begin and end where its units do."""

    line: int
    """The number of the first line."""
    content: bytes


class Sentence(Columns, frozen=True, eq=False):
    """The lines of a sentence, comments among them."""

    line: int
    lines: list[str]

    def rows(self) -> list[tuple[int, str]]:
        """The lines that are not comments, with their numbers."""
        numbered = enumerate(self.lines, self.line)
        return [(number, line) for number, line in numbered if line and line[0] != "#"]

    def comments(self) -> Iterator[str]:
        """The comments before the first of these."""
        return takewhile(lambda line: not line or line[0] == "#", self.lines)


class Comments:
    """What the comments have said so far: of the file, and of the document that begins.

    >>> comments = Comments("file")
    >>> comments.hear(["# newdoc id = d", "# meta::genre = news"])
    >>> comments.newdoc, comments.meta
    ('d', {'genre': 'news'})
    """

    def __init__(self, stem: str) -> None:
        self.stem = stem
        self.declared: dict[str, str] = {}
        self.meta: dict[str, str] = {}
        self.newdoc: str | None = stem
        self._documents = 0

    def hear(self, comments: Iterable[str]) -> None:
        for line in comments:
            if ("newdoc" in line or "::" in line or "global." in line) and (
                match := _COMMENT.match(line)
            ):
                key, value = match[1], match[2] or ""
                if key.startswith("newdoc"):
                    self._documents += 1
                    self.newdoc = value or f"{self.stem}-{self._documents}"
                elif key.startswith("meta::"):
                    self.meta[key[6:]] = value
                else:
                    self.declared[key] = value

    def begun(self) -> None:
        """The sentence's tokens were met: later comments belong to later sentences."""
        self.newdoc = None
        self.meta = {}


def blocks(source: Source, size: int, mark: bytes = NEWDOC) -> Iterator[Block]:
    """The source in pieces of about ``size`` bytes, each cut before a ``mark``'s second byte."""
    kept, line = b"", 1
    with source.open() as stream:
        while True:
            try:
                new = stream.read(size)
            except (OSError, EOFError) as error:
                raise unreadable(source.name, error) from error
            kept += new
            cut = kept.rfind(mark) + 1 if new else len(kept)
            if cut:
                yield Block(line=line, content=kept[:cut])
                line += kept.count(b"\n", 0, cut)
                kept = kept[cut:]
            if not new:
                return


def decode(content: bytes, source: Source, line: int) -> str:
    """The bytes, whose first line has that number, as text."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(error, source, line) from error


def _not_utf8(error: UnicodeDecodeError, source: Source, line: int) -> FormatError:
    content = error.object
    return FormatError(
        "the text is not valid UTF-8",
        code="CB103",
        place=Place(source=source.name, line=line + content.count(b"\n", 0, error.start)),
        found=repr(content[error.start : error.end]),
        remedy="convert the file to UTF-8",
    )


def legible(block: Block, source: Source) -> tuple[bytes, FormatError | None]:
    """The bytes, without a byte order mark; where they are not UTF-8, only the sentences before,
    and the error that is to be raised after these."""
    content = block.content
    if block.line == 1:
        content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        ends = [end.end() for end in _SENTENCE_END.finditer(content, 0, error.start)]
        return content[: ends[-1] if ends else 0], _not_utf8(error, source, block.line)
    return content, None


def sentences(block: Block, source: Source) -> Iterator[Sentence]:
    """The sentences of a block, and trailing comments as a sentence without rows."""
    line, content = block.line, block.content
    if line == 1:
        content = content.removeprefix(b"\xef\xbb\xbf")
    if b"\r\n" in content:
        content = content.replace(b"\r\n", b"\n")
    if b"\n " in content or b"\n\t" in content:
        content = _BLANK_LINE.sub(b"", content)
    for chunk in content.split(b"\n\n"):
        lines = decode(chunk, source, line).split("\n")
        yield Sentence(line=line, lines=lines)
        line += len(lines) + 1
