"""brat stand-off: ``x.ann`` with the annotation, ``x.txt`` with the text it counts characters of.

``T1<TAB>Person 0 4;8 12<TAB>John … Smith`` is a mention, discontinuous where it has fragments;
``R1<TAB>Coreference Arg1:T2 Arg2:T1`` and ``*<TAB>Coreference T1 T2 T3`` make chains; ``A``, ``N``
and ``#`` lines give a mention attributes; mentions without links are singletons. Relations of
other types become attributes ``relation:TYPE`` that name the tokens of the other mention.

LitBank writes two T lines a mention with the same offsets, one of its category (``NOM_PER``), one
whose type is the label of its chain (``Anne-8``); what has no label is a singleton there.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from corefbench.errors import UsageError
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.brat_lines import Annotation, Mark, read_lines
from corefbench.formats.brat_write import COREFERENCE, document_lines
from corefbench.formats.bundle import (
    Made,
    Pair,
    annotation_files,
    is_archive,
    pairs,
    write_files,
    write_pairs,
)
from corefbench.formats.components import components
from corefbench.formats.layout import lay_out, merged, require_words, token_span
from corefbench.formats.source import Source
from corefbench.formats.tokenise import Span, segment_columns
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

Dialect: TypeAlias = Literal["auto", "brat", "litbank"]

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
        for pair in pairs(source, reading):
            yield self.corpus(pair, reading)

    def corpus(self, pair: Pair, reading: Reading) -> Corpus:
        """The document of one pair."""
        text = pair.characters()
        found = read_lines(pair, text, reading.strictness, self.relations)
        chains = self._litbank(found) if self._is_litbank(found) else self._linked(found)
        edges = {edge for mark in found.marks for part in mark.parts for edge in part}
        build = CorpusBuilder(pair.name, words=reading.words)
        build.begin_document(pair.name, pair.part, text=text)
        tokens = segment_columns(text, edges)
        tokens.add_to(build)
        begins = tokens.begin.tolist()
        spans = {
            mark.id: [token_span(begins, *mark.parts[0])]
            if len(mark.parts) == 1
            else merged(token_span(begins, *part) for part in mark.parts)
            for mark in found.marks
        }
        others = self._others(found, spans)
        for mark, label in chains:
            columns = {} if mark.type == "Mention" else {"type": mark.type}
            columns |= found.attributes.get(mark.id, {}) | others.get(mark.id, {})
            build.mention(label, spans[mark.id], columns=columns)
        return build.finish()

    def _is_litbank(self, found: Annotation) -> bool:
        """Whether some mention has both lines, and nothing else makes chains."""
        if self.dialect != "auto":
            return self.dialect == "litbank"
        if found.groups or any(kind.lower() in self.relations for kind, _, _ in found.relations):
            return False
        categories = {tuple(m.parts) for m in found.marks if _CATEGORY.fullmatch(m.type)}
        return any(_is_label(m) and tuple(m.parts) in categories for m in found.marks)

    def _litbank(self, found: Annotation) -> Iterator[tuple[Mark, str]]:
        """The lines that give categories, each with the label at its place."""
        labels = {tuple(mark.parts): mark.type for mark in found.marks if _is_label(mark)}
        # "Miss." in Far from the Madding Crowd has its category twice: one mention a place.
        marks = {tuple(mark.parts): mark for mark in found.marks if not _is_label(mark)}
        for place, mark in marks.items():
            yield mark, labels.get(place, mark.id)

    def _linked(self, found: Annotation) -> Iterator[tuple[Mark, str]]:
        """Every mention with the number of its component."""
        number = {mark.id: index for index, mark in enumerate(found.marks)}
        links = [
            (number[one], number[other])
            for kind, one, other in found.relations
            if kind.lower() in self.relations
        ]
        for kind, ids in found.groups:
            if kind.lower() in self.relations:
                links += [(number[ids[0]], number[other]) for other in ids[1:]]
        for mark, chain in zip(found.marks, components(len(found.marks), links), strict=True):
            yield mark, str(chain)

    def _others(self, found: Annotation, spans: dict[str, list[Span]]) -> dict[str, dict[str, str]]:
        """For each mention the relations that are not identity, as attributes."""
        others: dict[str, dict[str, str]] = {}
        for kind, one, other in found.relations:
            if kind.lower() not in self.relations:
                columns = others.setdefault(one, {})
                place = span_text(spans[other])
                name = f"relation:{kind}"
                columns[name] = f"{columns[name]} {place}" if name in columns else place
        return others

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


def _is_label(mark: Mark) -> bool:
    return _LABEL.fullmatch(mark.type) is not None


def span_text(parts: Sequence[Span]) -> str:
    """Half-open token spans in print.

    >>> span_text([(3, 4), (6, 8)])
    '3:4+6:8'
    """
    return "+".join(f"{start}:{end}" for start, end in parts)
