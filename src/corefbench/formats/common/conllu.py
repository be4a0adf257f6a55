"""Blocks, sentences, comments and token rows of CoNLL-U files.

A document begins at ``# newdoc``; a sentence is ended by an empty line; what a comment says of
the document (``# meta::genre = news``) stands before its first token.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import takewhile

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.byte_search import PADDING, byte_windows
from corefbench.corpus.strings import Strings
from corefbench.errors import FormatError
from corefbench.formats.common.decode import Block, decode_utf8, not_utf8_error
from corefbench.formats.common.lines import Lines
from corefbench.formats.source import Source
from corefbench.records import Columns, Flags, Hashes, Longs

NEWDOC = b"\n# newdoc"
"""What a block of CoNLL-U is cut before (its second byte)."""
COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

_BLANK_LINE = re.compile(rb"(?<=\n)[ \t]+(?=\n)")
_SENTENCE_END = re.compile(rb"\n[ \t\r]*\n")
_COMMENT = re.compile(r"#\s*(newdoc(?: id)?|global\.\w+|meta::[^=]+?)\s*(?:=\s*(.*?))?\s*$")
_TAB, _NEWLINE, _BLANK, _NOTHING, _DEL = b"\t\n _\x7f"
_BYTE, _WORD = np.uint64(0xFF), np.uint64(0xFFFFFFFF)
_DOCUMENT_KEYWORDS = [int.from_bytes(word, "little") for word in (b"newd", b"glob", b"meta")]


def one_line(text: str) -> str:
    """Return a text that fits into a comment."""
    return " ".join(text.split())


def percent_encode(match: re.Match[str]) -> str:
    """Return the bytes of a match as ``%28``: brackets and bars have a meaning in cells."""
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


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
    """What the comments tell of the file, and of the document that begins.

    >>> comments = Comments("file")
    >>> comments.read(["# newdoc id = d", "# meta::genre = news"])
    >>> comments.newdoc, comments.meta
    ('d', {'genre': 'news'})
    """

    def __init__(self, stem: str) -> None:
        self.stem = stem
        self.declared: dict[str, str] = {}
        self.meta: dict[str, str] = {}
        self.newdoc: str | None = stem
        self._documents = 0

    def read(self, comments: Iterable[str]) -> None:
        for line in comments:
            if ("newdoc" in line or "::" in line or "global." in line) and (match := _COMMENT.match(line)):
                key, value = match[1], match[2] or ""
                if key.startswith("newdoc"):
                    self._documents += 1
                    self.newdoc = value or f"{self.stem}-{self._documents}"
                elif key.startswith("meta::"):
                    self.meta[key[6:]] = value
                else:
                    self.declared[key] = value

    def end_header(self) -> None:
        """Forget what was read of the document: its first sentence has begun."""
        self.newdoc = None
        self.meta = {}


def decodable_part(block: Block, source: Source) -> tuple[bytes, FormatError | None]:
    """The bytes, without a byte order mark; where they are not UTF-8, only the sentences before,
    and the error that is to be raised after these."""
    content = block.content
    if block.line == 1:
        content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        ends = [end.end() for end in _SENTENCE_END.finditer(content, 0, error.start)]
        return content[: ends[-1] if ends else 0], not_utf8_error(error, source, block.line)
    return content, None


def iter_sentences(block: Block, source: Source) -> Iterator[Sentence]:
    """The sentences of a block, and trailing comments as a sentence without rows."""
    line, content = block.line, block.content
    if line == 1:
        content = content.removeprefix(b"\xef\xbb\xbf")
    if b"\r\n" in content:
        content = content.replace(b"\r\n", b"\n")
    if b"\n " in content or b"\n\t" in content:
        content = _BLANK_LINE.sub(b"", content)
    for chunk in content.split(b"\n\n"):
        lines = decode_utf8(chunk, source, line).split("\n")
        yield Sentence(line=line, lines=lines)
        line += len(lines) + 1


class TokenRows:
    """The token lines of a block, a row each.

    >>> rows = TokenRows(b"# newdoc\\n1-2\\tdel\\n1\\tde\\n2\\tel\\n\\n1\\tya\\n", line=7)
    >>> list(rows.column(1)), rows.first.tolist(), [rows.number(row) for row in range(3)]
    (['de', 'el', 'ya'], [0, 2, 3], [9, 10, 12])
    """

    def __init__(self, content: bytes, line: int, *, multiword: bool = False) -> None:
        """``line`` is the number, in the file, of the first line; with ``multiword``, lines of
        multiword tokens are rows too."""
        end = b"" if content.endswith(b"\n") else b"\n"
        # The bytes to spare begin with what missing cells read as.
        self.content = content + end + b"_".ljust(PADDING, b"\0")
        self.data = np.frombuffer(self.content, np.uint8)
        self.lines = lines = Lines.in_buffer(self.data)
        self.nothing = (len(self.content) - PADDING, len(self.content) - PADDING + 1)
        """Where a cell stands that says ``_``."""
        self._first_line = line
        self._tabs = np.append(np.flatnonzero(self.data == _TAB), len(self.data))
        self._paragraph = np.cumsum(lines.blank)
        self._full = np.flatnonzero(~(lines.blank | lines.comment))
        self._set(self._full)
        if not multiword:
            self._set(self._full[~self.contains(0, b"-")])
        paragraph = self._paragraph[self.line]
        begins = np.flatnonzero(np.diff(paragraph, prepend=-1))
        self.first: Longs = np.append(begins, len(self.line))
        """The first row of every sentence and, at the end, the number of rows."""
        self._sentence_paragraph = paragraph[begins]

    def _set(self, line: Longs) -> None:
        self.line = line
        self._start, self._end = self.lines.start[line], self.lines.end[line]
        self._first_tab = np.searchsorted(self._tabs, self._start)
        self._tab_count = np.searchsorted(self._tabs, self._end) - self._first_tab

    def __len__(self) -> int:
        return len(self.line)

    def number(self, row: int) -> int:
        """The number, in the file, of the row's line."""
        return self._first_line + int(self.line[row])

    def text(self, column: int, row: int) -> str:
        """One cell."""
        cells = self.lines.text(self.line[row]).split("\t")
        return cells[column] if column < len(cells) else "_"

    @cached_property
    def sentence(self) -> Longs:
        """The number of each row's sentence."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @cached_property
    def empty(self) -> Flags:
        """Which rows are empty nodes (``3.1``)."""
        return self.contains(0, b".")

    def cells(self, column: int) -> tuple[Longs, Longs]:
        """Where the cells of a column begin and end."""
        end = np.minimum(self._tabs.take(self._first_tab + column, mode="clip"), self._end)
        if not column:
            return self._start, end
        start = self._tabs.take(self._first_tab + column - 1, mode="clip") + 1
        missing = np.flatnonzero(self._tab_count < column)
        start[missing], end[missing] = self.nothing
        return start, end

    def filled_cells(self, column: int) -> tuple[Longs, Longs, Longs]:
        """The rows whose cell in a column is not ``_``, and where these cells begin and end."""
        start, end = self.cells(column)
        row = np.flatnonzero((end != start + 1) | (self.data[start] != _NOTHING))
        return row, start[row], end[row]

    def column(self, column: int) -> Strings:
        """The cells of a column."""
        return self.strings(*self.cells(column))

    def strings(self, start: Longs, end: Longs) -> Strings:
        """The strings between places of the data."""
        return Strings.between(self.data, start, end)

    def texts(self, start: Longs, end: Longs) -> list[str]:
        """The strings between places of the data, none of which holds a newline, decoded."""
        if not len(start):
            return []
        text = self.data[ranges(start, end + 1 - start)]
        text[np.cumsum(end + 1 - start) - 1] = _NEWLINE
        return text[:-1].tobytes().decode("utf-8", "replace").split("\n")

    def contains(self, column: int, byte: bytes) -> Flags:
        """Which cells of a column contain a byte."""
        start, end = self.cells(column)
        found = np.zeros(len(start), np.bool_)
        hits = np.flatnonzero(self.data[ranges(start, end - start)] == byte[0])
        found[np.searchsorted(np.cumsum(end - start), hits, "right")] = True
        return found

    def row_at(self, place: Longs) -> Longs:
        """The row that begins at or before each place of the data; -1 where none does."""
        return np.searchsorted(self._start, place, "right") - 1

    def min_cells(self) -> int:
        """The number of cells of the shortest row."""
        return int(self._tab_count.min()) + 1

    def short_lines(self, columns: int) -> dict[int, list[tuple[int, int]]]:
        """Where a sentence has rows with fewer cells than ``columns``: the number of each line
        that has fewer, multiword tokens too, with how many it has."""
        rows = np.flatnonzero(self._tab_count < columns - 1)
        sentences = np.unique(self.sentence[rows])
        paragraph, wanted = self._paragraph[self._full], self._sentence_paragraph[sentences]
        first, last = (np.searchsorted(paragraph, wanted), np.searchsorted(paragraph, wanted, "right"))
        found: dict[int, list[tuple[int, int]]] = {}
        for sentence, a, b in zip(sentences.tolist(), first.tolist(), last.tolist(), strict=True):
            lines = self._full[a:b].tolist()
            counts = [(line, self.lines.text(line).count("\t") + 1) for line in lines]
            found[sentence] = [(self._first_line + n, c) for n, c in counts if c < columns]
        return found

    def comments(self) -> dict[int, list[str]]:
        """For sentences, by number, the comments before them that may tell of documents; after
        the last sentence under the number of sentences."""
        line, begin = self._openings
        blank = ((begin >> np.uint64(8)) & _BYTE) == _BLANK
        word = (begin >> np.uint64(16)) & _WORD
        letter = ((word & _BYTE) > _BLANK) & ((word & _BYTE) < _DEL)
        comments: dict[int, list[str]] = {}
        for number, text in self._placed(line[~(blank & letter) | np.isin(word, _DOCUMENT_KEYWORDS)]):
            comments.setdefault(number, []).append(text)
        return comments

    def comments_beginning(self, opening: bytes, after: bytes) -> list[tuple[int, str]]:
        """The comments that begin with eight bytes and then one of ``after``, each with the number
        of the sentence it stands before."""
        line, begin = self._openings
        line = line[begin == np.uint64(int.from_bytes(opening, "little"))]
        ninth = self.data[self.lines.start[line] + len(opening)]
        return self._placed(line[np.isin(ninth, np.frombuffer(after, np.uint8))])

    @cached_property
    def _openings(self) -> tuple[Longs, Hashes]:
        """The lines of comments, and the first eight bytes of each."""
        line = np.flatnonzero(self.lines.comment)
        return line, byte_windows(self.data)[self.lines.start[line]]

    def _placed(self, line: Longs) -> list[tuple[int, str]]:
        """Comments with their sentences; those between the lines of a sentence tell nothing."""
        full = np.append(self._full, len(self.lines.start))
        paragraph = self._paragraph[line]
        line = line[full[np.searchsorted(self._paragraph[self._full], paragraph)] > line]
        sentence = np.searchsorted(self._sentence_paragraph, self._paragraph[line])
        texts = self.texts(self.lines.start[line], self.lines.end[line])
        return list(zip(sentence.tolist(), texts, strict=True))
