"""Universal Anaphora, the "CONLL-UA exact" format: markables in columns of their own.

``(EntityID=1|MarkableID=markable_a|Min=3,4|SemType=dn|ElementOf=4`` opens, a bare ``)`` closes the
markable opened last in the document, so markables nest. Min counts the document's tokens from 1,
both ends included. The announced columns are counted from the left: files may lack the last ones.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, Literal, TypeAlias

import numpy as np

from corefbench.errors import FormatError, Place, UsageError
from corefbench.findings import Strictness
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.conllu import COLUMNS as CONLLU_COLUMNS
from corefbench.formats.conllu import Block, Comments, Sentence, blocks, sentences
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.model.corpus import Corpus

Layer: TypeAlias = Literal["identity", "deixis"]

LAYERS: dict[str, str] = {"identity": "identity", "deixis": "discourse_deixis"}
COLUMNS = (*CONLLU_COLUMNS, "identity", "bridging", "discourse_deixis", "reference", "nom_sem")
OWN = ("EntityID", "MarkableID", "Min", "ElementOf")
PSEUDO = "-Pseudo"

_CHUNK = re.compile(r"\([^()]*\)?|\)")
_UNSAFE = re.compile(r"[()|=,\s]")


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
        reader = _Reader(source, reading, LAYERS[self.column])
        for block in blocks(source, reading.block_bytes):
            corpus = reader.corpus(block)
            if len(corpus):
                yield corpus

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """All fifteen columns, separated by TAB; discontinuous markables as their hull."""
        if corpus.tokens.words is None:
            raise UsageError(
                "the corpus was read without its words", remedy="read it with its words"
            )
        stream.write(f"# global.columns = {' '.join(COLUMNS).upper()}\n".encode())
        writer = _Writer(corpus, LAYERS[self.column])
        for document in range(len(corpus)):
            stream.write("".join(writer.document(document)).encode())


class _Reader:
    """What is remembered from one block to the next."""

    def __init__(self, source: Source, reading: Reading, layer: str) -> None:
        self.source = source
        self.reading = reading
        self.layer = layer
        self.comments = Comments(source.stem)

    def corpus(self, block: Block) -> Corpus:
        build = CorpusBuilder(self.source.stem, words=self.reading.words)
        document = _Document(build, self.reading.strictness, self.source.name)
        for sentence in sentences(block, self.source):
            self.comments.hear(sentence)
            lines = sentence.rows()
            if not lines:
                continue
            names = self.names()
            if self.comments.newdoc is not None:
                document.finish()
                build.begin_document(self.comments.newdoc, columns=self.comments.meta)
            self.comments.begun()
            rows = [self.cells(sentence, row, line, names) for row, line in enumerate(lines)]
            start = build.position
            self.add(build, rows, names)
            for index, cells in enumerate(rows):
                if cells[names[self.layer]] != "_":
                    place = self.place(sentence, index)
                    document.cell(start + index, cells[names[self.layer]], place)
                if self.layer == "identity" and cells[names["bridging"]] != "_":
                    document.bridging(cells[names["bridging"]], self.place(sentence, index))
        document.finish()
        return build.finish()

    def names(self) -> dict[str, int]:
        """Where each column stands, by the announcement or by custom."""
        announced = self.comments.declared.get("global.columns", "").lower().split() or COLUMNS
        names = {name: index for index, name in enumerate(announced)}
        for name in COLUMNS:
            names.setdefault(name, len(names))
        return names

    def place(self, sentence: Sentence, row: int) -> Place:
        return Place(source=self.source.name, line=sentence.number(row))

    def cells(self, sentence: Sentence, row: int, line: str, names: dict[str, int]) -> list[str]:
        """The cells, between TABs or, as in the published files, blanks."""
        needed = names[self.layer] + 1
        cells = line.split("\t")
        if len(cells) < needed:
            cells = line.split()
        if len(cells) < needed:
            self.reading.strictness.fault(
                "CB110",
                "a line has too few columns",
                place=self.place(sentence, row),
                found=f"{len(cells)} columns",
                expected=f"{needed} columns or more",
                repair="missing columns read as _",
            )
        return [cell.strip() or "_" for cell in cells] + ["_"] * (len(names) - len(cells))

    def add(self, build: CorpusBuilder, rows: list[list[str]], names: dict[str, int]) -> None:
        unread = [n for n in COLUMNS if n not in ("form", "bridging", self.layer)]
        if self.layer != "identity":
            unread.append("bridging")
        empty = ["." in cells[names["id"]] for cells in rows]
        build.sentence(
            [cells[names["form"]] for cells in rows],
            empty=empty if any(empty) else None,
            columns={name: [cells[names[name]] for cells in rows] for name in unread}
            if self.reading.words
            else None,
        )


class _Document:
    """The open document: a stack of open markables, and references that wait for its end."""

    def __init__(self, build: CorpusBuilder, strictness: Strictness, source: str) -> None:
        self.build = build
        self.strictness = strictness
        self.source = source
        self.clear()

    def clear(self) -> None:
        self.stack: list[int] = []
        self.opened: list[tuple[int, dict[str, str], Place]] = []
        self.ends: dict[int, int] = {}
        self.bridges: list[tuple[dict[str, str], Place]] = []
        self.numbers: dict[str, int] = {}
        self.chains: set[str] = set()
        self.elements: dict[tuple[str, str], Place] = {}

    def fault(self, code: str, message: str, place: Place, found: str, repair: str) -> None:
        self.strictness.fault(code, message, place=place, found=found, repair=repair)

    def cell(self, token: int, text: str, place: Place) -> None:
        chunks: list[str] = _CHUNK.findall(text)
        if sum(map(len, chunks)) != len(text):
            self.fault("CB106", "the cell is not brackets", place, text, "the rest left out")
        for chunk in chunks:
            if chunk[0] == "(":
                self.stack.append(len(self.opened))
                self.opened.append((token, _attributes(chunk), place))
            if chunk[-1] == ")":
                if self.stack:
                    self.ends[self.stack.pop()] = token + 1
                else:
                    message = "a markable is closed that was never opened"
                    self.fault("CB104", message, place, text, "bracket ignored")

    def bridging(self, text: str, place: Place) -> None:
        for chunk in _CHUNK.findall(text):
            if chunk[0] == "(":
                self.bridges.append((_attributes(chunk), place))

    def finish(self) -> None:
        """Add the markables in opening order, then what refers to them."""
        seen = set()
        for slot, (start, attributes, place) in enumerate(self.opened):
            label, end = attributes.get("EntityID", ""), self.ends.get(slot)
            name = f"{attributes.get('MarkableID', '')} of entity {label}"
            if end is None:
                message = "a markable is opened and never closed"
                self.fault("CB105", message, place, name, "markable left out")
            elif not label:
                message = "a markable has no EntityID"
                self.fault("CB106", message, place, str(attributes), "markable left out")
            elif (start, end, label) in seen and self.strictness.lenient:
                self.fault("CB113", "a mention occurs twice", place, name, "one of them left out")
            else:
                seen.add((start, end, label))
                self.add((start, end), label, attributes, place)
        self.add_relations()
        self.clear()

    def add(self, span: Span, label: str, attributes: dict[str, str], place: Place) -> None:
        number = self.build.mention(
            label,
            [span],
            minimum=self.minimum(span, attributes.get("Min", ""), place),
            referring=not label.endswith(PSEUDO),
            columns={k: v for k, v in attributes.items() if k not in OWN or k == "MarkableID"},
        )
        self.chains.add(label)
        self.numbers[attributes.get("MarkableID", "")] = number
        for plural in filter(None, attributes.get("ElementOf", "").split(",")):
            self.elements.setdefault((plural, label), place)

    def minimum(self, span: Span, text: str, place: Place) -> list[Span]:
        """The minimal span: one token number, or the first and the last."""
        if not text:
            return []
        numbers = [int(n) if n.isascii() and n.isdigit() else 0 for n in text.split(",")]
        start, end = numbers[0] - 1, numbers[-1]
        if len(numbers) <= 2 and span[0] <= start < end <= span[1]:
            return [(start, end)]
        message = "Min lies outside its markable"
        self.fault("CB114", message, place, f"Min={text}", "Min left out")
        return []

    def add_relations(self) -> None:
        known = []
        for (plural, element), place in self.elements.items():
            if plural in self.chains:
                known.append((self.build.chain(plural), self.build.chain(element)))
            else:
                message = "ElementOf names an entity that is not there"
                self.fault("CB115", message, place, plural, "relation left out")
        for pair in sorted(known, key=lambda pair: pair[1]):
            self.build.split_antecedent(*pair)
        for attributes, place in self.bridges:
            self.bridge(attributes, place)

    def bridge(self, attributes: dict[str, str], place: Place) -> None:
        anaphor = self.numbers.get(attributes.get("MarkableID", ""))
        anchor = self.numbers.get(attributes.get("MentionAnchor", ""), -1)
        entity = attributes.get("EntityAnchor", "")
        if anaphor is None or (anchor < 0 and entity not in self.chains):
            message = "a bridging link names a markable that is not there"
            self.fault("CB115", message, place, str(attributes), "relation left out")
            return
        chain = self.build.chain(entity) if entity in self.chains else -1
        self.build.bridge(anaphor, mention=anchor, chain=chain, label=attributes.get("Rel", ""))


class _Writer:
    """One corpus as text, document by document."""

    def __init__(self, corpus: Corpus, layer: str) -> None:
        self.corpus = corpus
        self.layer = layer
        mentions, relations = corpus.mentions, corpus.relations
        self.edges = np.searchsorted(mentions.document, np.arange(len(corpus) + 1))
        self.labels = [
            _UNSAFE.sub(_percent, corpus.chains.label(c)) for c in range(len(corpus.chains))
        ]
        self.names = self.markable_names()
        self.first = {c: m for m, c in reversed(list(enumerate(mentions.chain.tolist())))}
        self.pseudo = (
            set(mentions.chain[~mentions.referring].tolist())
            if (mentions.referring is not None)
            else set()
        )
        self.elements: dict[int, list[str]] = {}
        for plural, element in zip(
            relations.plural.tolist(), relations.element.tolist(), strict=True
        ):
            self.elements.setdefault(element, []).append(self.label(plural))
        self.bridges: dict[int, list[str]] = {}
        for row, anaphor in enumerate(relations.bridging_anaphor.tolist()):
            self.bridges.setdefault(anaphor, []).append(self.bridge(row, anaphor))

    def label(self, chain: int) -> str:
        label = self.labels[chain]
        return label + PSEUDO if chain in self.pseudo and not label.endswith(PSEUDO) else label

    def markable_names(self) -> list[str]:
        """The MarkableIDs, made up where the corpus has none."""
        column = self.corpus.mentions.columns.get("MarkableID")
        given = list(column) if column is not None else [""] * len(self.corpus.mentions)
        firsts = self.edges[self.corpus.mentions.document].tolist()
        return [
            _UNSAFE.sub(_percent, name) or f"markable_{number - first + 1}"
            for number, (name, first) in enumerate(zip(given, firsts, strict=True))
        ]

    def bridge(self, row: int, anaphor: int) -> str:
        relations = self.corpus.relations
        fields = [f"(MarkableID={self.names[anaphor]}"]
        if relations.bridging_label[row]:
            fields.append(f"Rel={_UNSAFE.sub(_percent, relations.bridging_label[row])}")
        if relations.bridging_mention[row] >= 0:
            fields.append(f"MentionAnchor={self.names[relations.bridging_mention[row]]}")
        if relations.bridging_chain[row] >= 0:
            fields.append(f"EntityAnchor={self.label(int(relations.bridging_chain[row]))}")
        return "|".join(fields)

    def document(self, document: int) -> Iterator[str]:
        view = self.corpus[document]
        first = int(self.corpus.tokens.offsets[document])
        rows = self.rows(first, first + len(view))
        yield f"# newdoc id = {_one_line(view.label)}\n"
        for name, values in self.corpus.documents.columns.items():
            if values[document]:
                yield f"# meta::{name} = {_one_line(values[document])}\n"
        numbers = range(int(self.edges[document]), int(self.edges[document + 1]))
        self.fill(rows, COLUMNS.index(self.layer), [(m, self.markable(m)) for m in numbers])
        if self.layer == "identity":
            bridges = [(m, text) for m in numbers for text in self.bridges.get(m, ())]
            self.fill(rows, COLUMNS.index("bridging"), bridges)
        for number, (start, end) in enumerate(view.sentences, 1):
            if start < end:
                yield f"# sent_id = {_one_line(view.label)}-{number}\n"
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
            columns[0] = [
                f"{n}.1" if no else str(n) for n, no in zip(counted, empty.tolist(), strict=True)
            ]
        return [list(row) for row in zip(*columns, strict=True)]

    def fill(self, rows: list[list[str]], column: int, texts: list[tuple[int, str]]) -> None:
        """Write the brackets of markables into a column, checking that they nest."""
        mentions = self.corpus.mentions
        opened, closed = [""] * len(rows), [0] * len(rows)
        stack: list[int] = []
        for mention, text in texts:
            start, end = int(mentions.start[mention]), int(mentions.end[mention])
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
                    place=Place(document=self.corpus[int(mentions.document[mention])].label),
                    found=f"tokens {start} to {end}",
                    remedy="write another format, such as corefud or jsonlines",
                )
            stack.append(end)
            opened[start] += text
            closed[end - 1] += 1
        for row, text, count in zip(rows, opened, closed, strict=True):
            row[column] = ")" * count + text or "_"

    def markable(self, mention: int) -> str:
        mentions = self.corpus.mentions
        chain = int(mentions.chain[mention])
        fields = {"EntityID": self.label(chain), "MarkableID": self.names[mention]}
        minimum = mentions.minimum.of(mention) if mentions.minimum is not None else []
        if minimum:
            start, end = minimum[0][0] + 1, minimum[-1][1]
            fields["Min"] = str(start) if start == end else f"{start},{end}"
        for name, column in mentions.columns.items():
            if name not in OWN and column[mention]:
                fields[name] = re.sub(r"[()|\s]", _percent, column[mention])
        if self.first[chain] == mention and chain in self.elements:
            fields["ElementOf"] = ",".join(self.elements[chain])
        return "(" + "|".join(f"{name}={value}" for name, value in fields.items())


def _attributes(chunk: str) -> dict[str, str]:
    """The named values of a bracket.

    >>> _attributes("(EntityID=1|Min=3,4)")
    {'EntityID': '1', 'Min': '3,4'}
    """
    pairs = (field.partition("=") for field in chunk.strip("()").split("|"))
    return {name: value for name, equals, value in pairs if equals}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
