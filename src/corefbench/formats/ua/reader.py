"""Reader of CONLL-UA files: by columns, or sentence by sentence where something is wrong."""

import re
from collections.abc import Iterator
from copy import deepcopy

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Strictness
from corefbench.errors import Place
from corefbench.formats.base import Reading
from corefbench.formats.common.conllu import NEWDOC, Comments, decodable_part, iter_sentences
from corefbench.formats.common.decode import Block, iter_blocks
from corefbench.formats.source import Source
from corefbench.formats.ua.columnar import (
    COLUMNS,
    NOT_COLUMNS,
    PSEUDO_SUFFIX,
    NeedsFallback,
    column_positions,
    fall_back_unless,
    minimal_span,
    parse_attributes,
    read_columnar,
)

_CHUNK = re.compile(r"\([^()]*\)?|\)")


class MarkableReader:
    """The open document: a stack of open markables, and references that wait for its end."""

    def __init__(self, build: CorpusBuilder, strictness: Strictness) -> None:
        self.build = build
        self.strictness = strictness
        self._clear()

    def _clear(self) -> None:
        self.stack: list[int] = []
        self.opened: list[tuple[int, dict[str, str], Place]] = []
        self.ends: dict[int, int] = {}
        self.bridges: list[tuple[dict[str, str], Place]] = []
        self.numbers: dict[str, int] = {}
        self.chains: set[str] = set()
        self.elements: dict[tuple[str, str], Place] = {}

    def _fault(self, code: str, message: str, place: Place, found: str, repair: str) -> None:
        self.strictness.fault(code, message, place=place, found=found, repair=repair)

    def add_cell(self, token: int, text: str, place: Place) -> None:
        chunks: list[str] = _CHUNK.findall(text)
        if sum(map(len, chunks)) != len(text):
            self._fault("CB106", "the cell is not brackets", place, text, "the rest left out")
        for chunk in chunks:
            if chunk[0] == "(":
                self.stack.append(len(self.opened))
                self.opened.append((token, parse_attributes(chunk), place))
            if chunk[-1] == ")":
                if self.stack:
                    self.ends[self.stack.pop()] = token + 1
                else:
                    message = "a markable is closed that was never opened"
                    self._fault("CB104", message, place, text, "bracket ignored")

    def add_bridging(self, _token: int, text: str, place: Place) -> None:
        for chunk in _CHUNK.findall(text):
            if chunk[0] == "(":
                self.bridges.append((parse_attributes(chunk), place))

    def finish(self) -> None:
        """Add the markables in opening order, then what refers to them."""
        seen = set()
        for slot, (start, attributes, place) in enumerate(self.opened):
            label, end = attributes.get("EntityID", ""), self.ends.get(slot)
            if end is None:
                message = "a markable is opened and never closed"
                self._fault("CB105", message, place, _describe(attributes), "markable left out")
            elif not label:
                message = "a markable has no EntityID"
                self._fault("CB106", message, place, str(attributes), "markable left out")
            elif (start, end, label) in seen and self.strictness.lenient:
                found = _describe(attributes)
                self._fault("CB113", "a mention occurs twice", place, found, "one of them left out")
            else:
                seen.add((start, end, label))
                self._add_markable((start, end), label, attributes, place)
        self._add_relations()
        self._clear()

    def _add_markable(self, span: Span, label: str, attributes: dict[str, str], place: Place) -> None:
        number = self.build.mention(
            label,
            [span],
            minimum=self._minimum(span, attributes.get("Min", ""), place),
            referring=not label.endswith(PSEUDO_SUFFIX),
            columns={k: v for k, v in attributes.items() if k not in NOT_COLUMNS},
        )
        self.chains.add(label)
        self.numbers[attributes.get("MarkableID", "")] = number
        if "ElementOf" in attributes:
            for plural in filter(None, attributes["ElementOf"].split(",")):
                self.elements.setdefault((plural, label), place)

    def _minimum(self, span: Span, text: str, place: Place) -> list[Span]:
        """The minimal span, if one is given."""
        if not text:
            return []
        minimum = minimal_span(span, text)
        if minimum is not None:
            return [minimum]
        message = "Min lies outside its markable"
        self._fault("CB114", message, place, f"Min={text}", "Min left out")
        return []

    def _add_relations(self) -> None:
        known = []
        for (plural, element), place in self.elements.items():
            if plural in self.chains:
                known.append((self.build.chain(plural), self.build.chain(element)))
            else:
                message = "ElementOf names an entity that is not there"
                self._fault("CB115", message, place, plural, "relation left out")
        for pair in sorted(known, key=lambda pair: pair[1]):
            self.build.split_antecedent(*pair)
        for attributes, place in self.bridges:
            self._add_bridge(attributes, place)

    def _add_bridge(self, attributes: dict[str, str], place: Place) -> None:
        anaphor = self.numbers.get(attributes.get("MarkableID", ""))
        anchor = self.numbers.get(attributes.get("MentionAnchor", ""), -1)
        entity = attributes.get("EntityAnchor", "")
        if anaphor is None or (anchor < 0 and entity not in self.chains):
            message = "a bridging link names a markable that is not there"
            self._fault("CB115", message, place, str(attributes), "relation left out")
            return
        chain = self.build.chain(entity) if entity in self.chains else -1
        self.build.bridge(anaphor, mention=anchor, chain=chain, label=attributes.get("Rel", ""))


def _describe(attributes: dict[str, str]) -> str:
    return f"{attributes.get('MarkableID', '')} of entity {attributes.get('EntityID', '')}"


def read_blocks(source: Source, reading: Reading, layer: str) -> Iterator[Corpus]:
    """The documents of the source, those of a block at a time."""
    reader = _Reader(source, reading, layer)
    for block in iter_blocks(source, reading.block_bytes, NEWDOC):
        corpus = reader.read_block(block)
        if len(corpus):
            yield corpus
        reading.report_progress(len(block.content))


class _Reader:
    """What is remembered from one block to the next."""

    def __init__(self, source: Source, reading: Reading, layer: str) -> None:
        self.source = source
        self.reading = reading
        self.layer = layer
        self.comments = Comments(source.stem)

    def read_block(self, block: Block) -> Corpus:
        content, error = decodable_part(block, self.source)
        comments = deepcopy(self.comments)
        try:
            fall_back_unless(error is None)
            name = self.source.stem
            corpus = read_columnar(content, name, comments, self.reading, self.layer)
        except NeedsFallback:
            return self._read_by_sentence(block)
        self.comments = comments
        return corpus

    def _read_by_sentence(self, block: Block) -> Corpus:
        """Read a block that is not plain, and say what is wrong with it."""
        build = CorpusBuilder(self.source.stem, words=self.reading.words)
        document = MarkableReader(build, self.reading.strictness)
        for sentence in iter_sentences(block, self.source):
            self.comments.read(sentence.comments())
            rows = sentence.rows()
            if not rows:
                continue
            names = self._column_positions()
            if self.comments.newdoc is not None or not build.document_count:
                document.finish()
                name = self.comments.newdoc or build.name
                build.begin_document(name, columns=self.comments.meta)
            self.comments.end_header()
            self._add_sentence(rows, names, build, document)
        document.finish()
        return build.finish()

    def _column_positions(self) -> dict[str, int]:
        """Where each column stands, by the announcement or by custom."""
        return column_positions(self.comments.declared.get("global.columns", ""))

    def _add_sentence(
        self, rows: list[tuple[int, str]], names: dict[str, int], build: CorpusBuilder, document: MarkableReader
    ) -> None:
        """Add the tokens of a sentence, and take in its markables."""
        cells = zip(*(self._split_cells(*row, names) for row in rows), strict=False)
        columns = dict(zip(sorted(names, key=names.__getitem__), cells, strict=False))
        first = build.position
        read = ("identity", "bridging") if self.layer == "identity" else (self.layer,)
        empty = ["." in number for number in columns["id"]]
        build.sentence(
            columns["form"],
            empty=empty if any(empty) else None,
            columns={name: columns[name] for name in COLUMNS if name not in ("form", *read)}
            if self.reading.words
            else None,
        )
        for name, take in zip(read, (document.add_cell, document.add_bridging), strict=False):
            for index, cell in enumerate(columns[name]):
                if cell != "_":
                    take(first + index, cell, self._place(rows[index][0]))

    def _place(self, line: int) -> Place:
        return Place(source=self.source.name, line=line)

    def _split_cells(self, number: int, line: str, names: dict[str, int]) -> list[str]:
        """The cells of a line, between TABs or, as in the published files, blanks."""
        needed = names[self.layer] + 1
        cells, tabbed = line.split(), line.split("\t")
        if cells != tabbed and len(tabbed) >= needed:
            cells = [cell.strip() or "_" for cell in tabbed]
        if len(cells) < needed:
            self.reading.fault(
                "CB110",
                "a line has too few columns",
                self._place(number),
                f"{len(cells)} columns",
                "missing columns read as _",
                expected=f"{needed} columns or more",
            )
        missing = len(names) - len(cells)
        return cells + ["_"] * missing if missing > 0 else cells
