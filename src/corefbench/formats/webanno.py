"""WebAnno TSV 3, the format of GUM and INCEpTION: one token per line.

``#T_SP=LAYER|feature|…`` declares a layer of spans, ``#T_RL=LAYER|type|BT_LAYER`` one of relations;
a line is ``2-3<TAB>41-44<TAB>his<TAB>abstract[6]|person[7]<TAB>…<TAB>ana<TAB>3-10[23_7]<TAB>``:
sentence and token, characters, the word, a cell for each feature, then type and source of relations
that end at a span here: ``3-10[23_7]`` comes from span 23, which begins at 3-10, to span 7. Chains
are what coref, ana, cata, appos and pred connect; ``bridge…`` is bridging, and ``bridge:aggr``
marks split antecedents. In a chain layer, ``#T_CH=LAYER|referenceType|referenceRelation``, the cells
``pr[4]<TAB>coref->4-2`` make a token part of the second link of chain 4.

Mentions are the links of chain layers; without these, the spans that relations join; without these,
all spans. Linguistic layers (part of speech, dependencies …), relations between tokens, slot features
and further layers are reported and left out.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import BinaryIO

import numpy as np

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import FormatError, Place
from corefbench.formats.base import (
    ANY_MENTIONS,
    DOCUMENTS,
    FormatCard,
    Reading,
    document_part,
    mention_attribute,
    write_documents,
)
from corefbench.formats.common.decode import parse_natural, read_text
from corefbench.formats.common.spans import Span, connected_components, merge_spans
from corefbench.formats.source import Source
from corefbench.records import Record

FORMAT = "#FORMAT=WebAnno TSV"
SPLIT_ANTECEDENT = "bridge:aggr"
"""Type of the relation from a plural to one of its antecedents."""
NOT_IDENTITY = ("bridge",)

SpanKey = tuple[str, str]
"""A span as relations name it: its layer, and its number or else its first token."""
Edge = tuple[str, int, int]
"""Type, number of the span that refers, number of the span it refers to."""

_LAYER = "webanno.custom.Referent"
_ENDS = "webanno.custom.Coref|type|BT_" + _LAYER
_BEGINNING = re.compile(rf"(?m)^(?={re.escape(FORMAT)})")
_TOKEN = re.compile(r"(\d{1,9})-(\d{1,9})")
_SUBTOKEN = re.compile(r"\d+-\d+\.\d+")
_CHUNK = re.compile(r"((?:[^\\|\[]++|\\.)*+)(?:\[(\d{1,9})\])?(?:\||$)")
_LINK = re.compile(r"((?:[^\\|]|\\.)*?)->(\d{1,9}-\d{1,9})(?:\||$)")
_LINGUISTIC = re.compile(r"(?:de\.tudarmstadt\.ukp|org)\.dkpro\.core\.api\.(?!coref\.|ner\.)")
"""Layers of DKPro that do not mark mentions; those of coreference and named entities may."""
_LINK_FEATURES = {"referenceRelation", "referenceType"}
_SOURCE = re.compile(r"(\d+-\d+)(?:\[(\d{1,9})_(\d{1,9})\])?")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_UNSAFE = re.compile(r"[\\\[\]|_;*]|->")
_BREAKS = {character: f"\\{letter}" for letter, character in _ESCAPED.items()}


class WebAnno:
    """Reads and writes WebAnno TSV; relations whose type begins with one of ``apart`` make no
    chains.

    >>> lines = ["#FORMAT=WebAnno TSV 3.2", "#T_SP=custom.Referent|entity",
    ...     "#T_RL=custom.Coref|type|BT_custom.Referent", "", "#Text=Ann saw her",
    ...     "1-1\\t0-3\\tAnn\\tperson[1]\\tana\\t1-3[2_1]\\t", "1-2\\t4-7\\tsaw\\t_\\t_\\t_\\t",
    ...     "1-3\\t8-11\\ther\\tperson[2]\\t_\\t_\\t"]
    >>> next(WebAnno().read(Source.of("\\n".join(lines).encode()), Reading()))[0].clusters()
    [[(0, 1), (2, 3)]]
    """

    card = FormatCard(
        name="webanno",
        title="WebAnno TSV 3.2",
        description="A token a line, numbered spans with features, relations or chains; GUM, INCEpTION.",
        extensions=(".tsv",),
        holds=DOCUMENTS | ANY_MENTIONS | {"text", "mention attributes", "bridging", "split antecedents"},
        appends=True,
        cites=("yimam2013", "zeldes2017"),
    )

    def __init__(self, *, apart: Sequence[str] = NOT_IDENTITY) -> None:
        self.apart = tuple(apart)

    def recognises(self, head: bytes) -> float:
        """Sure of the first line."""
        return 1.0 if head.startswith(FORMAT.encode()) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield the documents: a file may have several, each from its first line on."""
        text = read_text(source, reading)
        if not text.startswith(FORMAT):
            raise FormatError(
                "the first line does not declare the format",
                code="CB117",
                place=Place(source=source.name, line=1),
                found=text.split("\n", 1)[0][:60],
                expected=f"{FORMAT} 3.2",
            )
        build, size, line = CorpusBuilder(source.stem, words=reading.words), 0, 1
        for document in filter(None, _BEGINNING.split(text)):
            # The text is in memory already, but a corpus of arrays costs more than the text.
            if size and size + len(document) > reading.block_bytes:
                yield build.finish()
                build, size = CorpusBuilder(source.stem, words=reading.words), 0
            reader = _DocumentReader(source, reading)
            reader.read(document, line)
            reader.add_to(build, self.apart)
            size += len(document)
            line += document.count("\n")
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write the documents one after another, each with its header and ``#Document=``."""
        write_documents(corpus, stream, _document_text)


def unescape(text: str) -> str:
    r"""Resolve the backslashes of a cell or text.

    >>> unescape(r"a\_b\\c\tx") == "a_b\\c\tx"
    True
    """
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text) if "\\" in text else text


class _Layer(Record, frozen=True):
    """A layer of spans: its name, and the columns to read with their features.

    A column without a feature says only that there is a span.
    """

    name: str
    columns: dict[int, str]


class _RelationLayer(Record, frozen=True):
    """A layer of relations: the column of its type, that of its source, and the layer it joins."""

    name: str
    type: int
    source: int
    layer: str


class _ChainLayer(Record, frozen=True):
    """A layer of chains: the columns of the type of a link, and of the relation to the next link."""

    name: str
    type: int
    relation: int


class _DocumentReader:
    """One document on its way into a corpus: its layers, its text, its tokens and its spans."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self.source, self.reading = source, reading
        self.header: dict[str, str] = {}
        self.layers: list[_Layer] = []
        self.relations: list[_RelationLayer] = []
        self.chains: list[_ChainLayer] = []
        self.unread: list[str] = []
        """Layers and slot features of no use."""
        self.used_columns: set[int] | None = None
        self.width = 3
        """Number of columns: the token, its characters, the word, and those that layers declare."""
        self.sentences: list[tuple[list[str], list[Span]]] = []
        """The words of every sentence, and their character spans in the text."""
        self.texts: list[str] = []
        self.length = 0
        self.rows: list[tuple[int, list[str]]] = []
        """Line and cells of every token."""
        self.sentence_start = 0
        self.sentence_text = ""
        self.span_numbers: dict[SpanKey, int] = {}
        self.span_tokens: list[list[int]] = []
        self.span_columns: list[dict[str, str]] = []
        self.links: list[tuple[int, int]] = []

    def _place(self, line: int) -> Place:
        return Place(source=self.source.name, line=line)

    def read(self, text: str, first_line: int) -> None:
        """Read the lines of the document; the text is that of the ``#Text`` lines."""
        for number, line in enumerate(text.split("\n"), first_line):
            if line.startswith("#Text="):
                if len(self.rows) > self.sentence_start:
                    self._end_sentence()
                sentence = unescape(line[6:])
                self.sentence_text = f"{self.sentence_text}\n{sentence}" if self.sentence_text else sentence
            elif line[:1] == "#":
                key, _, value = line.partition("=")
                self.header[key] = value
                if key in ("#T_SP", "#T_RL", "#T_CH"):
                    self._declare_layer(key, value, self._place(number))
            elif not line.strip():
                self._end_sentence()
            else:
                self._read_row(number, line.split("\t"))
        self._end_sentence()

    def _declare_layer(self, key: str, value: str, place: Place) -> None:
        if self.rows:
            raise FormatError(
                "a layer is declared after the first token",
                code="CB117",
                place=place,
                found=f"{key}={value}"[:80],
                expected="all layers in the header of the document",
            )
        name, *features = value.split("|")
        first = self.width
        targets = [feature[3:] for feature in features if feature.startswith("BT_")]
        if key == "#T_SP":
            # A slot feature has two columns: the roles, and the spans that fill them.
            slots = [index for index, feature in enumerate(features) if feature.startswith("ROLE_")]
            self.unread += [features[slot] for slot in slots]
            columns = {first + index: feature for index, feature in enumerate(features or [""])}
            columns |= {first + slot: "" for slot in slots}
            for slot in slots:
                columns.pop(first + slot + 1, None)
            self.layers.append(_Layer(name=name, columns=columns))
            self.width += max(len(features), 1)
        elif key == "#T_RL" and len(targets) == 1 and features[-1].startswith("BT_"):
            last = first + len(features) - 1
            kind = first if last > first else -1
            self.relations.append(_RelationLayer(name=name, type=kind, source=last, layer=targets[0]))
            self.width = last + 1
        elif key == "#T_CH" and set(features) == _LINK_FEATURES and len(features) == len(_LINK_FEATURES):
            kind, relation = (first + features.index(name) for name in ("referenceType", "referenceRelation"))
            self.chains.append(_ChainLayer(name=name, type=kind, relation=relation))
            self.width += len(features)
        else:
            raise FormatError(
                "the declaration of a layer is not read",
                code="CB117",
                place=place,
                found=f"{key}={value}"[:80],
                expected="#T_SP=LAYER|feature…, #T_RL=LAYER|type|BT_LAYER or "
                "#T_CH=LAYER|referenceType|referenceRelation",
            )

    def _select_layers(self) -> set[int]:
        """Keep the layers that mark mentions, report the others and return the columns to read."""
        layers = [layer for layer in self.layers if not _LINGUISTIC.match(layer.name)]
        names = {layer.name for layer in layers}
        relations = [r for r in self.relations if r.layer in names and not _LINGUISTIC.match(r.name)]
        if self.chains:
            layers, relations = [], []
        elif relations:
            joined = {relation.layer for relation in relations}
            layers = [layer for layer in layers if layer.name in joined]
        self.unread += [layer.name for layer in self.layers if layer not in layers]
        self.unread += [layer.name for layer in self.relations if layer not in relations]
        if self.unread:
            place = Place(source=self.source.name, document=unescape(self.header.get("#Document", "")))
            found = ", ".join(self.unread)
            self.reading.warn("CB136", "layers that mark no coreference are not read", place, found)
        self.layers, self.relations = layers, relations
        columns = {column for layer in layers for column in layer.columns}
        columns |= {relation.source for relation in relations}
        return columns | {column for chain in self.chains for column in (chain.type, chain.relation)}

    def _read_row(self, number: int, cells: list[str]) -> None:
        if self.used_columns is None:
            self.used_columns = self._select_layers()
        if _TOKEN.fullmatch(cells[0]) and len(cells) >= 3:
            if len(cells) < self.width:
                expected = f"{self.width} columns, as the header declares"
                message, repair = "a line has too few columns", "missing columns read as _"
                found = f"{len(cells)} columns"
                self.reading.fault("CB110", message, self._place(number), found, repair, expected=expected)
                cells += ["_"] * (self.width - len(cells))
            self.rows.append((number, cells))
        elif _SUBTOKEN.fullmatch(cells[0]):
            if all(cell in ("_", "") for column, cell in enumerate(cells) if column in self.used_columns):
                return
            message = "a part of a token is annotated"
            self.reading.fault("CB141", message, self._place(number), " ".join(cells[:3]), "line left out")
        else:
            found = "\t".join(cells)[:60]
            self.reading.fault("CB141", "the line is not a token", self._place(number), found, "line left out")

    def _end_sentence(self) -> None:
        """Close the sentence and find its words in its text.

        They are searched for: the file's own offsets count UTF-16 and are not needed.
        """
        rows = self.rows[self.sentence_start :]
        if not rows:
            return
        words = [unescape(cells[2]) for _, cells in rows]
        text, spans = self.sentence_text, _find_words(self.sentence_text, words)
        if spans is None:
            if text:
                message, repair = "the text of a sentence does not have its words", "the words are taken as the text"
                self.reading.fault("CB142", message, self._place(rows[0][0]), text[:60], repair)
            text, spans = join_with_spans(words)
        self.sentences.append((words, [(self.length + start, self.length + end) for start, end in spans]))
        self.texts.append(text + "\n")
        self.length += len(text) + 1
        self.sentence_start, self.sentence_text = len(self.rows), ""

    def add_to(self, build: CorpusBuilder, apart: tuple[str, ...]) -> None:
        """Add the document; relations whose type begins with one of ``apart`` make no chains."""
        name = unescape(self.header.get("#Document", "")) or self.source.stem
        build.begin_document(name, parse_natural(self.header.get("#Part", "")), text="".join(self.texts))
        for words, offsets in self.sentences:
            build.sentence(words, offsets=offsets)
        # First all spans, since a relation may stand before the span it comes from.
        for token, (line, cells) in enumerate(self.rows):
            for layer in self.layers:
                self._read_spans(layer, token, line, cells)
            for chain in self.chains:
                self._read_links(chain, token, line, cells)
        others: list[Edge] = []
        for line, cells in self.rows:
            for kind, anaphor, antecedent in self._read_relations(line, cells):
                if kind.startswith(apart):
                    others.append((kind, anaphor, antecedent))
                else:
                    self.links.append((anaphor, antecedent))
        chains = connected_components(len(self.span_tokens), self.links)
        parts = list(map(_token_parts, self.span_tokens))
        mentions = [0] * len(parts)
        for span in sorted(range(len(parts)), key=lambda span: (parts[span][0][0], -parts[span][-1][1])):
            mentions[span] = build.mention(str(chains[span]), parts[span], columns=self.span_columns[span])
        for kind, anaphor, antecedent in others:
            if kind == SPLIT_ANTECEDENT:
                build.split_antecedent(build.chain(str(chains[anaphor])), build.chain(str(chains[antecedent])))
            else:
                label = kind.removeprefix("bridge").removeprefix(":")
                build.bridge(mentions[anaphor], mention=mentions[antecedent], label=label)

    def _read_spans(self, layer: _Layer, token: int, line: int, cells: list[str]) -> None:
        for column, feature in layer.columns.items():
            cell = cells[column]
            if cell == "_":
                continue
            for value, number in _parse_cell(cell):
                if value is None:
                    message, repair = "the cell is not values with numbers", "the rest left out"
                    self.reading.fault("CB106", message, self._place(line), cell[:60], repair)
                    break
                self._add_token((layer.name, number or cells[0]), token, feature, value)

    def _add_token(self, key: SpanKey, token: int, feature: str, value: str) -> int:
        """Add a token, and the value of a feature, to a span; return the number of the span."""
        span = self.span_numbers.setdefault(key, len(self.span_tokens))
        if span == len(self.span_tokens):
            self.span_tokens.append([])
            self.span_columns.append({})
        tokens = self.span_tokens[span]
        if not tokens or tokens[-1] != token:
            tokens.append(token)
        if feature and value not in ("*", "_", ""):
            self.span_columns[span][feature] = unescape(value)
        return span

    def _read_links(self, layer: _ChainLayer, token: int, line: int, cells: list[str]) -> None:
        """Read the links of chains that a token is part of: ``coref->4-2`` is the second of chain 4."""
        relation, kind = cells[layer.relation], cells[layer.type]
        links = _parse_links(relation) if relation != "_" else ()
        types = _parse_cell(kind) if kind != "_" else ()
        chains = [number.split("-")[0] for _, number in links]
        if chains != [number for _, number in types] or "" in chains:
            message, found = "the cells of a chain do not fit each other", f"{kind[:30]} and {relation[:30]}"
            self.reading.fault("CB106", message, self._place(line), found, "the rest left out")
        for (label, number), chain, (value, _) in zip(links, chains, types, strict=False):
            if chain:
                span = self._add_token((layer.name, number), token, "referenceRelation", label)
                self._add_token((layer.name, number), token, "referenceType", value or "")
                first = self.span_numbers.setdefault((layer.name, f"chain {chain}"), span)
                self.links.append((first, span))

    def _read_relations(self, line: int, cells: list[str]) -> Iterator[Edge]:
        """Yield the relations in the cells of a token, between spans that exist."""
        for layer in self.relations:
            cell = cells[layer.source]
            types = cells[layer.type].split("|") if layer.type >= 0 else []
            for index, chunk in enumerate(cell.split("|") if cell != "_" else ()):
                anaphor = antecedent = None
                if match := _SOURCE.fullmatch(chunk):
                    # A span without a number is named by its first token, and 0 stands for its number.
                    source, target = match[2] or "0", match[3] or "0"
                    anaphor = self.span_numbers.get((layer.layer, match[1] if source == "0" else source))
                    antecedent = self.span_numbers.get((layer.layer, cells[0] if target == "0" else target))
                if anaphor is None or antecedent is None:
                    message = "a relation names a span that is not there"
                    self.reading.fault("CB115", message, self._place(line), cell[:60], "relation left out")
                else:
                    yield unescape(types[index]) if index < len(types) else "", anaphor, antecedent


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
        # Never before the last word, so that a repeated word finds its own place.
        start = text.find(word, position)
        if start < 0:
            return None
        position = start + len(word)
        spans.append((start, position))
    return spans


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


@lru_cache(maxsize=4096)
def _parse_links(cell: str) -> tuple[tuple[str, str], ...]:
    """Return the relation and the number of every link; a last number of "" if the cell is malformed.

    >>> _parse_links("coref->1-2|*->7-1"), _parse_links("*->one")
    ((('coref', '1-2'), ('*', '7-1')), (('', ''),))
    """
    links: list[tuple[str, str]] = []
    position = 0
    while position < len(cell):
        match = _LINK.match(cell, position)
        if match is None:
            return (*links, ("", ""))
        links.append((match[1], match[2]))
        position = match.end()
    return tuple(links)


def _document_text(document: Document) -> str:
    """The header, then every sentence with its text and its tokens."""
    corpus = document.corpus
    features = list(corpus.mentions.columns) or ["entity"]
    part = document_part(document)
    lines = [f"{FORMAT} 3.2", f"#T_SP={_LAYER}|{'|'.join(map(_name, features))}", f"#T_RL={_ENDS}"]
    lines.append(f"#Document={_text(document.name)}")
    lines += [f"#Part={part}"] if part >= 0 else []
    words = [word.replace("\0", "") or "_" for word in document.words]
    cells = _Cells(document, features)
    position = 0
    for number, (start, end) in enumerate(_sentences(document), 1):
        text, offsets = _sentence(document, words, start, end)
        lines += ["", "", f"#Text={_text(text)}"]
        units = _units(text)
        for index, token in enumerate(range(start, end), 1):
            a, b = (position + units[offset] for offset in offsets[token - start])
            name = f"{number}-{index}"
            row = [name, f"{a}-{b}", _text(words[token]), *cells.of(token), ""]
            lines.append("\t".join(row))
        position += units[-1] + 1
    return "\n".join([*lines, "", ""])


def _sentences(document: Document) -> list[Span]:
    return [(a, b) for a, b in document.sentences if b > a]


def _sentence(document: Document, words: list[str], start: int, end: int) -> tuple[str, list[Span]]:
    """The text of a sentence, the original if there is one, and where its tokens stand in it."""
    if document.text is not None and document.offsets is not None:
        offsets = document.offsets[start:end]
        first, last = offsets[0][0], offsets[-1][1]
        return document.text[first:last], [(a - first, b - first) for a, b in offsets]
    return join_with_spans(words[start:end])


class _Cells:
    """The cells of every token: values with span numbers, and the relations that end there."""

    def __init__(self, document: Document, features: list[str]) -> None:
        mentions = document.mentions
        starts = _starts(document)
        self.values: dict[int, list[list[str]]] = defaultdict(lambda: [[] for _ in features])
        for number, mention in enumerate(mentions, 1):
            for index, feature in enumerate(features):
                value = mention_attribute(mention, feature)
                chunk = f"{_escaped(value) if value else '*'}[{number}]"
                for token in range(mention.start, mention.end):
                    self.values[token][index].append(chunk)
        self.edges: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for kind, anaphor, antecedent in _edges(document):
            source = f"{starts[mentions[anaphor - 1].start]}[{anaphor}_{antecedent}]"
            self.edges[mentions[antecedent - 1].start].append((_escaped(kind), source))
        self.features = len(features)

    def of(self, token: int) -> list[str]:
        values = self.values.get(token)
        cells = ["|".join(chunks) for chunks in values] if values else ["_"] * self.features
        edges = self.edges.get(token, [("_", "_")])
        return [*cells, "|".join(kind for kind, _ in edges), "|".join(end for _, end in edges)]


def _starts(document: Document) -> dict[int, str]:
    return {
        token: f"{number}-{index}"
        for number, (start, end) in enumerate(_sentences(document), 1)
        for index, token in enumerate(range(start, end), 1)
    }


def _edges(document: Document) -> Iterator[Edge]:
    """Every mention to the one before it in its chain; then bridging and split antecedents."""
    corpus, mentions = document.corpus, document.mentions
    number = {mention.index: place for place, mention in enumerate(mentions, 1)}
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for mention in mentions:
        chain = mention.chain.index
        if chain in last:
            yield "coref", number[mention.index], last[chain]
        first.setdefault(chain, number[mention.index])
        last[chain] = number[mention.index]
    relations = corpus.relations
    mine = np.isin(relations.bridging_anaphor, list(number))
    for row in np.flatnonzero(mine).tolist():
        anaphor = number[int(relations.bridging_anaphor[row])]
        anchor = number.get(int(relations.bridging_mention[row]), 0)
        anchor = anchor or first.get(int(relations.bridging_chain[row]), 0)
        label = relations.bridging_label[row]
        if anchor:
            yield f"bridge:{label}" if label and label != "aggr" else "bridge", anaphor, anchor
    for plural, element in zip(relations.plural.tolist(), relations.element.tolist(), strict=True):
        if plural in first and element in first:
            yield "bridge:aggr", first[plural], first[element]


def _name(feature: str) -> str:
    return re.sub(r"[|=\s]", "_", feature) or "_"


def _escaped(value: str) -> str:
    return _text(_UNSAFE.sub(lambda match: "".join("\\" + c for c in match[0]), value), escape=False)


def _text(text: str, *, escape: bool = True) -> str:
    if escape:
        text = text.replace("\\", "\\\\")
    return "".join(_BREAKS.get(character, character) for character in text)


def _units(text: str) -> Sequence[int]:
    """How much of UTF-16, which is what WebAnno counts, stands before every place of a text.

    >>> _units("a𝒳b")
    [0, 1, 3, 4]
    """
    if max(text, default="") <= "\uffff":
        return range(len(text) + 1)
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]
