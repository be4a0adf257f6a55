"""The lines of LitBank's tab-separated annotation, taken apart and checked against the text."""

import re

import numpy as np

from corefbench.findings import Strictness
from corefbench.formats.bundle import Pair, numbered
from corefbench.model.builder import firsts
from corefbench.record import Columns, Longs

RELATIONS = ("COP", "APPOS")

# Most files are a run of mentions, all of as many columns, then one of labels; runs are taken
# apart as a whole.
_NUMBERS = r"\t\d{1,9}+" * 4
_CELL = r"\t[^\t\r\n]*+"
_MENTIONS = {
    7: re.compile(rf"(?:MENTION{_CELL}{_NUMBERS}{_CELL}\n)++"),
    9: re.compile(rf"(?:MENTION{_CELL}{_NUMBERS}{_CELL}{_CELL}{_CELL}\n)++"),
}
_LABELS = re.compile(rf"(?:COREF{_CELL}{_CELL}\n)*+")


class Marks(Columns, frozen=True, eq=False):
    """The mentions of one file: their tokens, the labels of their chains, their attributes."""

    start: Longs
    end: Longs
    labels: list[str]
    columns: list[dict[str, str]]


class Text:
    """A text with a sentence a line, blanks between the words, and where the words stand.

    >>> text = Text("I ran\\n\\nNo !", np.array([0, 2, 7, 10]), np.array([1, 5, 9, 11]))
    >>> text.tokens(np.array([0, 2, 2]), np.array([1, 1, 2])).tolist(), text.between(0, 2)
    ([1, 3, -1], 'I ran')
    """

    def __init__(self, text: str, begin: Longs, finish: Longs) -> None:
        self._text = text.replace("\n", " ")
        # Sentences are counted by lines, empty lines too.
        lines = firsts([*(len(line) + 1 for line in text.split("\n")), 0])
        self._first = np.searchsorted(begin, lines)
        self._begin, self._finish = begin.tolist(), finish.tolist()

    def tokens(self, sentence: Longs, word: Longs) -> Longs:
        """The numbers of words in the document, -1 where there is none."""
        last = len(self._first) - 1
        sentence = np.minimum(sentence, last)
        found = self._first[sentence] + word
        return np.where(found < self._first[np.minimum(sentence + 1, last)], found, -1)

    def between(self, start: int, end: int) -> str:
        """The text of some tokens, line ends as blanks."""
        return self._text[self._begin[start] : self._finish[end - 1]]


def read_marks(pair: Pair, text: Text, strictness: Strictness) -> Marks:
    """Take the lines apart: first the mentions, then what refers to them, in any order."""
    lines = _Lines(pair, text, strictness)
    script = pair.script()
    rest = numbered(script, lines.plain_lines(script))
    cells = [(number, line.split("\t")) for number, line in rest]
    for number, row in sorted(cells, key=lambda row: row[1][0] != "MENTION"):
        lines.take(number, row)
    return lines.marks()


class _Lines:
    """Spans, labels and attributes by the id of the mention."""

    def __init__(self, pair: Pair, text: Text, strictness: Strictness) -> None:
        self.pair = pair
        self.text = text
        self.strictness = strictness
        self.rows: dict[str, int] = {}
        self.start: list[int] = []
        self.end: list[int] = []
        self.labels: dict[str, str] = {}
        self.columns: list[dict[str, str]] = []

    def marks(self) -> Marks:
        return Marks(
            start=np.array(self.start, np.int64),
            end=np.array(self.end, np.int64),
            labels=[self.labels.get(mark, mark) for mark in self.rows],
            columns=self.columns,
        )

    def plain_lines(self, script: str) -> int:
        """Take the mentions, then the labels, that the file begins with, if they are without
        fault; the place where the other lines begin."""
        count = script.count("\t", 0, script.find("\n")) + 1
        mentions = _MENTIONS[count].match(script) if count in _MENTIONS else None
        if mentions is None or not self.plain_mentions(mentions[0], count):
            return 0
        labels = _LABELS.match(script, mentions.end())
        cells = labels[0].replace("\n", "\t").split("\t") if labels is not None else []
        marks = cells[1::3]
        found = dict(zip(marks, cells[2::3], strict=False))
        if labels is None or len(found) < len(marks) or not found.keys() <= self.rows.keys():
            return mentions.end()
        self.labels = found
        return labels.end()

    def plain_mentions(self, lines: str, count: int) -> bool:
        cells = lines.replace("\n", "\t").split("\t")
        ids, said = cells[1::count], cells[6::count]
        numbers = [
            np.fromiter(map(int, cells[column::count]), np.int64, len(said))
            for column in range(2, 6)
        ]
        start, last = self.text.tokens(*numbers[:2]), self.text.tokens(*numbers[2:])
        rows = {mark: row for row, mark in enumerate(ids)}
        if len(rows) < len(ids) or not bool(((start >= 0) & (start <= last)).all()):
            return False
        starts, ends = start.tolist(), (last + 1).tolist()
        if list(map(self.text.between, starts, ends)) != said:
            return False
        self.rows, self.start, self.end = rows, starts, ends
        self.columns = _attributes(cells, count, len(said))
        return True

    def fault(self, code: str, message: str, line: int, found: str, repair: str) -> None:
        place = self.pair.place(line)
        self.strictness.fault(code, message, place=place, found=found[:80], repair=repair)

    def take(self, number: int, cells: list[str]) -> None:
        if cells[0] == "MENTION" and len(cells) >= 7 and all(c.isdecimal() for c in cells[2:6]):
            self.mention(number, cells)
        elif cells[0] in ("COREF", *RELATIONS) and len(cells) == 3:
            self.reference(number, cells)
        else:
            found = "\t".join(cells)
            self.fault("CB141", "the line has the wrong shape", number, found, "line left out")

    def mention(self, number: int, cells: list[str]) -> None:
        places = np.array([int(cell[:9]) for cell in cells[2:6]])
        start, last = self.text.tokens(places[0::2], places[1::2]).tolist()
        if cells[1] in self.rows:
            self.fault("CB126", "an id occurs twice", number, cells[1], "line left out")
        elif not 0 <= start <= last:
            message = "a span lies outside its document"
            self.fault("CB112", message, number, " ".join(cells[2:6]), "mention left out")
        else:
            self.check_text(number, cells[6], start, last + 1)
            self.rows[cells[1]] = len(self.start)
            self.start.append(start)
            self.end.append(last + 1)
            named = zip(("type", "class"), cells[7:9], strict=False)
            self.columns.append({name: cell for name, cell in named if cell})

    def check_text(self, number: int, said: str, start: int, end: int) -> None:
        there = self.text.between(start, end)
        if said != there and said.split() != there.split():
            message = f"the text at the span is {' '.join(there.split())[:40]!r}"
            self.fault("CB142", message, number, said, "the numbers are trusted")

    def reference(self, number: int, cells: list[str]) -> None:
        kind, mark, value = cells
        if mark not in self.rows or (kind != "COREF" and value not in self.rows):
            found = "\t".join(cells)
            self.fault("CB115", "a reference points to nothing", number, found, "line left out")
        elif kind == "COREF":
            if self.labels.setdefault(mark, value) != value:
                message = "a mention occurs twice, in two chains"
                self.fault("CB113", message, number, mark, "the first chain is kept")
        else:
            row = self.rows[value]
            place = f"{self.start[row]}:{self.end[row]}"
            self.columns[self.rows[mark]][f"relation:{kind.lower()}"] = place


def _attributes(cells: list[str], count: int, rows: int) -> list[dict[str, str]]:
    """What the columns after the text say of every mention."""
    if count == 7:
        return [{} for _ in range(rows)]
    both = zip(cells[7::count], cells[8::count], strict=True)
    named = ({"type": kind, "class": form} for kind, form in both)
    return [{name: cell for name, cell in some.items() if cell} for some in named]
