"""CONLL-UA, block by block: as columns, or, where something is odd, sentence by sentence."""

from collections.abc import Iterator
from copy import deepcopy

from corefbench.errors import Place
from corefbench.formats.base import Reading
from corefbench.formats.conllu import Block, Comments, blocks, legible, sentences
from corefbench.formats.plain import NotPlain, require
from corefbench.formats.source import Source
from corefbench.formats.universal_anaphora_columns import COLUMNS, positions
from corefbench.formats.universal_anaphora_document import Markables
from corefbench.formats.universal_anaphora_plain import read_plain
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus


def read_blocks(source: Source, reading: Reading, layer: str) -> Iterator[Corpus]:
    """The documents of the source, those of a block at a time."""
    reader = _Reader(source, reading, layer)
    for block in blocks(source, reading.block_bytes):
        corpus = reader.corpus(block)
        if len(corpus):
            yield corpus
        reading.taken(len(block.content))


class _Reader:
    """What is remembered from one block to the next."""

    def __init__(self, source: Source, reading: Reading, layer: str) -> None:
        self.source = source
        self.reading = reading
        self.layer = layer
        self.comments = Comments(source.stem)

    def corpus(self, block: Block) -> Corpus:
        content, error = legible(block, self.source)
        comments = deepcopy(self.comments)
        try:
            require(error is None)
            name = self.source.stem
            corpus = read_plain(content, name, comments, self.reading, self.layer)
        except NotPlain:
            return self.by_sentences(block)
        self.comments = comments
        return corpus

    def by_sentences(self, block: Block) -> Corpus:
        """Read a block that is not plain, and say what is wrong with it."""
        build = CorpusBuilder(self.source.stem, words=self.reading.words)
        document = Markables(build, self.reading.strictness)
        for sentence in sentences(block, self.source):
            self.comments.hear(sentence.comments())
            rows = sentence.rows()
            if not rows:
                continue
            names = self.names()
            if self.comments.newdoc is not None or not build.document_count:
                document.finish()
                name = self.comments.newdoc or build.name
                build.begin_document(name, columns=self.comments.meta)
            self.comments.begun()
            self.sentence(rows, names, build, document)
        document.finish()
        return build.finish()

    def names(self) -> dict[str, int]:
        """Where each column stands, by the announcement or by custom."""
        return positions(self.comments.declared.get("global.columns", ""))

    def sentence(
        self,
        rows: list[tuple[int, str]],
        names: dict[str, int],
        build: CorpusBuilder,
        document: Markables,
    ) -> None:
        """Add the tokens of a sentence, and take in its markables."""
        cells = zip(*(self.cells(*row, names) for row in rows), strict=False)
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
        for name, take in zip(read, (document.cell, document.bridging), strict=False):
            for index, cell in enumerate(columns[name]):
                if cell != "_":
                    take(first + index, cell, self.place(rows[index][0]))

    def place(self, line: int) -> Place:
        return Place(source=self.source.name, line=line)

    def cells(self, number: int, line: str, names: dict[str, int]) -> list[str]:
        """The cells of a line, between TABs or, as in the published files, blanks."""
        needed = names[self.layer] + 1
        cells, tabbed = line.split(), line.split("\t")
        if cells != tabbed and len(tabbed) >= needed:
            cells = [cell.strip() or "_" for cell in tabbed]
        if len(cells) < needed:
            self.reading.strictness.fault(
                "CB110",
                "a line has too few columns",
                place=self.place(number),
                found=f"{len(cells)} columns",
                expected=f"{needed} columns or more",
                repair="missing columns read as _",
            )
        missing = len(names) - len(cells)
        return cells + ["_"] * missing if missing > 0 else cells
