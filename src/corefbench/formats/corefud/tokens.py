"""Token columns of CorefUD: MISC items, paragraphs and speakers."""

import re
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.corpus import Corpus, Tokens
from corefbench.corpus.hashing import hash_words
from corefbench.corpus.strings import Strings
from corefbench.formats.common.conllu import COLUMNS, TokenRows
from corefbench.records import Columns, Flags, Hashes, Longs

ITEM_KEYS = ("Entity=", "Bridge=", "SplitAnte=")

_BAR = ord("|")
_MISC = COLUMNS.index("misc")

PARAGRAPH, SPEAKER = "par", "speaker"
NEWPAR = "NewPar=Yes"

_NEWPAR = re.compile(r"#\s*newpar(?:\s+id)?\s*(?:=\s*(.*?))?\s*$")
_SPEAKER = re.compile(r"#\s*speaker\s*=\s*(.*?)\s*$")
_ITEM = re.compile(rb"(?<=[\t|])NewPar=Yes(?=[|\n\r])")
_ZEROS = ("id", "deps")
"""Zeros are matched by their dependencies, so these stay even where the words do not."""


class MiscItems(Columns, frozen=True, eq=False):
    """Where the items of a block stand, in the order of the text."""

    row: Longs
    kind: Longs
    """The place of its key in ITEMS."""
    start: Longs
    end: Longs
    marked: Longs
    """The rows whose MISC has the name of an item, if only within another."""

    @classmethod
    def of(cls, rows: TokenRows) -> Self:
        places = [_find_key(rows.content, key.encode()) for key in ITEM_KEYS]
        start = np.concatenate(places)
        kind = np.repeat(np.arange(len(ITEM_KEYS)), [len(some) for some in places])
        order = np.argsort(start)
        start, kind = start[order], kind[order]
        first, last = rows.cells(_MISC)
        row = rows.row_at(start)
        inside = (row >= 0) & (start >= first[row]) & (start < last[row]) if len(rows) else row > 0
        start, kind, row = start[inside], kind[inside], row[inside]
        bars = np.append(np.flatnonzero(rows.data == _BAR), len(rows.data))
        end = np.minimum(bars[np.searchsorted(bars, start)], last[row])
        whole = (start == first[row]) | (rows.data[start - 1] == _BAR)
        return cls(row=row[whole], kind=kind[whole], start=start[whole], end=end[whole], marked=np.unique(row))

    def take(self, which: Flags) -> Self:
        """Some of the items."""
        columns = (self.row, self.kind, self.start, self.end)
        row, kind, start, end = (column[which] for column in columns)
        return type(self)(row=row, kind=kind, start=start, end=end, marked=self.marked)

    def value(self, rows: TokenRows, item: int) -> str:
        """What an item says."""
        start = int(self.start[item]) + len(ITEM_KEYS[self.kind[item]])
        return rows.content[start : self.end[item]].decode()


def _find_key(content: bytes, key: bytes) -> Longs:
    """Where a key stands: between the pieces that it divides the content into."""
    pieces = content.split(key)
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return np.cumsum(lengths + len(key))[:-1] - len(key)


def misc_without_items(rows: TokenRows, items: MiscItems) -> Strings:
    """MISC without the items of coreference."""
    first, last = rows.cells(_MISC)
    row = np.unique(items.row)
    # Each item is taken together with the bar, or the TAB, before it.
    length = last[row] + 1 - first[row]
    where = ranges(first[row] - 1, length)
    kept = np.ones(len(where), np.bool_)
    begin = (np.cumsum(length) - length)[np.searchsorted(row, items.row)]
    kept[ranges(begin + items.start - first[items.row], items.end + 1 - items.start)] = False
    left = np.diff(np.append(0, np.cumsum(kept))[np.append(0, np.cumsum(length))])
    end = len(rows.data) + np.cumsum(left)
    first[row], last[row] = end - left + 1, end
    first[row[left < 2]], last[row[left < 2]] = rows.nothing
    return Strings.between(np.concatenate([rows.data, rows.data[where[kept]]]), first, last)


def comment_columns(rows: TokenRows, offsets: Longs) -> dict[str, Strings]:
    """The columns of documents that have the rows ``offsets[d]`` to ``offsets[d + 1]``."""
    columns = {PARAGRAPH: _paragraphs(rows, offsets), SPEAKER: _speakers(rows)}
    return {name: column for name, column in columns.items() if column is not None}


def _paragraphs(rows: TokenRows, offsets: Longs) -> Strings | None:
    ids = {}
    first = rows.first.tolist()
    for sentence, line in rows.comments_beginning(b"# newpar", b"\n\r ="):
        if line == "# newpar":
            ids[first[sentence]] = ""
        elif match := _NEWPAR.match(line):
            ids[first[sentence]] = match[1] or ""
    if NEWPAR.encode() in rows.content:
        places = [match.start() for match in _ITEM.finditer(rows.content)]
        for row in rows.row_at(np.array(places, np.int64)).tolist():
            ids.setdefault(row, "")
    ids.pop(len(rows), None)
    if not ids:
        return None
    begins = np.array(sorted(ids), np.int64)
    document = np.searchsorted(offsets, begins, "right") - 1
    number = np.arange(len(begins)) - np.searchsorted(begins, offsets[document]) + 1
    names = [ids[row] or str(n) for row, n in zip(begins.tolist(), number.tolist(), strict=True)]
    # What stands before the first paragraph of its document is in none.
    edges = np.unique(np.concatenate([offsets[:-1], begins]))
    last = np.searchsorted(begins, edges, "right") - 1
    inside = (last >= 0) & (begins[last] >= offsets[np.searchsorted(offsets, edges, "right") - 1])
    which = np.where(inside, last, len(names))
    lengths = np.diff(np.append(edges, len(rows)))
    return Strings.of([*names, ""]).take(np.repeat(which, lengths))


def _speakers(rows: TokenRows) -> Strings | None:
    names = [""]
    number: dict[str, int] = {}
    of_sentence = np.zeros(len(rows.first) - 1, np.int64)
    for sentence, line in rows.comments_beginning(b"# speake", b"r"):
        if line not in number:
            match = _SPEAKER.match(line)
            number[line] = len(names) if match else 0
            names += [match[1]] if match else []
        if sentence < len(of_sentence):
            of_sentence[sentence] = number[line]
    if len(names) == 1:
        return None
    return Strings.of(names).take(of_sentence[rows.sentence])


class CommentWriter:
    """The same on the way out: what is to be written of one document's paragraphs and speakers.

    A paragraph that begins within a sentence goes into MISC; of several speakers of one sentence
    the first is written.
    """

    def __init__(self, corpus: Corpus, first: int, misc: Sequence[str]) -> None:
        """``first`` is the document's first token, ``misc`` its cells."""
        self._paragraphs, self._speakers = (
            _slice(corpus, name, first, first + len(misc)) for name in (PARAGRAPH, SPEAKER)
        )
        # Where MISC says so already, nothing is to be added.
        self._is_marked = [NEWPAR in cell.split("|") for cell in misc]
        self._count = 0

    def begins_paragraph(self, token: int) -> bool:
        """Whether a paragraph begins that MISC does not tell of."""
        own = self._paragraphs[token]
        changes = bool(own) and (not token or own != self._paragraphs[token - 1])
        self._count += changes
        return changes and not self._is_marked[token]

    def before(self, start: int) -> Iterator[str]:
        """The comments before the sentence that starts at a token."""
        if self.begins_paragraph(start):
            name = self._paragraphs[start]
            yield "# newpar\n" if name == str(self._count) else f"# newpar id = {name}\n"
        speaker = self._speakers[start]
        if speaker not in ("", "-", "_"):
            yield f"# speaker = {speaker}\n"


def _slice(corpus: Corpus, name: str, start: int, end: int) -> list[str]:
    """The cells of a column, each on one line; empty ones without the column."""
    column = corpus.tokens.columns.get(name)
    if column is None:
        return [""] * (end - start)
    return [" ".join(cell.split()) for cell in column.slice(start, end)]


def read_tokens(rows: TokenRows, offsets: Longs, items: MiscItems, *, words: bool) -> Tokens:
    """The tokens of documents that have the rows ``offsets[d]`` to ``offsets[d + 1]``."""
    zeros = bool(rows.empty.any())
    if words:
        columns = {n: rows.column(i) for i, n in enumerate(COLUMNS) if n not in ("form", "misc")}
        columns["misc"] = misc_without_items(rows, items)
        columns |= comment_columns(rows, offsets)
    else:
        columns = {name: _beside_zeros(rows, name) for name in _ZEROS if zeros}
    return Tokens(
        offsets=offsets,
        sentences=rows.first[:-1],
        digests=_digests(rows, offsets),
        words=rows.column(COLUMNS.index("form")) if words else None,
        empty=rows.empty if zeros else None,
        columns=columns,
    )


def _beside_zeros(rows: TokenRows, name: str) -> Strings:
    """A column of the sentences that have empty nodes; nothing in the others."""
    start, end = rows.cells(COLUMNS.index(name))
    beside = np.logical_or.reduceat(rows.empty, rows.first[:-1])[rows.sentence]
    return rows.strings(start, np.where(beside, end, start))


def _digests(rows: TokenRows, offsets: Longs) -> Hashes:
    """The digest of each document's words, which does not see empty nodes."""
    start, end = rows.cells(COLUMNS.index("form"))
    seen = np.append(0, np.cumsum(~rows.empty))
    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    position = seen[:-1] - seen[offsets[document]]
    # An empty cell adds nothing.
    end = np.where(rows.empty, start, end)
    running = np.zeros(len(rows) + 1, np.uint64)
    np.cumsum(hash_words(rows.data, start, end, position), out=running[1:])
    return running[offsets[1:]] - running[offsets[:-1]]
