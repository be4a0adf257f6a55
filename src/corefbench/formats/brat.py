"""brat stand-off annotation: characters of a text file.

``T1<TAB>Person 0 4;8 12<TAB>John … Smith`` is a mention, discontinuous where it has fragments;
``R1<TAB>Coreference Arg1:T2 Arg2:T1`` and ``*<TAB>Coreference T1 T2 T3`` make chains; ``A``, ``N``
and ``#`` lines give a mention attributes; mentions without links are singletons. Relations of
other types become attributes ``relation:TYPE`` that name the tokens of the other mention.

LitBank writes two T lines per mention with the same offsets, one of its category (``NOM_PER``), one
whose type is the label of its chain (``Anne-8``); what has no label is a singleton there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.views import Document, Mention
from corefbench.errors import Place, UsageError
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading, mention_attribute
from corefbench.formats.common.spans import Span, connected_components, merge_spans, token_span
from corefbench.formats.common.standoff import (
    StandoffDocument,
    StandoffFormat,
    StandoffOutput,
    is_tar_archive,
    numbered_lines,
)
from corefbench.formats.common.tokenize import add_text_document, detokenize

Dialect: TypeAlias = Literal["auto", "brat", "litbank"]
ATTRIBUTE_NOTE = "Attribute"
"""The notes that hold what attributes cannot: ``name=value`` with blanks in it."""
IDENTITY_TYPES = ("coreference", "coref", "ident", "identity", "equiv")
"""The types, in lower case, of the relations that make chains."""

_MENTION_LINE = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_RELATION_LINE = re.compile(r"(R\S*)\t(\S+) \S+?:(\S+) \S+?:(\S+)\s*")
_GROUP_LINE = re.compile(r"\*\t(\S+)((?: \S+)+)\s*")
_ATTRIBUTE_LINE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.*\S))?\s*")
_NORMALISATION_LINE = re.compile(r"N\S*\t(\S+) (\S+) (\S+)(?:\t(.*))?")
_NOTE_LINE = re.compile(r"#\S*\t(\S+) (\S+)(?:\t(.*))?")
_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_WORD = re.compile(r"\S+")
_ANY_LINE = re.compile(rb"[TREAMN*#]\d*\t[^\s]+[ \t]")
_ANY_MENTION = re.compile(rb"(?:^|\n)T\d+\t\S+ \d+ \d+")
_CATEGORY = re.compile(r"(?:PROP|NOM|PRON)_[A-Z]+")
_LABEL = re.compile(r".+-\d+")


class _Mark(NamedTuple):
    """A mention as annotated: its id, its type and the character spans of its fragments."""

    id: str
    type: str
    fragments: tuple[Span, ...]


class _Annotation(NamedTuple):
    """The contents of an annotation file, references resolved, marks in opening order."""

    marks: list[_Mark]
    relations: list[tuple[str, str, str]]
    """Type, first and second argument."""
    groups: list[tuple[str, list[str]]]
    """Type and members of relations between any number of mentions."""
    attributes: dict[str, dict[str, str]]


class Brat(StandoffFormat):
    """Reads and writes brat stand-off; ``relations`` are the types that mean identity.

    >>> document = StandoffDocument(source="d.ann", name="d", part=-1, text=b"Ann saw Ann.",
    ...     annotation=b"T1\\tPer 0 3\\tAnn\\nT2\\tPer 8 11\\tAnn\\nR1\\tCoref Arg1:T2 Arg2:T1\\n")
    >>> Brat().corpus([document], "corpus", Reading())
    <Corpus 'd': 1 documents, 4 tokens, 2 mentions, 1 chains>
    """

    card = FormatCard(
        name="brat",
        title="brat stand-off",
        description="Annotation in an .ann file, its text in the .txt beside it; LitBank's too.",
        extensions=(".ann",),
        holds=DOCUMENTS | ANY_MENTIONS | {"text", "discontinuous mentions", "mention attributes"},
        cites=("stenetorp2012",),
    )

    def __init__(self, relations: Sequence[str] = IDENTITY_TYPES, *, dialect: Dialect = "auto") -> None:
        if dialect not in ("auto", "brat", "litbank"):
            raise UsageError(f"there is no dialect {dialect!r}", remedy="auto, brat or litbank")
        self.relations = frozenset(name.lower() for name in relations)
        self.dialect = dialect

    def recognises(self, head: bytes) -> float:
        """Sure of lines that all have the shape of annotation, mentions among them."""
        if is_tar_archive(head):
            return 0.9 if _ANY_MENTION.search(head) else 0.3
        lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50]
        is_annotation = bool(lines) and all(_ANY_LINE.match(line) for line in lines)
        return 0.95 if is_annotation and _ANY_MENTION.search(head) else 0.0

    def add_document(self, build: CorpusBuilder, document: StandoffDocument, reading: Reading) -> None:
        text = document.characters()
        annotation = _LineReader(document, text, reading, self.relations).read()
        marks = annotation.marks
        breaks = {edge for mark in marks for span in mark.fragments for edge in span}
        tokens = add_text_document(build, document.name, text, part=document.part, breaks=breaks)
        begins = [begin for begin, _ in tokens]
        parts = {mark.id: merge_spans(token_span(begins, *span) for span in mark.fragments) for mark in marks}
        columns = self._columns(annotation, parts)
        is_litbank = self._is_litbank(annotation)
        chains = _litbank_chains(marks) if is_litbank else self._linked_chains(annotation)
        for mark, label in chains:
            build.mention(label, parts[mark.id], columns=columns[mark.id])

    def _is_litbank(self, annotation: _Annotation) -> bool:
        """Whether some mention has both lines of LitBank, and nothing else makes chains."""
        if self.dialect != "auto":
            return self.dialect == "litbank"
        if annotation.groups or any(self._is_identity(kind) for kind, *_ in annotation.relations):
            return False
        categories = {mark.fragments for mark in annotation.marks if _CATEGORY.fullmatch(mark.type)}
        return any(mark.fragments in categories and _LABEL.fullmatch(mark.type) for mark in annotation.marks)

    def _linked_chains(self, annotation: _Annotation) -> list[tuple[_Mark, str]]:
        """Return the mentions with the number of their connected component."""
        number = {mark.id: index for index, mark in enumerate(annotation.marks)}
        links = [
            (number[first], number[second]) for kind, first, second in annotation.relations if self._is_identity(kind)
        ]
        for kind, ids in annotation.groups:
            if self._is_identity(kind):
                links += [(number[ids[0]], number[other]) for other in ids[1:]]
        components = connected_components(len(number), links)
        return list(zip(annotation.marks, map(str, components), strict=True))

    def _is_identity(self, kind: str) -> bool:
        return kind.lower() in self.relations

    def _columns(self, annotation: _Annotation, parts: dict[str, list[Span]]) -> dict[str, dict[str, str]]:
        """Return the attributes of each mention: its type, those given, and other relations."""
        columns = {mark.id: {"type": mark.type} if mark.type != "Mention" else {} for mark in annotation.marks}
        for name, attributes in annotation.attributes.items():
            columns[name].update(attributes)
        related: dict[str, dict[str, str]] = {}
        for kind, source, target in annotation.relations:
            if not self._is_identity(kind):
                relations = related.setdefault(source, {})
                spans, name = format_spans(parts[target]), f"relation:{kind}"
                relations[name] = f"{relations[name]} {spans}" if name in relations else spans
        for source, relations in related.items():
            columns[source].update(relations)
        return columns

    def output(self, document: Document) -> StandoffOutput:
        text, offsets = detokenize(document)
        lines = _document_lines(document, text, offsets)
        return StandoffOutput(document=document, annotation="".join(lines), text=text)


def _litbank_chains(marks: list[_Mark]) -> list[tuple[_Mark, str]]:
    """Return the lines that give categories, each with the chain label of the same span."""
    labels: dict[tuple[Span, ...], str] = {}
    # "Miss." in Far from the Madding Crowd has its category twice: one mention per span.
    mentions: dict[tuple[Span, ...], _Mark] = {}
    for mark in marks:
        if _LABEL.fullmatch(mark.type):
            labels[mark.fragments] = mark.type
        else:
            mentions[mark.fragments] = mark
    return [(mark, labels.get(span, mark.id)) for span, mark in mentions.items()]


class _LineReader:
    """Parses the lines of one file and checks them against the text.

    A reference to nothing is a fault where it would make a chain (``identity`` has the types, in
    lower case); elsewhere, as once in LitBank, it is only reported.
    """

    def __init__(self, document: StandoffDocument, text: str, reading: Reading, identity: frozenset[str]) -> None:
        self.document, self.text, self.reading, self.identity = document, text, reading, identity
        self.marks: dict[str, _Mark] = {}
        self.relations: list[tuple[str, str, str]] = []
        self.groups: list[tuple[str, list[str]]] = []
        self.attributes: dict[str, dict[str, str]] = {}

    def read(self) -> _Annotation:
        """Read the mentions first, then what refers to them, in any order."""
        references: list[tuple[int, str]] = []
        for number, line in numbered_lines(self.document.script()):
            if line[0] == "T":
                self._read_mention(number, line)
            else:
                references.append((number, line))
        for number, line in references:
            self._read_reference(number, line)
        marks = sorted(self.marks.values(), key=lambda mark: (mark.fragments[0][0], -mark.fragments[-1][1]))
        return _Annotation(marks, self.relations, self.groups, self.attributes)

    def _fault(self, code: str, message: str, line: int, found: str, repair: str) -> None:
        self.document.fault(self.reading, code, message, line, found, repair)

    def _report_malformed(self, number: int, line: str) -> None:
        self._fault("CB141", "the line has the wrong shape", number, line, "line left out")

    def _read_mention(self, number: int, line: str) -> None:
        match = _MENTION_LINE.fullmatch(line)
        if match is None:
            self._report_malformed(number, line)
            return
        pairs = [fragment.split(" ") for fragment in match[3].split(";")]
        fragments = tuple((int(start[:15]), int(end[:15])) for start, end in pairs)
        if match[1] in self.marks:
            self._fault("CB126", "an id occurs twice", number, match[1], "line left out")
        # Offsets beyond fifteen digits were cut off above: no text is that long.
        elif not all(a < b <= len(self.text) and self.text[a:b].strip() for a, b in fragments):
            message = "a span lies outside the text or is empty"
            self._fault("CB112", message, number, match[3], "mention left out")
        else:
            self._check_text(number, match[4], fragments)
            self.marks[match[1]] = _Mark(match[1], match[2], fragments)

    def _check_text(self, number: int, quoted: str | None, fragments: Sequence[Span]) -> None:
        """Compare the quoted text; fragments and lines are quoted with blanks between them."""
        text = " ".join(self.text[start:end] for start, end in fragments)
        if quoted is not None and quoted.split() != text.split():
            message = f"the text at the span is {text[:40]!r}"
            self._fault("CB142", message, number, quoted, "the offsets are trusted")

    def _read_reference(self, number: int, line: str) -> None:
        kind = line[0]
        if kind == "R" and (match := _RELATION_LINE.fullmatch(line)):
            if self._are_known(number, line, match[2], match[3], match[4]):
                self.relations.append((match[2], match[3], match[4]))
        elif kind == "*" and (match := _GROUP_LINE.fullmatch(line)):
            ids = match[2].split()
            if self._are_known(number, line, match[1], *ids):
                self.groups.append((match[1], ids))
        elif kind in "AM" and (match := _ATTRIBUTE_LINE.fullmatch(line)):
            self._add_attribute(number, line, match[2], match[1], match[3] or "true")
        elif kind == "N" and (match := _NORMALISATION_LINE.fullmatch(line)):
            value = f"{match[3]} {match[4] or ''}".rstrip()
            self._add_attribute(number, line, match[2], f"normalisation:{match[1]}", value)
        elif kind == "#":
            self._read_note(number, line)
        elif kind != "E":  # events have no place in a corpus of mentions
            self._report_malformed(number, line)

    def _read_note(self, number: int, line: str) -> None:
        match = _NOTE_LINE.fullmatch(line)
        if match is None or match[2] not in self.marks:
            return  # a remark on a relation, an attribute, or nothing at all
        name, equals, value = (match[3] or "").partition("=")
        if match[1] == ATTRIBUTE_NOTE and equals:
            self._add_attribute(number, line, match[2], name, value)
        else:
            self._add_attribute(number, line, match[2], f"note:{match[1]}", match[3] or "")

    def _add_attribute(self, number: int, line: str, mark: str, name: str, value: str) -> None:
        if mark[:1] in "ER":
            return  # of an event or a relation
        if self._are_known(number, line, name, mark):
            self.attributes.setdefault(mark, {})[name] = value

    def _are_known(self, number: int, line: str, kind: str, *ids: str) -> bool:
        """Whether all ids are those of mentions; report it if they are not."""
        if all(mark in self.marks for mark in ids):
            return True
        message = "a reference points to nothing"
        if kind.lower() in self.identity:
            self._fault("CB115", message, number, line, "line left out")
        elif not any(mark[:1] == "E" for mark in ids):
            place = Place(source=self.document.source, line=number)
            self.reading.warn("CB115", message, place, line[:80], "line left out")
        return False


def format_spans(parts: Sequence[Span]) -> str:
    """Format half-open token spans.

    >>> format_spans([(3, 4), (6, 8)])
    '3:4+6:8'
    """
    return "+".join(f"{start}:{end}" for start, end in parts)


def _document_lines(document: Document, text: str, offsets: Sequence[Span]) -> Iterator[str]:
    """Yield the T lines in order, then relations to the preceding mention, then attributes."""
    mentions = document.mentions
    ids = {mention.index: f"T{number}" for number, mention in enumerate(mentions, 1)}
    for mention in mentions:
        kind = mention_attribute(mention, "type")
        spans = [(offsets[a][0], offsets[b - 1][1]) for a, b in mention.parts]
        position = ";".join(f"{start} {end}" for start, end in spans)
        words = " ".join(" ".join(text[start:end].split()) for start, end in spans)
        kind = kind if _WORD.fullmatch(kind) else "Mention"
        yield f"{ids[mention.index]}\t{kind} {position}\t{words}\n"
    others, attributes = _relations_and_attributes(document, ids)
    relations = [*(("Coreference", ids[a], ids[b]) for a, b in _identity_links(mentions)), *others]
    for number, (kind, first, second) in enumerate(relations, 1):
        yield f"R{number}\t{kind} Arg1:{first} Arg2:{second}\n"
    for number, (mark, name, value) in enumerate(attributes, 1):
        yield _attribute_line(number, name, value, mark)


def _identity_links(mentions: list[Mention]) -> Iterator[tuple[int, int]]:
    """Yield every mention with the one before it in its chain."""
    last: dict[int, int] = {}
    for mention in mentions:
        chain = mention.chain.index
        if chain in last:
            yield mention.index, last[chain]
        last[chain] = mention.index


def _relations_and_attributes(
    document: Document, ids: dict[int, str]
) -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    """Return the columns that name other mentions as relations, the others as attributes."""
    relations: list[tuple[str, str, str]] = []
    attributes: list[tuple[str, str, str]] = []
    by_span = {format_spans(m.parts): ids[m.index] for m in reversed(document.mentions)}
    for index, mark in ids.items():
        for name, column in document.corpus.mentions.columns.items():
            values = column[index].split()
            prefix, _, kind = name.partition(":")
            if not values or name == "type":
                continue
            is_relation = prefix == "relation" and _NAME.fullmatch(kind) is not None
            # A type that means identity would be read as a link.
            is_relation &= kind.lower() not in IDENTITY_TYPES
            if is_relation and by_span.keys() >= set(values):
                relations += [(kind, mark, by_span[value]) for value in values]
            else:
                attributes.append((mark, name, " ".join(values)))
    return relations, attributes


def _attribute_line(number: int, name: str, value: str, mark: str) -> str:
    """Format an attribute, a note of that name, or a note that holds name and value."""
    if _NAME.fullmatch(name) and _WORD.fullmatch(value):
        return f"A{number}\t{name} {mark} {value}\n"
    kind, _, rest = name.partition(":")
    if kind == "normalisation" and _NAME.fullmatch(rest):
        reference, _, words = value.partition(" ")
        return f"N{number}\t{rest} {mark} {reference}" + (f"\t{words}\n" if words else "\n")
    if kind == "note" and _NAME.fullmatch(rest):
        return f"#{number}\t{rest} {mark}\t{value}\n"
    return f"#{number}\t{ATTRIBUTE_NOTE} {mark}\t{' '.join(name.split())}={value}\n"
