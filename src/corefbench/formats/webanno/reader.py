"""Layers, sentences, spans and relations of WebAnno TSV."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError, Place
from corefbench.formats.common.spans import Span, connected_components, merge_spans
from corefbench.formats.source import Source
from corefbench.records import Record

FORMAT = "#FORMAT=WebAnno TSV"
DOCUMENT = "#Document="
PART = "#Part="
DECLARATION_KEYS = ("#T_SP", "#T_RL", "#T_CH")

_BEGINNING = re.compile(rf"(?m)^(?={re.escape(FORMAT)})")
_TOKEN = re.compile(r"(\d{1,9})-(\d{1,9})")
_SUBTOKEN = re.compile(r"\d+-\d+\.\d+")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}

SPLIT_ANTECEDENT = "bridge:aggr"
"""Type of the relation from a plural to one of its antecedents."""

_CHUNK = re.compile(r"((?:[^\\|\[]++|\\.)*+)(?:\[(\d{1,9})\])?(?:\||$)")
_SOURCE = re.compile(r"(\d+-\d+)(?:\[(\d{1,9})_(\d{1,9})\])?")


class Layer(Record, frozen=True):
    """A layer of spans: the column of its first feature, and the features."""

    name: str
    column: int
    features: list[str]


class RelationLayer(Record, frozen=True):
    """A layer of relations: the column of its type, that of its source, and the layer it joins."""

    type: int
    source: int
    layer: str


class Sentence(Record, frozen=True):
    """Tokens, their character spans in the document, and their cells."""

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
    relations: list[RelationLayer]
    sentences: list[Sentence]


def unescape(text: str) -> str:
    r"""Resolve the backslashes of a cell or text.

    >>> unescape(r"a\_b\\c\tx") == "a_b\\c\tx"
    True
    """
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text) if "\\" in text else text


def split_documents(text: str) -> Iterator[tuple[int, str]]:
    """Yield every document, with the number of its first line."""
    line = 1
    for piece in _BEGINNING.split(text):
        if piece:
            yield line, piece
            line += piece.count("\n")


def read_lines(text: str, first: int, source: Source, strictness: Strictness) -> Lines:
    """Read a document, whose first line has the number ``first``."""
    header: dict[str, str] = {}
    layers: list[Layer] = []
    relations: list[RelationLayer] = []
    width = 3
    reader = _SentenceReader(source, strictness)
    for number, line in enumerate(text.split("\n"), first):
        if line[:1] == "#" and not line.startswith("#Text="):
            key, _, value = line.partition("=")
            header[key] = value
            if key in DECLARATION_KEYS:
                if reader.has_tokens:
                    raise _late_declaration_error(line, Place(source=source.name, line=number))
                width = declare_layer(key, value, width, layers, relations, (source, number))
        else:
            reader.read_line(number, line, width)
    reader.end_sentence()
    name, part = name_and_part(header)
    return Lines(
        source=source.name,
        name=name,
        part=part,
        text="".join(reader.texts),
        layers=layers,
        relations=relations,
        sentences=reader.sentences,
    )


def name_and_part(header: Mapping[str, str]) -> tuple[str, int]:
    """The name of a document, if its header tells one, and its part, else -1."""
    part = header.get("#Part", "")
    is_number = part.isdecimal() and len(part) <= 9
    return unescape(header.get("#Document", "")), int(part) if is_number else -1


def declare_layer(
    key: str, value: str, width: int, layers: list[Layer], relations: list[RelationLayer], where: tuple[Source, int]
) -> int:
    """Add a declared layer and return the number of columns so far."""
    name, *features = value.split("|")
    targets = [feature[3:] for feature in features if feature.startswith("BT_")]
    if key == "#T_SP":
        layers.append(Layer(name=name, column=width, features=features))
        return width + max(len(features), 1)
    if key == "#T_RL" and len(targets) == 1 and features[-1].startswith("BT_"):
        last = width + len(features) - 1
        relations.append(RelationLayer(type=width if last > width else -1, source=last, layer=targets[0]))
        return last + 1
    raise FormatError(
        "the declaration of a layer is not read",
        code="CB117",
        place=Place(source=where[0].name, line=where[1]),
        found=f"{key}={value}"[:80],
        expected="#T_SP=LAYER|feature… or #T_RL=LAYER|type|BT_LAYER",
        remedy="export the coreference layer as spans and relations",
    )


def _late_declaration_error(line: str, place: Place) -> FormatError:
    return FormatError(
        "a layer is declared after the first token",
        code="CB117",
        place=place,
        found=line[:80],
        expected="all layers in the header of the document",
    )


class _SentenceReader:
    """Collects sentences; the text is that of the ``#Text`` lines, each with a line end."""

    def __init__(self, source: Source, strictness: Strictness) -> None:
        self.source = source
        self.strictness = strictness
        self.sentences: list[Sentence] = []
        self.texts: list[str] = []
        self.length = 0
        self.rows: list[tuple[int, list[str]]] = []
        self.text = ""

    @property
    def has_tokens(self) -> bool:
        """Whether a token was read."""
        return bool(self.rows or self.sentences)

    def read_line(self, number: int, line: str, width: int) -> None:
        if line.startswith("#Text="):
            if self.rows:
                self.end_sentence()
            text = unescape(line[6:])
            self.text = f"{self.text}\n{text}" if self.text else text
        elif not line.strip():
            self.end_sentence()
        else:
            self._read_row(number, line.split("\t"), width)

    def _read_row(self, number: int, cells: list[str], width: int) -> None:
        if len(cells) >= width and _TOKEN.fullmatch(cells[0]):
            self.rows.append((number, cells))
            return
        place = Place(source=self.source.name, line=number)
        is_subtoken = _SUBTOKEN.fullmatch(cells[0]) is not None
        if is_subtoken or not _TOKEN.fullmatch(cells[0]) or len(cells) < 3:
            self.strictness.fault(
                "CB141",
                "a part of a token is annotated" if is_subtoken else "the line is not a token",
                place=place,
                found=" ".join(cells[:3]) if is_subtoken else "\t".join(cells)[:60],
                repair="line left out",
            )
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

    def end_sentence(self) -> None:
        """Close the sentence, and find its tokens in its text."""
        if not self.rows:
            return
        words = [unescape(cells[2]) for _, cells in self.rows]
        offsets = self._locate(words)
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

    def _locate(self, words: list[str]) -> list[Span]:
        """Return the character spans of the words in the text of the document.

        They are searched for: the file's own offsets count UTF-16 and are not needed.
        """
        text, spans = self.text, _find_words(self.text, words)
        if spans is None:
            if text:
                self.strictness.fault(
                    "CB142",
                    "the text of a sentence does not have its words",
                    place=Place(source=self.source.name, line=self.rows[0][0]),
                    found=text[:60],
                    repair="the words are taken as the text",
                )
            text, spans = join_with_spans(words)
        offsets = [(self.length + start, self.length + end) for start, end in spans]
        self.texts.append(text + "\n")
        self.length += len(text) + 1
        return offsets


def join_with_spans(words: list[str]) -> tuple[str, list[Span]]:
    """Join words by blanks, and return their character spans.

    >>> join_with_spans(["Ann", "ran"])
    ('Ann ran', [(0, 3), (4, 7)])
    """
    spans: list[Span] = []
    position = 0
    for word in words:
        spans.append((position, position + len(word)))
        position += len(word) + 1
    return " ".join(words), spans


def _find_words(text: str, words: list[str]) -> list[Span] | None:
    """Return where words stand in a text, one after another; None if one is missing."""
    spans: list[Span] = []
    position = 0
    for word in words:
        start = text.find(word, position)
        if start < 0:
            return None
        position = start + len(word)
        spans.append((start, position))
    return spans


class AnnotatedSpan(Record, frozen=True):
    """A span: its tokens, and the features that have a value."""

    parts: list[Span]
    columns: dict[str, str]

    @property
    def order(self) -> Span:
        """The order in which mentions open."""
        return self.parts[0][0], -self.parts[-1][1]


class Annotation(Record, frozen=True):
    """The spans of a document, the chain of each, and relations that make no chains."""

    spans: list[AnnotatedSpan]
    chains: list[int]
    others: list[tuple[str, int, int]]
    """Type, the span that refers, the span it refers to."""


def bridging_label(kind: str) -> str:
    """The kind of bridging that a type of relation names.

    >>> bridging_label("bridge:part"), bridging_label("bridge")
    ('part', '')
    """
    return kind.removeprefix("bridge").removeprefix(":")


def read_annotation(lines: Lines, apart: tuple[str, ...], strictness: Strictness) -> Annotation:
    """Collect spans over their tokens, then the relations between them."""
    spans = _Spans()
    token = 0
    for sentence in lines.sentences:
        for name, cells, line in zip(sentence.names, sentence.cells, sentence.lines, strict=True):
            for layer in lines.layers:
                spans.add_cells(layer, name, token, cells, (lines.source, line), strictness)
            token += 1
    links: list[tuple[int, int]] = []
    others: list[tuple[str, int, int]] = []
    for sentence in lines.sentences:
        for name, cells, line in zip(sentence.names, sentence.cells, sentence.lines, strict=True):
            for relations in lines.relations:
                for kind, source, target in _parse_relations(relations, name, cells):
                    anaphor, antecedent = spans.number.get(source), spans.number.get(target)
                    if anaphor is None or antecedent is None:
                        strictness.fault(
                            "CB115",
                            "a relation names a span that is not there",
                            place=Place(source=lines.source, line=line),
                            found=cells[relations.source][:60],
                            repair="relation left out",
                        )
                    elif kind.startswith(apart):
                        others.append((kind, anaphor, antecedent))
                    else:
                        links.append((anaphor, antecedent))
    return Annotation(
        spans=spans.annotated_spans(), chains=connected_components(len(spans.tokens), links), others=others
    )


class _Spans:
    """Spans by their key in relations: layer and number, or layer and first token."""

    def __init__(self) -> None:
        self.number: dict[tuple[str, str], int] = {}
        self.tokens: list[list[int]] = []
        self.columns: list[dict[str, str]] = []

    def add_cells(
        self, layer: Layer, name: str, token: int, cells: list[str], where: tuple[str, int], strictness: Strictness
    ) -> None:
        """Add the cells of a token; ``where`` is the source and the line."""
        for index, feature in enumerate(layer.features or [""]):
            cell = cells[layer.column + index]
            if cell == "_":
                continue
            for value, number in _parse_cell(cell):
                if value is None:
                    place = Place(source=where[0], line=where[1])
                    message, repair = "the cell is not values with numbers", "the rest left out"
                    strictness.fault("CB106", message, place=place, found=cell[:60], repair=repair)
                    break
                key = (layer.name, number or name)
                span = self.number.get(key)
                if span is None:
                    span = self._new_span(key)
                tokens = self.tokens[span]
                if not tokens or tokens[-1] != token:
                    tokens.append(token)
                if feature and value not in ("*", "_", ""):
                    self.columns[span][feature] = unescape(value) if "\\" in value else value

    def _new_span(self, key: tuple[str, str]) -> int:
        """The number of a new span."""
        self.number[key] = len(self.tokens)
        self.tokens.append([])
        self.columns.append({})
        return self.number[key]

    def annotated_spans(self) -> list[AnnotatedSpan]:
        """The spans; a gap in one would be an error of WebAnno, and makes it discontinuous."""
        return [
            AnnotatedSpan(parts=_token_parts(tokens), columns=columns)
            for tokens, columns in zip(self.tokens, self.columns, strict=True)
        ]


def _token_parts(tokens: list[int]) -> list[Span]:
    if tokens[-1] - tokens[0] == len(tokens) - 1:  # without a gap
        return [(tokens[0], tokens[-1] + 1)]
    return merge_spans((token, token + 1) for token in tokens)


@lru_cache(maxsize=4096)  # the tokens of a span repeat its cells
def _parse_cell(cell: str) -> tuple[tuple[str | None, str], ...]:
    """Return values and span numbers; a last value of None if the cell is malformed."""
    values: list[tuple[str | None, str]] = []
    position = 0
    while position < len(cell):
        match = _CHUNK.match(cell, position)
        if match is None:
            return (*values, (None, ""))
        values.append((match[1], match[2] or ""))
        position = match.end()
    return tuple(values)


def _parse_relations(
    relations: RelationLayer, name: str, cells: list[str]
) -> Iterator[tuple[str, tuple[str, str], tuple[str, str]]]:
    """Type, source and target of the relations in the cells of a token."""
    cell = cells[relations.source]
    if cell == "_":
        return
    types = cells[relations.type].split("|") if relations.type >= 0 else []
    for index, chunk in enumerate(cell.split("|")):
        match = _SOURCE.fullmatch(chunk)
        kind = unescape(types[index]) if index < len(types) else ""
        layer = relations.layer
        if match is None:
            yield kind, (layer, "?"), (layer, "?")
            continue
        source, target = match[2] or "0", match[3] or "0"
        source_name = match[1] if source == "0" else source
        yield kind, (layer, source_name), (layer, name if target == "0" else target)
