"""WebAnno TSV 3.2, the format of GUM and INCEpTION: one token per line.

``#T_SP=LAYER|feature|…`` declares a layer of spans, ``#T_RL=LAYER|type|BT_LAYER`` one of relations;
a line is ``2-3<TAB>41-44<TAB>his<TAB>abstract[6]|person[7]<TAB>…<TAB>ana<TAB>3-10[23_7]<TAB>``:
sentence and token, characters, the word, a cell for each feature, then type and source of relations
that end at a span here: ``3-10[23_7]`` comes from span 23, which begins at 3-10, to span 7. Chains
are what coref, ana, cata, appos and pred connect; ``bridge…`` is bridging, and ``bridge:aggr``
marks split antecedents.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import BinaryIO

import numpy as np

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import FormatError, Place
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading, require_words
from corefbench.formats.common.decode import decode_text, read_bytes
from corefbench.formats.common.spans import Span
from corefbench.formats.source import Source
from corefbench.formats.webanno.reader import (
    DOCUMENT,
    FORMAT,
    PART,
    SPLIT_ANTECEDENT,
    Annotation,
    bridging_label,
    join_with_spans,
    read_annotation,
    read_lines,
    split_documents,
)

_UNSAFE = re.compile(r"[\\\[\]|_;*]|->")
_BREAKS = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f", "\b": "\\b"}
_LAYER = "webanno.custom.Referent"
_ENDS = "webanno.custom.Coref|type|BT_" + _LAYER

Edge = tuple[str, int, int]
"""Type, number of the span that refers, number of the span it refers to."""
NOT_IDENTITY = ("bridge",)


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
        description="A token a line, numbered spans with features, relations; GUM, INCEpTION.",
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
        text = decode_text(read_bytes(source, reading), source.name)
        if not text.startswith(FORMAT):
            raise FormatError(
                "the first line does not declare the format",
                code="CB117",
                place=Place(source=source.name, line=1),
                found=text.split("\n", 1)[0][:60],
                expected=f"{FORMAT} 3.2",
            )
        build, size = CorpusBuilder(source.stem, words=reading.words), 0
        for first_line, document in split_documents(text):
            if size and size + len(document) > reading.block_bytes:
                yield build.finish()
                build, size = CorpusBuilder(source.stem, words=reading.words), 0
            lines = read_lines(document, first_line, source, reading.strictness)
            build.begin_document(lines.name or source.stem, lines.part, text=lines.text)
            for sentence in lines.sentences:
                build.sentence(sentence.words, offsets=sentence.offsets)
            _add_annotation(build, read_annotation(lines, self.apart, reading.strictness))
            size += len(document)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write the documents one after another, each with its header and ``#Document=``."""
        require_words(corpus)
        for document in corpus:
            stream.write(_document_text(document).encode())


def _document_text(document: Document) -> str:
    """The header, then every sentence with its text and its tokens."""
    corpus = document.corpus
    features = list(corpus.mentions.columns) or ["entity"]
    part = int(corpus.documents.parts[document.index])
    lines = [f"{FORMAT} 3.2", f"#T_SP={_LAYER}|{'|'.join(map(_name, features))}", f"#T_RL={_ENDS}"]
    lines.append(DOCUMENT + _text(document.name))
    lines += [f"{PART}{part}"] if part >= 0 else []
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
        self.document = document
        mentions = document.mentions
        self.first = mentions[0].index if mentions else 0
        starts = _starts(document)
        columns = document.corpus.mentions.columns
        self.values: dict[int, list[list[str]]] = defaultdict(lambda: [[] for _ in features])
        for number, mention in enumerate(mentions, 1):
            for index, feature in enumerate(features):
                value = columns[feature][mention.index] if feature in columns else ""
                chunk = f"{_escaped(value) if value else '*'}[{number}]"
                for token in range(mention.start, mention.end):
                    self.values[token][index].append(chunk)
        self.edges: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for kind, one, other in _edges(document):
            source = f"{starts[mentions[one - 1].start]}[{one}_{other}]"
            self.edges[mentions[other - 1].start].append((_escaped(kind), source))
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
        chain = int(corpus.mentions.chain[mention.index])
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


def _add_annotation(build: CorpusBuilder, annotation: Annotation) -> None:
    """Add the mentions, chains and relations of the open document."""
    spans, chains = annotation.spans, annotation.chains
    numbers = [0] * len(spans)
    for index in sorted(range(len(spans)), key=lambda i: spans[i].order):
        span = spans[index]
        numbers[index] = build.mention(str(chains[index]), span.parts, columns=span.columns)
    for kind, anaphor, antecedent in annotation.others:
        if kind == SPLIT_ANTECEDENT:
            plural, element = (build.chain(str(chains[span])) for span in (anaphor, antecedent))
            build.split_antecedent(plural, element)
        else:
            label = bridging_label(kind)
            build.bridge(numbers[anaphor], mention=numbers[antecedent], label=label)
