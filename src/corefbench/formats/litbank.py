"""LitBank's tab-separated annotation: sentences and tokens of a text file.

``MENTION<TAB>T1<TAB>0<TAB>4<TAB>0<TAB>5<TAB>the streets<TAB>FAC<TAB>NOM`` gives sentence and token
of the first and of the last word, from 0 and both included; ``COREF<TAB>T1<TAB>streets-3`` the
label of its chain; ``COP`` and ``APPOS`` say that one mention is an attribute of another. Mentions
without a label, mostly such attributes, are singletons, as in LitBank's own CoNLL files.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.views import Document
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading
from corefbench.formats.common.spans import Span
from corefbench.formats.common.standoff import (
    StandoffDocument,
    StandoffFormat,
    StandoffOutput,
    numbered_lines,
)
from corefbench.formats.common.tokenize import add_text_document, join_words

RELATIONS = ("COP", "APPOS")

_LINE = re.compile(rb"(?:MENTION\tT?\S+(?:\t\d+){4}\t|COREF\t\S+\t|COP\t\S+\t|APPOS\t\S+\t)")


class LitBank(StandoffFormat):
    """Reads and writes LitBank's tab-separated files.

    >>> annotation = b"MENTION\\tT1\\t0\\t0\\t0\\t0\\tAnn\\tPER\\tPROP\\nCOREF\\tT1\\tAnn-0\\n"
    >>> document = StandoffDocument(
    ...     source="d.ann", name="d", part=-1, text=b"Ann left .", annotation=annotation
    ... )
    >>> LitBank().corpus([document], "corpus", Reading())
    <Corpus 'd': 1 documents, 3 tokens, 1 mentions, 1 chains>
    """

    card = FormatCard(
        name="litbank",
        title="LitBank TSV",
        description="Mentions by sentence and token in an .ann file, its text beside it.",
        extensions=(".ann",),
        holds=DOCUMENTS | ANY_MENTIONS | {"chain labels"},
        cites=("bamman2020",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of lines that begin with the four keywords."""
        lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50]
        return 0.95 if lines and all(_LINE.match(line) for line in lines) else 0.0

    def add_document(self, build: CorpusBuilder, document: StandoffDocument, reading: Reading) -> None:
        text = document.characters()
        tokens = add_text_document(build, document.name, text, part=document.part, tokenized=True)
        lines = _LineReader(document, _SentenceText(text, tokens), reading)
        # In order of appearance, by which chains are numbered.
        for name, span in sorted(lines.spans.items(), key=lambda item: (item[1][0], -item[1][1])):
            build.mention(lines.labels.get(name, name), [span], columns=lines.columns[name])

    def output(self, document: Document) -> StandoffOutput:
        text, _ = join_words(document)
        return StandoffOutput(document=document, annotation="".join(_document_lines(document)), text=text)


class _SentenceText:
    """A text with one sentence per line and blanks between the words.

    >>> text = _SentenceText("I ran\\n\\nNo !", [(0, 1), (2, 5), (7, 9), (10, 11)])
    >>> text.token(0, 1), text.token(2, 1), text.token(2, 2), text.between(0, 2)
    (1, 3, -1, 'I ran')
    """

    def __init__(self, text: str, spans: list[Span]) -> None:
        self._text = text.replace("\n", " ")
        self._spans = spans
        begins = [begin for begin, _ in spans]
        # Sentences are counted by lines, including empty ones.
        line_begins = [0, *(match.end() for match in re.finditer("\n", text)), len(text) + 1]
        self._first = [bisect_left(begins, begin) for begin in line_begins]

    def token(self, sentence: int, word: int) -> int:
        """Return the number of a word in the document, -1 if there is no such word."""
        if sentence + 1 >= len(self._first):
            return -1
        token = self._first[sentence] + word
        return token if token < self._first[sentence + 1] else -1

    def between(self, start: int, end: int) -> str:
        """Return the text of some tokens, line ends as blanks."""
        return self._text[self._spans[start][0] : self._spans[end - 1][1]]


class _LineReader:
    """Spans, chain labels and attributes of one file, by the id of the mention."""

    def __init__(self, document: StandoffDocument, text: _SentenceText, reading: Reading) -> None:
        self.document, self.text, self.reading = document, text, reading
        self.spans: dict[str, Span] = {}
        self.labels: dict[str, str] = {}
        self.columns: dict[str, dict[str, str]] = {}
        rows = [(number, line.split("\t")) for number, line in numbered_lines(document.script())]
        # First the mentions, then what refers to them.
        for number, cells in sorted(rows, key=lambda row: row[1][0] != "MENTION"):
            self._read_line(number, cells)

    def _fault(self, code: str, message: str, line: int, found: str, repair: str) -> None:
        self.document.fault(self.reading, code, message, line, found, repair)

    def _read_line(self, number: int, cells: list[str]) -> None:
        if cells[0] == "MENTION" and len(cells) >= 7 and all(c.isdecimal() for c in cells[2:6]):
            self._read_mention(number, cells)
        elif cells[0] in ("COREF", *RELATIONS) and len(cells) == 3:
            self._read_reference(number, cells)
        else:
            found = "\t".join(cells)
            self._fault("CB141", "the line has the wrong shape", number, found, "line left out")

    def _read_mention(self, number: int, cells: list[str]) -> None:
        # Nine digits: longer numbers lie outside every text, and would be slow to parse.
        positions = [int(cell[:9]) for cell in cells[2:6]]
        start, last = self.text.token(*positions[:2]), self.text.token(*positions[2:])
        if cells[1] in self.spans:
            self._fault("CB126", "an id occurs twice", number, cells[1], "line left out")
        elif not 0 <= start <= last:
            message = "a span lies outside its document"
            self._fault("CB112", message, number, " ".join(cells[2:6]), "mention left out")
        else:
            self._check_text(number, cells[6], start, last + 1)
            self.spans[cells[1]] = (start, last + 1)
            named = zip(("type", "class"), cells[7:9], strict=False)
            self.columns[cells[1]] = {name: cell for name, cell in named if cell}

    def _check_text(self, number: int, quoted: str, start: int, end: int) -> None:
        text = self.text.between(start, end)
        if quoted != text and quoted.split() != text.split():
            message = f"the text at the span is {' '.join(text.split())[:40]!r}"
            self._fault("CB142", message, number, quoted, "the numbers are trusted")

    def _read_reference(self, number: int, cells: list[str]) -> None:
        kind, mention, value = cells
        if mention not in self.spans or (kind != "COREF" and value not in self.spans):
            found = "\t".join(cells)
            self._fault("CB115", "a reference points to nothing", number, found, "line left out")
        elif kind == "COREF":
            if self.labels.setdefault(mention, value) != value:
                message = "a mention occurs twice, in two chains"
                self._fault("CB113", message, number, mention, "the first chain is kept")
        else:
            start, end = self.spans[value]
            self.columns[mention][f"relation:{kind.lower()}"] = f"{start}:{end}"


def _document_lines(document: Document) -> Iterator[str]:
    """Yield MENTION lines, COREF lines, then COP and APPOS lines."""
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
    for kind in RELATIONS:
        column = columns.get(f"relation:{kind.lower()}")
        for mention in mentions if column is not None else ():
            if column is not None and (target := places.get(column[mention.index])):
                yield f"{kind}\t{ids[mention.index]}\t{target}\n"
