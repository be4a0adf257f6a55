"""LitBank's tab-separated annotation: ``x.ann`` beside ``x.txt``, which has a sentence a line.

``MENTION<TAB>T1<TAB>0<TAB>4<TAB>0<TAB>5<TAB>the streets<TAB>FAC<TAB>NOM`` gives sentence and token
of the first and of the last word, from 0 and both included; ``COREF<TAB>T1<TAB>streets-3`` the
label of its chain; ``COP`` and ``APPOS`` say that one mention is an attribute of another. Mentions
without a label, mostly such attributes, are singletons, as in LitBank's own CoNLL files.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from corefbench.findings import Strictness
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.bundle import (
    Made,
    Pair,
    annotation_files,
    pairs,
    write_files,
    write_pairs,
)
from corefbench.formats.layout import lay_out_words, require_words
from corefbench.formats.source import Source
from corefbench.formats.tokenise import Span, chunks
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document

_LINE = re.compile(rb"(?:MENTION\tT?\S+(?:\t\d+){4}\t|COREF\t\S+\t|COP\t\S+\t|APPOS\t\S+\t)")
_RELATIONS = ("COP", "APPOS")


class LitBank:
    """Reads and writes LitBank's tab-separated files.

    >>> pair = Pair(source="d.ann", name="d", part=-1, text=b"Ann left .\\nShe ran .\\n",
    ...     annotation=b"MENTION\\tT1\\t0\\t0\\t0\\t0\\tAnn\\tPER\\tPROP\\nCOREF\\tT1\\tAnn-0\\n")
    >>> LitBank().corpus(pair, Reading())
    <Corpus 'd': 1 documents, 6 tokens, 1 mentions, 1 chains>
    """

    card = FormatCard(
        name="litbank",
        title="LitBank TSV",
        description="Mentions by sentence and token in an .ann file, its text beside it.",
        extensions=(".ann",),
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "chain labels",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "mentions across sentences",
            }
        ),
        cites=("bamman2020",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of lines that begin with the four keywords."""
        lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50]
        return 0.95 if lines and all(_LINE.match(line) for line in lines) else 0.0

    def documents_in(self, folder: Path) -> list[Path]:
        """The annotation files; the texts beside them are no documents of their own."""
        return annotation_files(folder, self.recognises)

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """A document a pair of files."""
        for pair in pairs(source, reading):
            yield self.corpus(pair, reading)

    def corpus(self, pair: Pair, reading: Reading) -> Corpus:
        """The document of one pair."""
        text = pair.characters()
        build = CorpusBuilder(pair.name, words=reading.words)
        build.begin_document(pair.name, pair.part, text=text)
        lines = _Lines(pair, text, reading.strictness)
        lines.tokens.add_to(build)
        cells = [(number, line.split("\t")) for number, line in pair.lines()]
        for number, row in sorted(cells, key=lambda pair: pair[1][0] != "MENTION"):
            lines.take(number, row)
        for mark, span in sorted(lines.spans.items(), key=lambda m: (m[1][0], -m[1][1])):
            build.mention(lines.labels.get(mark, mark), [span], columns=lines.columns[mark])
        return build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """An ``.ann`` file and the ``.txt`` beside it, or, for several documents, an archive."""
        write_pairs(_made(corpus), stream)

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """Two files a document."""
        write_files(_made(corpus), folder)


def _made(corpus: Corpus) -> list[Made]:
    require_words(corpus)
    return [
        Made(
            name=document.name,
            part=int(corpus.documents.parts[document.index]),
            annotation="".join(_document_lines(document)),
            text=lay_out_words(document)[0],
        )
        for document in corpus
    ]


class _Lines:
    """The lines of one file: spans, labels and attributes by the id of the mention."""

    def __init__(self, pair: Pair, text: str, strictness: Strictness) -> None:
        self.pair = pair
        self.strictness = strictness
        self.tokens = chunks(text)
        # Sentences are counted by lines, empty lines too.
        lines = firsts([*(len(line) + 1 for line in text.split("\n")), 0])
        self.first = np.searchsorted(self.tokens.begin, lines).tolist()
        self.words = self.tokens.words
        self.spans: dict[str, Span] = {}
        self.labels: dict[str, str] = {}
        self.columns: dict[str, dict[str, str]] = {}

    def fault(self, code: str, message: str, line: int, found: str, repair: str) -> None:
        place = self.pair.place(line)
        self.strictness.fault(code, message, place=place, found=found[:80], repair=repair)

    def take(self, number: int, cells: list[str]) -> None:
        if cells[0] == "MENTION" and len(cells) >= 7 and all(c.isdecimal() for c in cells[2:6]):
            self.mention(number, cells)
        elif cells[0] in ("COREF", *_RELATIONS) and len(cells) == 3:
            self.reference(number, cells)
        else:
            found = "\t".join(cells)
            self.fault("CB141", "the line has the wrong shape", number, found, "line left out")

    def mention(self, number: int, cells: list[str]) -> None:
        numbers = [int(cell[:9]) for cell in cells[2:6]]
        start, last = self.token(*numbers[:2]), self.token(*numbers[2:])
        if cells[1] in self.spans:
            self.fault("CB126", "an id occurs twice", number, cells[1], "line left out")
        elif not 0 <= start <= last:
            message = "a span lies outside its document"
            self.fault("CB112", message, number, " ".join(cells[2:6]), "mention left out")
        else:
            self.check_text(number, cells[6], start, last + 1)
            self.spans[cells[1]] = (start, last + 1)
            named = zip(("type", "class"), cells[7:9], strict=False)
            self.columns[cells[1]] = {name: cell for name, cell in named if cell}

    def token(self, sentence: int, word: int) -> int:
        """The number of a word in the document, -1 where there is none."""
        if sentence >= len(self.first) - 1:
            return -1
        token: int = self.first[sentence] + word
        return token if token < self.first[sentence + 1] else -1

    def check_text(self, number: int, said: str, start: int, end: int) -> None:
        there = " ".join(self.words[start:end])
        if said != there and said.split() != there.split():
            message = f"the text at the span is {there[:40]!r}"
            self.fault("CB142", message, number, said, "the numbers are trusted")

    def reference(self, number: int, cells: list[str]) -> None:
        kind, mark, value = cells
        if mark not in self.spans or (kind != "COREF" and value not in self.spans):
            found = "\t".join(cells)
            self.fault("CB115", "a reference points to nothing", number, found, "line left out")
        elif kind == "COREF":
            if self.labels.setdefault(mark, value) != value:
                message = "a mention occurs twice, in two chains"
                self.fault("CB113", message, number, mark, "the first chain is kept")
        else:
            start, end = self.spans[value]
            self.columns[mark][f"relation:{kind.lower()}"] = f"{start}:{end}"


def _document_lines(document: Document) -> Iterator[str]:
    """MENTION lines, COREF lines, then what is an attribute of what."""
    mentions, columns = document.mentions, document.corpus.mentions.columns
    ids = {mention.index: f"T{number}" for number, mention in enumerate(mentions, 1)}
    rows = [(a, b) for a, b in document.sentences if b > a]
    where = [(row, word) for row, (a, b) in enumerate(rows) for word in range(b - a)]
    words = [" ".join(word.split()) or "_" for word in document.words]
    for mention in mentions:
        place = (*where[mention.start], *where[mention.end - 1])
        text = " ".join(words[mention.start : mention.end])
        cells = [columns[name][mention.index] for name in ("type", "class") if name in columns]
        ends = "".join(f"\t{' '.join(cell.split())}" for cell in cells)
        numbers = "\t".join(map(str, place))
        yield f"MENTION\t{ids[mention.index]}\t{numbers}\t{text}{ends}\n"
    for mention in mentions:
        label = "_".join(mention.chain.label.split()) or "_"
        yield f"COREF\t{ids[mention.index]}\t{label}\n"
    places = {f"{m.start}:{m.end}": ids[m.index] for m in reversed(mentions)}
    for kind in _RELATIONS:
        column = columns.get(f"relation:{kind.lower()}")
        for mention in mentions if column is not None else ():
            if column is not None and (target := places.get(column[mention.index])):
                yield f"{kind}\t{ids[mention.index]}\t{target}\n"
