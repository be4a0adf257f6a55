"""The frame of WebAnno TSV: headers, sentences, and the cells of every token."""

import re
from collections.abc import Iterator, Mapping

from corefbench.errors import FormatError, Place
from corefbench.findings import Strictness
from corefbench.formats.source import Source
from corefbench.formats.tokenise import Span
from corefbench.record import Record

FORMAT = "#FORMAT=WebAnno TSV"
DOCUMENT = "#Document="
PART = "#Part="
DECLARING = ("#T_SP", "#T_RL", "#T_CH")

_BEGINNING = re.compile(rf"(?m)^(?={re.escape(FORMAT)})")
_TOKEN = re.compile(r"(\d{1,9})-(\d{1,9})")
_SUBTOKEN = re.compile(r"\d+-\d+\.\d+")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


class Layer(Record, frozen=True):
    """A layer of spans: the column of its first feature, and the features."""

    name: str
    column: int
    features: list[str]


class Relations(Record, frozen=True):
    """A layer of relations: the column of its type, that of its source, and the layer it joins."""

    type: int
    source: int
    layer: str


class Sentence(Record, frozen=True):
    """Tokens, where they stand in the document's text, and their cells."""

    words: list[str]
    offsets: list[Span]
    names: list[str]
    """The sentence and token numbers as the file has them."""
    cells: list[list[str]]
    lines: list[int]


class Lines(Record, frozen=True):
    """One document: its layers and its sentences."""

    source: str
    name: str
    part: int
    text: str
    layers: list[Layer]
    relations: list[Relations]
    sentences: list[Sentence]


def unescaped(text: str) -> str:
    r"""A cell or text without its backslashes.

    >>> unescaped(r"a\_b\\c\tx") == "a_b\\c\tx"
    True
    """
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text) if "\\" in text else text


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text of every document, from its first line to the next such line, and the number of
    that line."""
    line = 1
    for piece in _BEGINNING.split(text):
        if piece:
            yield line, piece
            line += piece.count("\n")


def read_lines(text: str, first: int, source: Source, strictness: Strictness) -> Lines:
    """Read a document, whose first line has the number ``first``."""
    header: dict[str, str] = {}
    layers: list[Layer] = []
    relations: list[Relations] = []
    width = 3
    frame = _Frame(source, strictness)
    for number, line in enumerate(text.split("\n"), first):
        if line[:1] == "#" and not line.startswith("#Text="):
            key, _, value = line.partition("=")
            header[key] = value
            if key in DECLARING:
                if frame.begun:
                    raise _late(line, Place(source=source.name, line=number))
                width = declare(key, value, width, layers, relations, (source, number))
        else:
            frame.line(number, line, width)
    frame.end()
    name, part = name_and_part(header)
    return Lines(
        source=source.name,
        name=name,
        part=part,
        text="".join(frame.texts),
        layers=layers,
        relations=relations,
        sentences=frame.sentences,
    )


def name_and_part(header: Mapping[str, str]) -> tuple[str, int]:
    """The name of a document, if its header tells one, and its part, else -1."""
    part = header.get("#Part", "")
    known = part.isdecimal() and len(part) <= 9
    return unescaped(header.get("#Document", "")), int(part) if known else -1


def declare(
    key: str,
    value: str,
    width: int,
    layers: list[Layer],
    relations: list[Relations],
    where: tuple[Source, int],
) -> int:
    """Note a declared layer; returns the columns so far."""
    name, *features = value.split("|")
    targets = [feature[3:] for feature in features if feature.startswith("BT_")]
    if key == "#T_SP":
        layers.append(Layer(name=name, column=width, features=features))
        return width + max(len(features), 1)
    if key == "#T_RL" and len(targets) == 1 and features[-1].startswith("BT_"):
        last = width + len(features) - 1
        relations.append(
            Relations(type=width if last > width else -1, source=last, layer=targets[0])
        )
        return last + 1
    raise FormatError(
        "the declaration of a layer is not read",
        code="CB117",
        place=Place(source=where[0].name, line=where[1]),
        found=f"{key}={value}"[:80],
        expected="#T_SP=LAYER|feature… or #T_RL=LAYER|type|BT_LAYER",
        remedy="export the coreference layer as spans and relations",
    )


def _late(line: str, place: Place) -> FormatError:
    return FormatError(
        "a layer is declared after the first token",
        code="CB117",
        place=place,
        found=line[:80],
        expected="all layers in the header of the document",
    )


class _Frame:
    """Collects sentences; the text is that of the ``#Text`` lines, a line each."""

    def __init__(self, source: Source, strictness: Strictness) -> None:
        self.source = source
        self.strictness = strictness
        self.sentences: list[Sentence] = []
        self.texts: list[str] = []
        self.length = 0
        self.rows: list[tuple[int, list[str]]] = []
        self.text = ""

    @property
    def begun(self) -> bool:
        """Whether a token was met."""
        return bool(self.rows or self.sentences)

    def line(self, number: int, line: str, width: int) -> None:
        if line.startswith("#Text="):
            if self.rows:
                self.end()
            text = unescaped(line[6:])
            self.text = f"{self.text}\n{text}" if self.text else text
        elif not line.strip():
            self.end()
        else:
            self.row(number, line.split("\t"), width)

    def row(self, number: int, cells: list[str], width: int) -> None:
        if len(cells) >= width and _TOKEN.fullmatch(cells[0]):  # the rule, and soon done
            self.rows.append((number, cells))
            return
        place = Place(source=self.source.name, line=number)
        if _SUBTOKEN.fullmatch(cells[0]):
            found, repair = " ".join(cells[:3]), "line left out"
            message = "a part of a token is annotated"
            self.strictness.fault("CB141", message, place=place, found=found, repair=repair)
            return
        if not _TOKEN.fullmatch(cells[0]) or len(cells) < 3:
            found, repair = "\t".join(cells)[:60], "line left out"
            message = "the line is not a token"
            self.strictness.fault("CB141", message, place=place, found=found, repair=repair)
            return
        if len(cells) < width:
            self.strictness.fault(
                "CB110",
                "a line has too few columns",
                place=place,
                found=f"{len(cells)} columns",
                expected=f"{width} columns, as the header declares",
                repair="missing columns read as _",
            )
        self.rows.append((number, cells + ["_"] * (width - len(cells))))

    def end(self) -> None:
        """Close the sentence, and find its tokens in its text."""
        if not self.rows:
            return
        words = [unescaped(cells[2]) for _, cells in self.rows]
        offsets = self.placed(words)
        self.sentences.append(
            Sentence(
                words=words,
                offsets=offsets,
                names=[cells[0] for _, cells in self.rows],
                cells=[cells for _, cells in self.rows],
                lines=[number for number, _ in self.rows],
            )
        )
        self.rows, self.text = [], ""

    def placed(self, words: list[str]) -> list[Span]:
        """Where the words stand; the file's own numbers count UTF-16, and are not needed."""
        found: list[Span] = []
        position = 0
        for word in words:
            start = self.text.find(word, position)
            if start < 0:
                return self.laid_out(words)
            position = start + len(word)
            found.append((start, position))
        return self.shifted(self.text, found)

    def laid_out(self, words: list[str]) -> list[Span]:
        """The words, where the text is missing or is not theirs."""
        if self.text:
            self.strictness.fault(
                "CB142",
                "the text of a sentence does not have its words",
                place=Place(source=self.source.name, line=self.rows[0][0]),
                found=self.text[:60],
                repair="the words are taken as the text",
            )
        found: list[Span] = []
        position = 0
        for word in words:
            found.append((position, position + len(word)))
            position += len(word) + 1
        return self.shifted(" ".join(words), found)

    def shifted(self, text: str, found: list[Span]) -> list[Span]:
        offsets = [(self.length + a, self.length + b) for a, b in found]
        self.texts.append(text + "\n")
        self.length += len(text) + 1
        return offsets
