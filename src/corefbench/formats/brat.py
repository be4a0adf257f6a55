"""brat stand-off: ``x.ann`` with the annotation, ``x.txt`` with the text it counts characters of.

``T1<TAB>Person 0 4;8 12<TAB>John … Smith`` is a mention, discontinuous where it has fragments;
``R1<TAB>Coreference Arg1:T2 Arg2:T1`` and ``*<TAB>Coreference T1 T2 T3`` make chains; ``A``, ``N``
and ``#`` lines give a mention attributes; mentions without links are singletons. Relations of
other types become attributes ``relation:TYPE`` that name the tokens of the other mention.

LitBank writes two T lines a mention with the same offsets, one of its category (``NOM_PER``), one
whose type is the label of its chain (``Anne-8``); what has no label is a singleton there.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, TypeVar

import numpy as np

from corefbench.errors import UsageError
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.brat_lines import Annotation, read_lines
from corefbench.formats.brat_spans import Spans, span_text, token_spans
from corefbench.formats.brat_write import COREFERENCE, document_lines
from corefbench.formats.bundle import (
    Made,
    Pair,
    annotation_files,
    batches,
    is_archive,
    write_files,
    write_pairs,
)
from corefbench.formats.components import components
from corefbench.formats.layout import lay_out, require_words
from corefbench.formats.source import Source
from corefbench.formats.text_documents import add_documents
from corefbench.formats.tokenise import Span, segment_texts
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.model.corpus import Corpus

Dialect: TypeAlias = Literal["auto", "brat", "litbank"]
Rows: TypeAlias = Sequence[int]
Chained: TypeAlias = tuple[Rows, list[int], list[str]]
"""Mentions, the number of the chain of each, and the labels of the chains."""
Value = TypeVar("Value")

_LINE = re.compile(rb"[TREAMN*#]\d*\t[^\s]+[ \t]")
_MENTION = re.compile(rb"(?:^|\n)T\d+\t\S+ \d+ \d+")
_CATEGORY = re.compile(r"(?:PROP|NOM|PRON)_[A-Z]+")
_LABEL = re.compile(r".+-\d+")


class Brat:
    """Reads and writes brat stand-off; ``relations`` are the types that mean identity.

    >>> from corefbench.formats.bundle import Pair
    >>> pair = Pair(source="d.ann", name="d", part=-1, text=b"Ann saw Ann.",
    ...     annotation=b"T1\\tPer 0 3\\tAnn\\nT2\\tPer 8 11\\tAnn\\nR1\\tCoref Arg1:T2 Arg2:T1\\n")
    >>> Brat().corpus(pair, Reading())
    <Corpus 'd': 1 documents, 4 tokens, 2 mentions, 1 chains>
    """

    card = FormatCard(
        name="brat",
        title="brat stand-off",
        description="Annotation in an .ann file, its text in the .txt beside it; LitBank's too.",
        extensions=(".ann",),
        holds=frozenset(
            {
                "document names",
                "text",
                "words",
                "sentences",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "discontinuous mentions",
                "mentions across sentences",
                "mention attributes",
            }
        ),
        cites=("stenetorp2012",),
    )

    def __init__(
        self, relations: Sequence[str] = COREFERENCE, *, dialect: Dialect = "auto"
    ) -> None:
        if dialect not in ("auto", "brat", "litbank"):
            raise UsageError(f"there is no dialect {dialect!r}", remedy="auto, brat or litbank")
        self.relations = frozenset(name.lower() for name in relations)
        self.dialect = dialect

    def recognises(self, head: bytes) -> float:
        """Sure of lines that all have the shape of annotation, mentions among them."""
        if is_archive(head):
            return 0.9 if _MENTION.search(head) else 0.3
        lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50]
        alike = bool(lines) and all(_LINE.match(line) for line in lines)
        return 0.95 if alike and _MENTION.search(head) else 0.0

    def documents_in(self, folder: Path) -> list[Path]:
        """The annotation files; the texts beside them are no documents of their own."""
        return annotation_files(folder, self.recognises)

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """A document a pair of files."""
        for name, batch in batches(source, reading):
            yield self._corpus(name, batch, reading)

    def corpus(self, pair: Pair, reading: Reading) -> Corpus:
        """The document of one pair."""
        return self._corpus(pair.name, [pair], reading)

    def _corpus(self, name: str, batch: list[Pair], reading: Reading) -> Corpus:
        texts = [pair.characters() for pair in batch]
        found = [
            read_lines(pair, text, reading.strictness, self.relations)
            for pair, text in zip(batch, texts, strict=True)
        ]
        starts = firsts([len(text) + 1 for text in texts]).tolist()
        edges = [one.edges() + start for one, start in zip(found, starts, strict=True)]
        tokens = segment_texts(texts, np.concatenate(edges))
        build = CorpusBuilder(name, words=reading.words)
        names, parts = [pair.name for pair in batch], [pair.part for pair in batch]
        add_documents(build, names, texts, tokens, parts=parts)
        bounds = itertools.pairwise(tokens.offsets.tolist())
        for document, (one, (a, b)) in enumerate(zip(found, bounds, strict=True)):
            spans = token_spans(one, tokens.begin[a:b] - starts[document])
            self._add_mentions(build, document, one, spans)
        return build.finish()

    def _add_mentions(
        self, build: CorpusBuilder, document: int, found: Annotation, spans: Spans
    ) -> None:
        rows, chains, labels = (
            self._litbank(found) if self._is_litbank(found) else self._linked(found)
        )
        first = build.add_chains(labels, document)
        chosen = slice(None) if isinstance(rows, range) else rows
        build.add_mentions(
            spans.start[chosen],
            spans.end[chosen],
            np.array(chains, np.int32) + first,
            document=document,
            split=_of_rows(rows, spans.split),
            columns=_of_rows(rows, self._columns(found, spans)),
        )

    def _is_litbank(self, found: Annotation) -> bool:
        """Whether some mention has both lines, and nothing else makes chains."""
        if self.dialect != "auto":
            return self.dialect == "litbank"
        if found.groups or self._identities(set(found.relations.kinds)):
            return False
        kinds = set(found.types)
        if not any(map(_CATEGORY.fullmatch, kinds)) or not any(map(_is_label, kinds)):
            return False
        marks = list(zip(found.types, found.places(), strict=True))
        categories = {place for kind, place in marks if _CATEGORY.fullmatch(kind)}
        return any(_is_label(kind) and place in categories for kind, place in marks)

    def _litbank(self, found: Annotation) -> Chained:
        """The lines that give categories, each with the label at its place."""
        places = found.places()
        are_labels = list(map(_is_label, found.types))
        labels: dict[tuple[Span, ...], str] = {}
        # "Miss." in Far from the Madding Crowd has its category twice: one mention a place.
        marks: dict[tuple[Span, ...], int] = {}
        for row, place in enumerate(places):
            if are_labels[row]:
                labels[place] = found.types[row]
            else:
                marks[place] = row
        numbers: dict[str, int] = {}
        chains = [
            numbers.setdefault(labels.get(place, found.ids[row]), len(numbers))
            for place, row in marks.items()
        ]
        return list(marks.values()), chains, list(numbers)

    def _linked(self, found: Annotation) -> Chained:
        """Every mention with the number of its component."""
        number = dict(zip(found.ids, itertools.count(), strict=False))
        ones, others = self._links(found)
        rows = number.__getitem__
        chains = components(len(number), zip(map(rows, ones), map(rows, others), strict=True))
        return range(len(chains)), chains, list(map(str, range(max(chains, default=-1) + 1)))

    def _links(self, found: Annotation) -> tuple[list[str], list[str]]:
        """The mentions that are linked, and those that they are linked to."""
        kinds, ones, others = found.relations.kinds, found.relations.ones, found.relations.others
        same = self._identities(set(kinds))
        if not same.issuperset(kinds):
            ones = [one for kind, one in zip(kinds, ones, strict=True) if kind in same]
            others = [other for kind, other in zip(kinds, others, strict=True) if kind in same]
        for kind, ids in found.groups:
            if kind.lower() in self.relations:
                ones, others = ones + ids[:1] * (len(ids) - 1), others + ids[1:]
        return ones, others

    def _identities(self, kinds: set[str]) -> set[str]:
        """Those types of relations that mean identity."""
        return {kind for kind in kinds if kind.lower() in self.relations}

    def _columns(self, found: Annotation, spans: Spans) -> dict[int, dict[str, str]]:
        """The attributes of the mentions that have some: their types, unless these say nothing,
        those given, and the relations that are not identity."""
        columns = {row: {"type": kind} for row, kind in enumerate(found.types) if kind != "Mention"}
        kinds = set(found.relations.kinds)
        others = kinds - self._identities(kinds)
        if not others and not found.attributes:
            return columns
        number = {mark: row for row, mark in enumerate(found.ids)}
        for mark, attributes in found.attributes.items():
            columns.setdefault(number[mark], {}).update(attributes)
        related: dict[int, dict[str, str]] = {}
        for kind, one, other in found.relations:
            if kind in others:
                some = related.setdefault(number[one], {})
                place = span_text(spans.parts(number[other]))
                name = f"relation:{kind}"
                some[name] = f"{some[name]} {place}" if name in some else place
        for row, some in related.items():
            columns.setdefault(row, {}).update(some)
        return dict(sorted(columns.items()))

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """An ``.ann`` file and the ``.txt`` beside it, or, for several documents, an archive."""
        write_pairs(_made(corpus), stream)

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """Two files a document."""
        write_files(_made(corpus), folder)


def _made(corpus: Corpus) -> Iterator[Made]:
    require_words(corpus)
    for document in corpus:
        text, offsets = lay_out(document)
        yield Made(
            name=document.name,
            part=int(corpus.documents.parts[document.index]),
            annotation="".join(document_lines(document, text, offsets)),
            text=text,
        )


def _of_rows(rows: Rows, values: Mapping[int, Value]) -> Mapping[int, Value]:
    """What some rows have, by their place among those chosen."""
    if not values or isinstance(rows, range):  # all were
        return values
    return {place: values[row] for place, row in enumerate(rows) if row in values}


def _is_label(kind: str) -> bool:
    return _LABEL.fullmatch(kind) is not None
