"""What comments say of the sentences of a block: paragraphs and speakers, as columns of the tokens.

``# newpar`` begins a paragraph, with or without ``id = …``, and so does ``NewPar=Yes`` in MISC, in
the midst of a sentence. A paragraph is told by its id, else by its number in the document.
``# speaker = …`` tells who says a sentence. What is said of no token makes no column.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from corefbench.formats.conllu_rows import Rows
from corefbench.model.corpus import Corpus
from corefbench.model.strings import Strings
from corefbench.record import Longs

PARAGRAPH, SPEAKER = "par", "speaker"
NEWPAR = "NewPar=Yes"

_NEWPAR = re.compile(r"#\s*newpar(?:\s+id)?\s*(?:=\s*(.*?))?\s*$")
_SPEAKER = re.compile(r"#\s*speaker\s*=\s*(.*?)\s*$")
_ITEM = re.compile(rb"(?<=[\t|])NewPar=Yes(?=[|\n\r])")


def said_columns(rows: Rows, offsets: Longs) -> dict[str, Strings]:
    """The columns of documents that have the rows ``offsets[d]`` to ``offsets[d + 1]``."""
    columns = {PARAGRAPH: _paragraphs(rows, offsets), SPEAKER: _speakers(rows)}
    return {name: column for name, column in columns.items() if column is not None}


def _paragraphs(rows: Rows, offsets: Longs) -> Strings | None:
    ids = {}
    first = rows.first.tolist()
    for sentence, line in rows.told(b"# newpar", b"\n\r ="):
        if line == "# newpar":
            ids[first[sentence]] = ""
        elif match := _NEWPAR.match(line):
            ids[first[sentence]] = match[1] or ""
    if NEWPAR.encode() in rows.content:
        places = [match.start() for match in _ITEM.finditer(rows.content)]
        for row in rows.at(np.array(places, np.int64)).tolist():
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


def _speakers(rows: Rows) -> Strings | None:
    names = [""]
    number: dict[str, int] = {}
    of_sentence = np.zeros(len(rows.first) - 1, np.int64)
    for sentence, line in rows.told(b"# speake", b"r"):
        if line not in number:
            match = _SPEAKER.match(line)
            number[line] = len(names) if match else 0
            names += [match[1]] if match else []
        if sentence < len(of_sentence):
            of_sentence[sentence] = number[line]
    if len(names) == 1:
        return None
    return Strings.of(names).take(of_sentence[rows.sentence])


class Said:
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
        self._told = [NEWPAR in cell.split("|") for cell in misc]
        self._count = 0

    def begins(self, token: int) -> bool:
        """Whether a paragraph begins that MISC does not tell of."""
        own = self._paragraphs[token]
        changes = bool(own) and (not token or own != self._paragraphs[token - 1])
        self._count += changes
        return changes and not self._told[token]

    def comments(self, start: int) -> Iterator[str]:
        """The comments before the sentence that starts at a token."""
        if self.begins(start):
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
