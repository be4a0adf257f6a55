"""Writing a document as WebAnno TSV."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from corefbench.formats.tokenise import Span
from corefbench.formats.webanno_lines import DOCUMENT, FORMAT, PART
from corefbench.model.document import Document

_UNSAFE = re.compile(r"[\\\[\]|_;*]|->")
_BREAKS = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f", "\b": "\\b"}
_LAYER = "webanno.custom.Referent"
_ENDS = "webanno.custom.Coref|type|BT_" + _LAYER

Edge = tuple[str, int, int]
"""Type, number of the span that refers, number of the span it refers to."""


def document_text(document: Document) -> str:
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
    text = " ".join(words[start:end])
    offsets, position = [], 0
    for word in words[start:end]:
        offsets.append((position, position + len(word)))
        position += len(word) + 1
    return text, offsets


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
    return _text(
        _UNSAFE.sub(lambda match: "".join("\\" + c for c in match[0]), value), escape=False
    )


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
