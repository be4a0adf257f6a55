"""CorefUD, block by block, from bytes to corpora.

A block's tokens are read as columns. Only sentences with entities, with comments that tell of
documents, or with lines that are too short are looked at one by one.
"""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.conllu import COLUMNS, Comments, blocks, legible
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.corefud_brackets import Brackets, Found
from corefbench.formats.corefud_chunks import Plain
from corefbench.formats.corefud_fields import Declaration, Fields
from corefbench.formats.corefud_items import Items
from corefbench.formats.corefud_mentions import MentionAdder
from corefbench.formats.corefud_place import Faults
from corefbench.formats.corefud_relations import Relations, links_of
from corefbench.formats.corefud_tokens import read_tokens
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus


def read_blocks(source: Source, reading: Reading) -> Iterator[Corpus]:
    """The documents of the source, those of a block at a time."""
    comments = Comments(source.stem)
    declaration = Declaration(reading.strictness)
    for block in blocks(source, reading.block_bytes):
        content, error = legible(block, source)
        rows = Rows(content, block.line)
        corpus = _Block(rows, source, reading, comments, declaration).read(error)
        if len(corpus):
            yield corpus
        reading.taken(len(block.content))


class _Block:
    """A block that is being read; comments and declaration outlive it."""

    def __init__(
        self,
        rows: Rows,
        source: Source,
        reading: Reading,
        comments: Comments,
        declaration: Declaration,
    ) -> None:
        self.rows = rows
        self.reading = reading
        self.comments = comments
        self.declaration = declaration
        self.items = Items.of(rows)
        self.plain = Plain(rows, self.items)
        self.build = CorpusBuilder(source.stem)
        self.faults = Faults(reading.strictness, source.name, rows)
        self.adder = MentionAdder(self.build, self.faults, self.plain)
        self.links = links_of(rows, self.items)
        self.relations = Relations(self.build, self.faults)
        self.begins: list[int] = []
        self.run = range(0)
        """Mentions of plain sentences that are still to be added, together."""

    def read(self, error: FormatError | None) -> Corpus:
        """The corpus, unless an ``error`` waits behind the last row."""
        self.sentences()
        if error is not None:
            raise error
        self.relations.finish()
        self.declaration.fields.forget()
        offsets = np.array([*self.begins, len(self.rows)], np.int64)
        tokens = read_tokens(self.rows, offsets, self.items, words=self.reading.words)
        # The builder has met documents and mentions only.
        return replace(self.build.finish(), tokens=tokens)

    def sentences(self) -> None:
        """Look at the sentences that need it, in order."""
        heard, short = self.rows.comments(), self.rows.short(len(COLUMNS))
        first = self.rows.first.tolist()
        count = len(first) - 1
        numbers, where = np.unique(self.rows.sentence[self.items.marked], return_index=True)
        marked = dict(zip(numbers.tolist(), self.items.marked[where].tolist(), strict=True))
        # The first sentence may begin the file's one document without saying so.
        for number in sorted({*range(min(count, 1)), *heard, *short, *marked} - {count}):
            self.comments.hear(heard.get(number, ()))
            for line, columns in short.get(number, ()):
                self.too_short(line, columns)
            self.begin(first[number])
            if number in marked:
                self.entities(number, self.fields(marked[number]))
        self.end_run()
        self.comments.hear(heard.get(count, ()))

    def begin(self, row: int) -> None:
        """Begin a document at a row if the comments say so."""
        name = self.comments.newdoc
        if name is not None or not self.begins:
            self.end_run()
            self.relations.finish()
            self.build.begin_document(name or self.build.name, columns=self.comments.meta)
            self.begins.append(row)
        self.comments.begun()

    def too_short(self, line: int, columns: int) -> None:
        self.end_run()  # faults are reported in the order of the text
        self.reading.strictness.fault(
            "CB110",
            "a line has too few columns",
            place=Place(source=self.faults.source, line=line),
            found=f"{columns} columns",
            expected="10 columns, separated by TAB",
            repair="missing columns read as _",
        )

    def fields(self, row: int) -> Fields:
        """The fields as last declared, asked for when an entity is met."""
        declared = self.comments.declared.get("global.Entity", "")
        if declared != self.declaration.text:
            self.end_run()
            misc = self.rows.text(COLUMNS.index("misc"), row)
            self.declaration.declare(declared, self.faults.place(row), misc)
        return self.declaration.fields

    def entities(self, number: int, fields: Fields) -> None:
        """Read the items of a sentence; most have to do with no other, and can wait."""
        origin, mentions = self.begins[-1], range(*self.plain.edges[number : number + 2])
        links = self.links.get(number, ())
        if fields.identity or number in self.plain.odd:
            self.end_run()
            self.relations.sentence(self.adder.add(self.brackets(number, fields), origin), links)
        elif links:
            self.end_run()
            first = self.adder.add_plain(mentions, fields, origin)
            self.relations.sentence(self.adder.numbered(mentions, first), links)
        else:
            self.run = range(self.run.start if self.run else mentions.start, mentions.stop)

    def end_run(self) -> None:
        """Add the mentions that wait; they are of one document and under one declaration."""
        if self.run:
            self.adder.add_plain(self.run, self.declaration.fields, self.begins[-1])
            self.relations.meet(self.plain.labels[self.run.start : self.run.stop])
            self.run = range(0)

    def brackets(self, number: int, fields: Fields) -> list[Found]:
        """The mentions of a sentence that is not plain."""
        brackets = Brackets(self.faults, fields)
        rows, items = self.rows, self.items
        first, last = np.searchsorted(items.row, rows.first[number : number + 2]).tolist()
        for item in range(first, last):
            if items.kind[item] == 0:
                brackets.cell(int(items.row[item]), items.value(rows, item))
        return brackets.mentions()
