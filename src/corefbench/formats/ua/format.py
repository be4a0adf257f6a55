"""Universal Anaphora, CONLL-UA exploded (version 1.1): markables in columns of their own.

``(EntityID=1|MarkableID=markable_a|Min=3,4|SemType=dn|ElementOf=4`` opens, a bare ``)`` closes the
markable opened last in the document, so markables nest; ``markable_a)`` closes the one it names.
Brackets that share a MarkableID are the chunks of a discontinuous markable, and ``@`` may stand
between brackets. Min counts the document's tokens from 1, both ends included, as the UA scorer
does. Bridging links may lack brackets; the column SPLIT of version 1.0 is read too. The announced
columns are counted from the left: files may lack the last ones. Lines with the number 0 describe a
visual situation: they and further columns are reported and left out.
"""

import re
from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, Literal, TypeAlias

import numpy as np

from corefbench.corpus.builder import Span
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, Place, UsageError
from corefbench.formats.base import (
    EVERYTHING,
    SPEAKERS,
    FormatCard,
    Reading,
    require_words,
)
from corefbench.formats.common.conllu import one_line, percent_encode
from corefbench.formats.source import Source
from corefbench.formats.ua.columnar import COLUMNS, LAYERS, PSEUDO_SUFFIX, RESERVED_KEYS
from corefbench.formats.ua.reader import read_blocks

_UNSAFE = re.compile(r"[()|=,\s]|@$")
_UNSAFE_VALUE = re.compile(r"[()|\s]|@$")

Layer: TypeAlias = Literal["identity", "deixis"]


class UniversalAnaphora:
    """Reads and writes the identity column, or that of discourse deixis.

    >>> text = b"# newdoc id = d\\n1 I" + b" _" * 8 + b" (EntityID=1|MarkableID=m1) _ _\\n"
    >>> list(UniversalAnaphora().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="ua",
        title="Universal Anaphora (CONLL-UA exact)",
        description="Markables with minimal spans, split antecedents, bridging and non-referring.",
        extensions=(".CONLL", ".conll", ".ua"),
        holds=EVERYTHING - SPEAKERS - {"crossing mentions", "text", "heads"},
        token_columns=COLUMNS,
        appends=True,
        cites=("yu2023",),
    )

    def __init__(self, column: Layer = "identity") -> None:
        if column not in LAYERS:
            raise UsageError(f"there is no column {column!r}", remedy="identity or deixis")
        self.column = column

    def recognises(self, head: bytes) -> float:
        """Sure of ``# global.columns`` that names IDENTITY."""
        return 1.0 if re.search(rb"# global\.columns *=.*\bIDENTITY\b", head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each begun by ``# newdoc``."""
        return read_blocks(source, reading, LAYERS[self.column])

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """All fifteen columns, separated by TAB."""
        require_words(corpus)
        stream.write(f"# global.columns = {' '.join(COLUMNS).upper()}\n".encode())
        writer = _Writer(corpus, LAYERS[self.column])
        for document in range(len(corpus)):
            stream.write("".join(writer.document(document)).encode())


class _Writer:
    """One corpus as text, document by document."""

    def __init__(self, corpus: Corpus, layer: str) -> None:
        self.corpus = corpus
        self.layer = layer
        mentions, relations = corpus.mentions, corpus.relations
        self.edges = np.searchsorted(mentions.document, np.arange(len(corpus) + 1))
        self.labels = [_UNSAFE.sub(percent_encode, corpus.chains.label(c)) for c in range(len(corpus.chains))]
        self.names = self.markable_names()
        self.first = {c: m for m, c in reversed(list(enumerate(mentions.chain.tolist())))}
        self.pseudo = set(mentions.chain[~mentions.referring].tolist()) if (mentions.referring is not None) else set()
        self.elements: dict[int, list[str]] = {}
        for plural, element in zip(relations.plural.tolist(), relations.element.tolist(), strict=True):
            self.elements.setdefault(element, []).append(self.label(plural))
        self.bridges: dict[int, list[str]] = {}
        for row, anaphor in enumerate(relations.bridging_anaphor.tolist()):
            self.bridges.setdefault(anaphor, []).append(self.bridge(row, anaphor))

    def label(self, chain: int) -> str:
        label = self.labels[chain]
        return label + PSEUDO_SUFFIX if chain in self.pseudo and not label.endswith(PSEUDO_SUFFIX) else label

    def markable_names(self) -> list[str]:
        """The MarkableIDs, made up where the corpus has none or one that another markable has."""
        column = self.corpus.mentions.columns.get("MarkableID")
        given = list(column) if column is not None else [""] * len(self.corpus.mentions)
        given = [_UNSAFE.sub(percent_encode, name) for name in given]
        names: list[str] = []
        for start, end in zip(self.edges[:-1].tolist(), self.edges[1:].tolist(), strict=True):
            in_document, taken = set(given[start:end]), set[str]()
            free = (name for name in map("markable_{}".format, count(1)) if name not in in_document)
            for name in given[start:end]:
                names.append(next(free) if not name or name in taken else name)
                taken.add(names[-1])
        return names

    def bridge(self, row: int, anaphor: int) -> str:
        relations = self.corpus.relations
        fields = [f"(MarkableID={self.names[anaphor]}"]
        if relations.bridging_label[row]:
            fields.append(f"Rel={_UNSAFE.sub(percent_encode, relations.bridging_label[row])}")
        if relations.bridging_mention[row] >= 0:
            fields.append(f"MentionAnchor={self.names[relations.bridging_mention[row]]}")
        if relations.bridging_chain[row] >= 0:
            fields.append(f"EntityAnchor={self.label(int(relations.bridging_chain[row]))}")
        return "|".join(fields)

    def document(self, document: int) -> Iterator[str]:
        view = self.corpus[document]
        first = int(self.corpus.tokens.offsets[document])
        rows = self.rows(first, first + len(view))
        yield f"# newdoc id = {one_line(view.label)}\n"
        for name, values in self.corpus.documents.columns.items():
            if values[document]:
                yield f"# meta::{name} = {one_line(values[document])}\n"
        numbers = range(int(self.edges[document]), int(self.edges[document + 1]))
        chunks = [(*part, self.markable(m)) for m in numbers for part in self.parts(m)]
        self.fill(rows, self.layer, chunks, view.label)
        if self.layer == "identity":
            chunks = [(*self.parts(m)[0], text) for m in numbers for text in self.bridges.get(m, ())]
            self.fill(rows, "bridging", chunks, view.label)
        for number, (start, end) in enumerate(view.sentences, 1):
            if start < end:
                yield f"# sent_id = {one_line(view.label)}-{number}\n"
                yield from ("\t".join(row) + "\n" for row in rows[start:end])
                yield "\n"

    def rows(self, start: int, end: int) -> list[list[str]]:
        tokens = self.corpus.tokens
        columns = []
        for name in COLUMNS:
            column = tokens.words if name == "form" else tokens.columns.get(name)
            texts = column.slice(start, end) if column is not None else [""] * (end - start)
            columns.append([re.sub(r"[\t\n\r]", " ", text).strip() or "_" for text in texts])
        empty = np.zeros(end - start, bool) if tokens.empty is None else tokens.empty[start:end]
        if "id" not in tokens.columns:
            counted = np.cumsum(~empty).tolist()
            columns[0] = [f"{n}.1" if no else str(n) for n, no in zip(counted, empty.tolist(), strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]

    def fill(self, rows: list[list[str]], column: str, chunks: list[tuple[int, int, str]], document: str) -> None:
        """Write brackets with their start, end and text into a column, checking that they nest."""
        opened, closed = [""] * len(rows), [0] * len(rows)
        stack: list[int] = []
        for start, end, text in sorted(chunks, key=lambda chunk: (chunk[0], -chunk[1])):
            if end == start + 1:
                opened[start] += text + ")"
                continue
            # Closing brackets come first in a cell: what ends at this token is closed by then.
            while stack and stack[-1] <= start + 1:
                stack.pop()
            if stack and stack[-1] < end:
                raise FormatError(
                    "two markables cross, which CONLL-UA cannot say",
                    code="CB105",
                    place=Place(document=document),
                    found=f"tokens {start} to {end}",
                    remedy="write another format, such as corefud or jsonlines",
                )
            stack.append(end)
            opened[start] += text
            closed[end - 1] += 1
        index = COLUMNS.index(column)
        for row, text, ends in zip(rows, opened, closed, strict=True):
            row[index] = ")" * ends + text or "_"

    def parts(self, mention: int) -> list[Span]:
        mentions = self.corpus.mentions
        if mentions.parts is not None:
            return mentions.parts.of(mention)
        return [(int(mentions.start[mention]), int(mentions.end[mention]))]

    def markable(self, mention: int) -> str:
        mentions = self.corpus.mentions
        chain = int(mentions.chain[mention])
        fields = {"EntityID": self.label(chain), "MarkableID": self.names[mention]}
        minimum = mentions.minimum.of(mention) if mentions.minimum is not None else []
        if minimum:
            start, end = minimum[0][0] + 1, minimum[-1][1]
            fields["Min"] = str(start) if start == end else f"{start},{end}"
        for name, column in mentions.columns.items():
            if name not in RESERVED_KEYS and column[mention]:
                fields[name] = _UNSAFE_VALUE.sub(percent_encode, column[mention])
        if self.first[chain] == mention and chain in self.elements:
            fields["ElementOf"] = ",".join(self.elements[chain])
        return "(" + "|".join(f"{name}={value}" for name, value in fields.items())
