"""Reader of CONLL-UA files: by columns, or sentence by sentence where something is wrong."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
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
    canonical_entity,
    column_positions,
    fall_back_unless,
    minimal_span,
    parse_attributes,
    read_columnar,
)

_CHUNK = re.compile(r"\([^()]*\)?|[^()]*\)")
_SEPARATOR = re.compile(r"@(?=\()|(?<=\))@")
"""What may stand between two brackets of a cell."""
_LINK_EDGE = re.compile(r"[()]|@(?=\w+=)")
_VISUAL_SITUATION = "0"
"""The ID of lines that describe an object in view; they are no tokens."""


class _Markable:
    """A markable: its chunks, its attributes and the place of the first chunk."""

    def __init__(self, span: Span, attributes: dict[str, str], place: Place) -> None:
        self.parts = [span]
        self.attributes = attributes
        self.place = place

    @property
    def label(self) -> str:
        return canonical_entity(self.attributes.get("EntityID", ""))

    def add_chunk(self, other: "_Markable") -> bool:
        """Add a later chunk; False if it is one of another markable."""
        (span,) = other.parts
        start, end = self.parts[-1]
        if span[0] < end or (self.label and other.label and self.label != other.label):
            return False
        self.parts[-1:] = [(start, span[1])] if span[0] == end else [(start, end), span]
        self.attributes = other.attributes | self.attributes
        return True

    def __str__(self) -> str:
        return f"{self.attributes.get('MarkableID', '')} of entity {self.attributes.get('EntityID', '')}"


class MarkableReader:
    """The open document: its open brackets, and references that wait for its end."""

    def __init__(self, build: CorpusBuilder, strictness: Strictness) -> None:
        self.build = build
        self.strictness = strictness
        self._clear()

    def _clear(self) -> None:
        self.stack: list[int] = []
        self.open_slots: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        """The brackets that MarkableID or EntityID name; those that are closed by now among them."""
        self.opened: list[tuple[int, dict[str, str], Place]] = []
        self.ends: dict[int, int] = {}
        self.bridges: list[tuple[dict[str, str], Place]] = []
        self.numbers: dict[str, int] = {}
        self.chains: set[str] = set()
        self.elements: dict[tuple[str, str], Place] = {}

    def _fault(self, code: str, message: str, place: Place, found: str, repair: str) -> None:
        self.strictness.fault(code, message, place=place, found=found, repair=repair)

    def add_cell(self, token: int, text: str, place: Place) -> None:
        text = _SEPARATOR.sub("", text)
        chunks: list[str] = _CHUNK.findall(text)
        if sum(map(len, chunks)) != len(text):
            self._fault("CB106", "the cell is not brackets", place, text, "the rest left out")
        for chunk in chunks:
            if chunk[0] == "(":
                self._open(token, parse_attributes(chunk), place)
            if chunk[-1] == ")":
                slot = self._open_slot("" if chunk[0] == "(" else chunk[:-1])
                if slot is None:
                    message = "a markable is closed that was never opened"
                    self._fault("CB104", message, place, text, "bracket ignored")
                else:
                    self.ends[slot] = token + 1

    def _open(self, token: int, attributes: dict[str, str], place: Place) -> None:
        slot = len(self.opened)
        self.opened.append((token, attributes, place))
        self.stack.append(slot)
        for key in ("MarkableID", "EntityID"):
            if key in attributes:
                self.open_slots[key, attributes[key]].append(slot)

    def _open_slot(self, name: str) -> int | None:
        """Take the bracket to close: the one opened last or, if the closing bracket has a name, the
        one opened last of that MarkableID or else EntityID."""
        attributes = parse_attributes(name) if "=" in name else {"MarkableID": name, "EntityID": name}
        named = [self.open_slots[key, attributes[key]] for key in ("MarkableID", "EntityID") if key in attributes]
        for slots in named if name else [self.stack]:
            while slots:
                if (slot := slots.pop()) not in self.ends:
                    return slot
        return None

    def add_bridging(self, _token: int, text: str, place: Place) -> None:
        for attributes in self._links(text, place):
            self.bridges.append((attributes, place))

    def add_split(self, _token: int, text: str, place: Place) -> None:
        """Read a cell of the column that version 1.0 has for split antecedents."""
        for attributes in self._links(text, place):
            self._add_elements(canonical_entity(attributes.get("EntityID", "")), attributes, place)

    def _links(self, text: str, place: Place) -> Iterator[dict[str, str]]:
        """The links of a cell, with or without brackets."""
        for link in filter(None, _LINK_EDGE.split(text)):
            if attributes := parse_attributes(link):
                yield attributes
            else:
                self._fault("CB106", "the cell is not named values", place, text, "the rest left out")

    def finish(self) -> None:
        """Add the markables in opening order, then what refers to them."""
        seen = set()
        for markable in self._markables():
            mention = (*markable.parts, markable.label)
            if not markable.label:
                message = "a markable has no EntityID"
                self._fault("CB106", message, markable.place, str(markable.attributes), "markable left out")
            elif mention in seen and self.strictness.lenient:
                self._fault("CB113", "a mention occurs twice", markable.place, str(markable), "one of them left out")
            else:
                seen.add(mention)
                self._add_markable(markable)
        self._add_relations()
        self._clear()

    def _markables(self) -> list[_Markable]:
        """The markables: brackets that share a MarkableID are chunks of one."""
        markables: list[_Markable] = []
        by_name: dict[str, _Markable] = {}
        for slot, (start, attributes, place) in enumerate(self.opened):
            end = self.ends.get(slot)
            markable = _Markable((start, end or start), attributes, place)
            if end is None:
                message = "a markable is opened and never closed"
                self._fault("CB105", message, place, str(markable), "markable left out")
                continue
            name = attributes.get("MarkableID", "")
            if name in by_name:
                if by_name[name].add_chunk(markable):
                    continue
                message = "a MarkableID names two markables"
                self._fault("CB126", message, place, str(markable), "the second gets no MarkableID")
                del attributes["MarkableID"]
            elif name:
                by_name[name] = markable
            markables.append(markable)
        return markables

    def _add_markable(self, markable: _Markable) -> None:
        label, attributes, place = markable.label, markable.attributes, markable.place
        number = self.build.mention(
            label,
            markable.parts,
            minimum=self._minimum(markable, attributes.get("Min", "")),
            referring=not label.endswith(PSEUDO_SUFFIX),
            columns={k: v for k, v in attributes.items() if k not in NOT_COLUMNS},
        )
        self.chains.add(label)
        if "MarkableID" in attributes:
            self.numbers[attributes["MarkableID"]] = number
        self._add_elements(label, attributes, place)

    def _add_elements(self, label: str, attributes: dict[str, str], place: Place) -> None:
        for plural in filter(None, attributes.get("ElementOf", "").split(",")):
            self.elements.setdefault((canonical_entity(plural), label), place)

    def _minimum(self, markable: _Markable, text: str) -> list[Span]:
        """The minimal span, if one is given."""
        if not text:
            return []
        minimum = minimal_span(markable.parts, text)
        if minimum is not None:
            return [minimum]
        message = "Min lies outside its markable"
        self._fault("CB114", message, markable.place, f"Min={text}", "Min left out")
        return []

    def _add_relations(self) -> None:
        known = []
        for (plural, element), place in self.elements.items():
            if {plural, element} <= self.chains:
                known.append((self.build.chain(plural), self.build.chain(element)))
            else:
                message = "ElementOf names an entity that is not there"
                found = plural if element in self.chains else element
                self._fault("CB115", message, place, found, "relation left out")
        for pair in sorted(known, key=lambda pair: pair[1]):
            self.build.split_antecedent(*pair)
        for attributes, place in self.bridges:
            self._add_bridge(attributes, place)

    def _add_bridge(self, attributes: dict[str, str], place: Place) -> None:
        anaphor = self.numbers.get(attributes.get("MarkableID", ""))
        anchor = self.numbers.get(attributes.get("MentionAnchor", ""), -1)
        entity = canonical_entity(attributes.get("EntityAnchor", ""))
        if anaphor is None or (anchor < 0 and entity not in self.chains):
            message = "a bridging link names a markable that is not there"
            self._fault("CB115", message, place, str(attributes), "relation left out")
            return
        chain = self.build.chain(entity) if entity in self.chains else -1
        self.build.bridge(anaphor, mention=anchor, chain=chain, label=attributes.get("Rel", ""))


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
        self.unread_columns: list[str] = []

    def read_block(self, block: Block) -> Corpus:
        corpus = self._read_block(block)
        read = (*COLUMNS, "split") if self.layer == "identity" else COLUMNS
        unread = [name.upper() for name in self._column_positions() if name not in read]
        if unread and unread != self.unread_columns:
            place = Place(source=self.source.name, line=block.line)
            self.reading.warn("CB136", "announced columns are not read", place, " ".join(unread))
        self.unread_columns = unread
        return corpus

    def _read_block(self, block: Block) -> Corpus:
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
        table = [(number, self._split_cells(number, line, names)) for number, line in rows]
        tokens = [row for row in table if row[1][names["id"]] != _VISUAL_SITUATION]
        if len(tokens) < len(table):
            message, found = "objects of a visual situation are not read", f"{len(table) - len(tokens)} lines"
            self.reading.warn("CB136", message, self._place(rows[0][0]), found)
        if not tokens:
            return
        columns = {name: [cells[index] for _, cells in tokens] for name, index in names.items()}
        first = build.position
        readers: dict[str, Callable[[int, str, Place], None]] = {self.layer: document.add_cell}
        if self.layer == "identity":
            readers |= {"bridging": document.add_bridging, "split": document.add_split}
        empty = ["." in number for number in columns["id"]]
        build.sentence(
            columns["form"],
            empty=empty if any(empty) else None,
            columns={name: columns[name] for name in COLUMNS if name not in ("form", *readers)}
            if self.reading.words
            else None,
        )
        for name, read_cell in readers.items():
            for index, cell in enumerate(columns.get(name, ())):
                if cell != "_":
                    read_cell(first + index, cell, self._place(tokens[index][0]))

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
        missing = max(names.values()) + 1 - len(cells)
        return cells + ["_"] * missing if missing > 0 else cells
