"""SemEval-2010 task 1: CoNLL-like, separated by tabs, with heads."""

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.strings import Strings
from corefbench.corpus.views import Document
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading
from corefbench.formats.common.mention_heads import FirstOutside
from corefbench.formats.conll.format import bracket_cells, read_blocks
from corefbench.formats.conll.tokens import DOCUMENT_HEADER
from corefbench.formats.source import Source
from corefbench.records import Ints

_COLUMNS = (
    "lemma", "plemma", "pos", "ppos", "feat", "pfeat", "head", "phead", "deprel", "pdeprel",
    "ne", "pne",
)  # fmt: skip


class SemEval:
    """Gold and predicted columns side by side, coreference brackets in the last."""

    card = FormatCard(
        name="semeval",
        title="SemEval-2010 task 1",
        description="Tab-separated columns, gold and predicted, brackets in the last.",
        extensions=(".semeval",),
        holds=DOCUMENTS | (ANY_MENTIONS - {"crossing mentions of one chain"}) | {"token attributes", "chain labels"},
        token_columns=_COLUMNS,
        appends=True,
        by_document=True,
        cites=("recasens2010semeval",),
    )

    def recognises(self, head: bytes) -> float:
        """Token lines begin with their number in the sentence, and there are many tabs."""
        if not DOCUMENT_HEADER.search(head):
            return 0.0
        rows = [line.split(b"\t") for line in head.split(b"\n")[:-1] if b"\t" in line][:50]
        numbered = all(row[0].isdigit() and len(row) >= 10 for row in rows)
        # Elsewhere a document may be named by a number, and its part follows: always a number.
        words = any(not row[1].isdigit() for row in rows)
        return 0.95 if numbered and words else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        for corpus in read_blocks(source, replace(reading, words=True), semeval=True):
            yield replace(corpus, mentions=replace(corpus.mentions, head=mention_heads(corpus)))

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        for document in corpus:
            stream.write(_document_text(document).encode())


def mention_heads(corpus: Corpus) -> Ints:
    """The first token of each mention whose HEAD lies outside it, as the official scorer has it;
    the first token where there is none."""
    mentions = corpus.mentions
    number, governor = (_parse_numbers(corpus.tokens.columns.get(name)) for name in ("id", "head"))
    if number is None or governor is None:
        return mentions.start
    offset = corpus.tokens.offsets[mentions.document]
    first, past = offset + mentions.start, offset + mentions.end
    found = FirstOutside(governor).first(first, past, number[first], number[past - 1])
    return np.where(found < 0, mentions.start, found - offset).astype(np.int32)


def _parse_numbers(column: Strings | None) -> np.ndarray | None:
    if column is None:
        return None
    # Longer numbers, and ², are nothing that a token could have.
    plain = (text if text.isdecimal() and len(text) < 10 else "0" for text in column)
    return np.array([int(text) for text in plain], np.int64)


def _document_text(document: Document) -> str:
    corpus = document.corpus
    first = int(corpus.tokens.offsets[document.index])
    words, cells = document.words or ["_"] * len(document), bracket_cells(document, none="_")
    columns = [
        column.slice(first, first + len(words)) if column is not None else ["_"] * len(words)
        for column in (corpus.tokens.columns.get(name) for name in _COLUMNS)
    ]
    lines = [f"#begin document {document.label}"]
    for start, end in document.sentences:
        for i in range(start, end):
            fields = (column[i] or "_" for column in columns)
            lines.append("\t".join([str(i - start + 1), words[i], *fields, "_", "_", cells[i]]))
        lines.append("")
    lines.append(f"#end document {document.label}\n")
    return "\n".join(lines)
