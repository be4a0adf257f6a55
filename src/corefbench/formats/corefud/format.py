"""CorefUD 1.x: coreference in the MISC column of CoNLL-U.

``# global.Entity = eid-etype-head-other`` declares the fields of an opening bracket;
``Entity=(e27-abstract-3-(e28-event-1-)`` opens e27 and marks the one word e28, ``e27)`` closes.
Heads and minimal spans count the mention's own words from 1; here they are token offsets.
Where no head is declared (GUM), it is the first word whose governor lies outside the mention.
Paragraphs (``# newpar``) and speakers (``# speaker = …``) become columns of the tokens.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, Place
from corefbench.formats.base import EVERYTHING, FormatCard, Reading
from corefbench.formats.common.conllu import COLUMNS, NEWDOC, Comments, TokenRows, decodable_part
from corefbench.formats.common.decode import iter_blocks
from corefbench.formats.corefud.brackets import (
    Declaration,
    FaultReporter,
    Fields,
    ParsedMention,
    RegularMentions,
    SentenceBrackets,
)
from corefbench.formats.corefud.mentions import MentionAdder, RelationCollector, find_links
from corefbench.formats.corefud.tokens import PARAGRAPH, MiscItems, read_tokens
from corefbench.formats.corefud.writer import write_corpus
from corefbench.formats.source import Source


class CorefUD:
    """Reads and writes CorefUD.

    >>> text = b"# global.Entity = eid\\n1\\tI" + b"\\t_" * 7 + b"\\tEntity=(e1)\\n"
    >>> list(CorefUD().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="corefud",
        title="CorefUD (CoNLL-U)",
        description="Universal Dependencies with entities, bridging and split antecedents in MISC.",
        extensions=(".conllu",),
        holds=EVERYTHING
        - {"text", "speakers within sentences", "crossing mentions of one chain", "mentions across sentences"}
        - {"non-referring mentions"},
        token_columns=(*COLUMNS, PARAGRAPH),
        appends=True,
        cites=("nedoluzhko2022",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of ``# global.Entity``; plain CoNLL-U, without entities, is read too."""
        # CONLL-UA files are CoNLL-U too, with columns of their own.
        if b"# global.columns" in head:
            return 0.0
        if b"# global.Entity" in head:
            return 1.0
        rows = (line for line in head.split(b"\n") if line.strip() and line[:1] != b"#")
        cells = next(rows, b"").split(b"\t")
        if len(cells) != len(COLUMNS) or not re.fullmatch(rb"\d+([-.]\d+)?", cells[0]):
            return 0.0
        return 0.95 if b"Entity=" in head else 0.6

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each begun by ``# newdoc``; without one the file is one document."""
        return read_blocks(source, reading)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One declaration for all documents; multiword tokens are not kept."""
        write_corpus(corpus, stream)


def read_blocks(source: Source, reading: Reading) -> Iterator[Corpus]:
    """Yield the documents of the source, one block at a time."""
    comments = Comments(source.stem)
    declaration = Declaration(reading.strictness)
    for block in iter_blocks(source, reading.block_bytes, NEWDOC):
        content, error = decodable_part(block, source)
        rows = TokenRows(content, block.line)
        corpus = _Block(rows, source, reading, comments, declaration).read(error)
        if len(corpus):
            yield corpus
        reading.report_progress(len(block.content))


class _Block:
    """Reads one block; comments and declaration are kept from block to block."""

    def __init__(
        self, rows: TokenRows, source: Source, reading: Reading, comments: Comments, declaration: Declaration
    ) -> None:
        self.rows = rows
        self.reading = reading
        self.comments = comments
        self.declaration = declaration
        self.items = MiscItems.of(rows)
        self.regular = RegularMentions(rows, self.items)
        self.build = CorpusBuilder(source.stem)
        self.faults = FaultReporter(reading.strictness, source.name, rows)
        self.adder = MentionAdder(self.build, self.faults, self.regular)
        self.links = find_links(rows, self.items)
        self.relations = RelationCollector(self.build, self.faults)
        self.begins: list[int] = []
        self.run = range(0)
        """Mentions of regular sentences that wait to be added together."""

    def read(self, error: FormatError | None) -> Corpus:
        """Return the corpus, or raise the ``error`` that follows the last row."""
        self._read_sentences()
        if error is not None:
            raise error
        self.relations.finish()
        self.declaration.fields.forget()
        offsets = np.array([*self.begins, len(self.rows)], np.int64)
        tokens = read_tokens(self.rows, offsets, self.items, words=self.reading.words)
        # The builder was given documents and mentions only.
        return replace(self.build.finish(), tokens=tokens)

    def _read_sentences(self) -> None:
        """Read, in order, the sentences with entities, document comments or short lines."""
        comments, short = self.rows.comments(), self.rows.short_lines(len(COLUMNS))
        first = self.rows.first.tolist()
        count = len(first) - 1
        numbers, where = np.unique(self.rows.sentence[self.items.marked], return_index=True)
        marked = dict(zip(numbers.tolist(), self.items.marked[where].tolist(), strict=True))
        # The first sentence begins a document even without a comment.
        for number in sorted({*range(min(count, 1)), *comments, *short, *marked} - {count}):
            self.comments.read(comments.get(number, ()))
            for line, columns in short.get(number, ()):
                self._report_short_line(line, columns)
            self._begin_document(first[number])
            if number in marked:
                self._read_entities(number, self._fields(marked[number]))
        self._add_run()
        self.comments.read(comments.get(count, ()))

    def _begin_document(self, row: int) -> None:
        """Begin a document at a row if a comment says so."""
        name = self.comments.newdoc
        if name is not None or not self.begins:
            self._add_run()
            self.relations.finish()
            self.build.begin_document(name or self.build.name, columns=self.comments.meta)
            self.begins.append(row)
        self.comments.end_header()

    def _report_short_line(self, line: int, columns: int) -> None:
        self._add_run()  # faults are reported in the order of the text
        self.reading.fault(
            "CB110",
            "a line has too few columns",
            Place(source=self.faults.source, line=line),
            f"{columns} columns",
            "missing columns read as _",
            expected="10 columns, separated by TAB",
        )

    def _fields(self, row: int) -> Fields:
        """Return the fields as last declared."""
        declared = self.comments.declared.get("global.Entity", "")
        if declared != self.declaration.text:
            self._add_run()
            misc = self.rows.text(COLUMNS.index("misc"), row)
            self.declaration.declare(declared, self.faults.place(row), misc)
        return self.declaration.fields

    def _read_entities(self, number: int, fields: Fields) -> None:
        """Read the items of a sentence; mentions without links wait to be added together."""
        origin, mentions = self.begins[-1], range(*self.regular.edges[number : number + 2])
        links = self.links.get(number, ())
        if fields.identity or number in self.regular.irregular:
            self._add_run()
            self.relations.add_sentence(self.adder.add(self._read_brackets(number, fields), origin), links)
        elif links:
            self._add_run()
            first = self.adder.add_regular(mentions, fields, origin)
            self.relations.add_sentence(self.adder.numbered(mentions, first), links)
        else:
            self.run = range(self.run.start if self.run else mentions.start, mentions.stop)

    def _add_run(self) -> None:
        """Add the mentions that wait: all of one document and under one declaration."""
        if self.run:
            self.adder.add_regular(self.run, self.declaration.fields, self.begins[-1])
            self.relations.add_chains(self.regular.labels[self.run.start : self.run.stop])
            self.run = range(0)

    def _read_brackets(self, number: int, fields: Fields) -> list[ParsedMention]:
        """Return the mentions of an irregular sentence."""
        brackets = SentenceBrackets(self.faults, fields)
        rows, items = self.rows, self.items
        first, last = np.searchsorted(items.row, rows.first[number : number + 2]).tolist()
        for item in range(first, last):
            if items.kind[item] == 0:
                brackets.add_cell(int(items.row[item]), items.value(rows, item))
        return brackets.mentions()
