"""LitBank's tab-separated annotation: ``x.ann`` beside ``x.txt``, which has a sentence a line.

``MENTION<TAB>T1<TAB>0<TAB>4<TAB>0<TAB>5<TAB>the streets<TAB>FAC<TAB>NOM`` gives sentence and token
of the first and of the last word, from 0 and both included; ``COREF<TAB>T1<TAB>streets-3`` the
label of its chain; ``COP`` and ``APPOS`` say that one mention is an attribute of another. Mentions
without a label, mostly such attributes, are singletons, as in LitBank's own CoNLL files.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.bundle import (
    Made,
    Pair,
    annotation_files,
    batches,
    write_files,
    write_pairs,
)
from corefbench.formats.layout import lay_out_words, require_words
from corefbench.formats.litbank_lines import RELATIONS, Text, read_marks
from corefbench.formats.source import Source
from corefbench.formats.text_documents import add_documents
from corefbench.formats.tokenise import segment_texts
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document

_LINE = re.compile(rb"(?:MENTION\tT?\S+(?:\t\d+){4}\t|COREF\t\S+\t|COP\t\S+\t|APPOS\t\S+\t)")


class LitBank:
    """Reads and writes LitBank's tab-separated files.

    >>> pair = Pair(source="d.ann", name="d", part=-1, text=b"Ann left .\\nShe ran .\\n",
    ...     annotation=b"MENTION\\tT1\\t0\\t0\\t0\\t0\\tAnn\\tPER\\tPROP\\nCOREF\\tT1\\tAnn-0\\n")
    >>> LitBank().corpus(pair, Reading())
    <Corpus 'd': 1 documents, 6 tokens, 1 mentions, 1 chains>
    """

    card = FormatCard(
        name="litbank",
        title="LitBank TSV",
        description="Mentions by sentence and token in an .ann file, its text beside it.",
        extensions=(".ann",),
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "chain labels",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "mentions across sentences",
            }
        ),
        cites=("bamman2020",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of lines that begin with the four keywords."""
        lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50]
        return 0.95 if lines and all(_LINE.match(line) for line in lines) else 0.0

    def documents_in(self, folder: Path) -> list[Path]:
        """The annotation files; the texts beside them are no documents of their own."""
        return annotation_files(folder, self.recognises)

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """A document a pair of files."""
        for name, batch in batches(source, reading):
            yield _corpus(name, batch, reading)

    def corpus(self, pair: Pair, reading: Reading) -> Corpus:
        """The document of one pair."""
        return _corpus(pair.name, [pair], reading)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """An ``.ann`` file and the ``.txt`` beside it, or, for several documents, an archive."""
        write_pairs(_made(corpus), stream)

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """Two files a document."""
        write_files(_made(corpus), folder)


def _corpus(name: str, batch: list[Pair], reading: Reading) -> Corpus:
    texts = [pair.characters() for pair in batch]
    tokens = segment_texts(texts, tokenised=True)
    build = CorpusBuilder(name, words=reading.words)
    names, parts = [pair.name for pair in batch], [pair.part for pair in batch]
    add_documents(build, names, texts, tokens, parts=parts)
    starts = tokens.starts.tolist()
    bounds = itertools.pairwise(tokens.offsets.tolist())
    for document, (pair, (a, b)) in enumerate(zip(batch, bounds, strict=True)):
        begin, finish = tokens.begin[a:b] - starts[document], tokens.finish[a:b] - starts[document]
        marks = read_marks(pair, Text(texts[document], begin, finish), reading.strictness)
        order = np.lexsort((-marks.end, marks.start))
        numbers: dict[str, int] = {}
        chain = [numbers.setdefault(marks.labels[row], len(numbers)) for row in order.tolist()]
        first = build.add_chains(list(numbers), document)
        columns = {place: marks.columns[row] for place, row in enumerate(order.tolist())}
        build.add_mentions(
            marks.start[order],
            marks.end[order],
            np.array(chain, np.int32) + first,
            document=document,
            columns={place: some for place, some in columns.items() if some},
        )
    return build.finish()


def _made(corpus: Corpus) -> list[Made]:
    require_words(corpus)
    return [
        Made(
            name=document.name,
            part=int(corpus.documents.parts[document.index]),
            annotation="".join(_document_lines(document)),
            text=lay_out_words(document)[0],
        )
        for document in corpus
    ]


def _document_lines(document: Document) -> Iterator[str]:
    """MENTION lines, COREF lines, then what is an attribute of what."""
    mentions, columns = document.mentions, document.corpus.mentions.columns
    ids = {mention.index: f"T{number}" for number, mention in enumerate(mentions, 1)}
    rows = [(a, b) for a, b in document.sentences if b > a]
    where = [(row, word) for row, (a, b) in enumerate(rows) for word in range(b - a)]
    words = [" ".join(word.split()) or "_" for word in document.words]
    for mention in mentions:
        place = (*where[mention.start], *where[mention.end - 1])
        text = " ".join(words[mention.start : mention.end])
        cells = [columns[name][mention.index] for name in ("type", "class") if name in columns]
        ends = "".join(f"\t{' '.join(cell.split())}" for cell in cells)
        numbers = "\t".join(map(str, place))
        yield f"MENTION\t{ids[mention.index]}\t{numbers}\t{text}{ends}\n"
    for mention in mentions:
        label = "_".join(mention.chain.label.split()) or "_"
        yield f"COREF\t{ids[mention.index]}\t{label}\n"
    places = {f"{m.start}:{m.end}": ids[m.index] for m in reversed(mentions)}
    for kind in RELATIONS:
        column = columns.get(f"relation:{kind.lower()}")
        for mention in mentions if column is not None else ():
            if column is not None and (target := places.get(column[mention.index])):
                yield f"{kind}\t{ids[mention.index]}\t{target}\n"
