"""Writes CorefUD: the documents, sentence by sentence, with their comments."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from corefbench.errors import UsageError
from corefbench.formats.conllu import COLUMNS
from corefbench.formats.corefud_cells import Cells
from corefbench.formats.corefud_said import NEWPAR, Said
from corefbench.model.corpus import Corpus

_HEAD, _MISC = COLUMNS.index("head"), COLUMNS.index("misc")
_BREAK = re.compile(r"[\t\n\r]")


def write_corpus(corpus: Corpus, stream: BinaryIO) -> None:
    """Write every document."""
    if corpus.tokens.words is None:
        raise UsageError("the corpus was read without its words", remedy="read it with its words")
    cells = Cells(corpus)
    for document in range(len(corpus)):
        stream.write("".join(_document(cells, document)).encode())


def _document(cells: Cells, document: int) -> Iterator[str]:
    corpus = cells.corpus
    view = corpus[document]
    first = int(corpus.tokens.offsets[document])
    rows = _rows(corpus, first, first + len(view))
    items = cells.of_document(document, [end for _, end in view.sentences])
    said = Said(corpus, first, [row[_MISC] for row in rows])
    yield f"# newdoc id = {_one_line(view.label)}\n# global.Entity = {'-'.join(cells.names)}\n"
    for name, values in corpus.documents.columns.items():
        if values[document]:
            yield f"# meta::{name} = {_one_line(values[document])}\n"
    for number, (start, end) in enumerate(view.sentences, 1):
        if start == end:
            continue
        _complete(corpus, rows[start:end], first + start)
        yield from said.comments(start)
        yield f"# sent_id = {_one_line(view.label)}-{number}\n"
        yield f"# text = {_text(rows[start:end])}\n"
        for token in range(start, end):
            *others, misc = rows[token]
            cell = [*items.get(token, ()), *([misc] if misc != "_" else [])]
            cell += [NEWPAR] if token > start and said.begins(token) else []
            yield "\t".join([*others, "|".join(cell) or "_"]) + "\n"
        yield "\n"


def _rows(corpus: Corpus, start: int, end: int) -> list[list[str]]:
    """The cells of tokens, as the corpus has them."""
    tokens = corpus.tokens
    columns = []
    for name in COLUMNS:
        column = tokens.words if name == "form" else tokens.columns.get(name)
        texts = column.slice(start, end) if column is not None else [""] * (end - start)
        columns.append([_BREAK.sub(" ", text) or "_" for text in texts])
    return [list(row) for row in zip(*columns, strict=True)]


def _complete(corpus: Corpus, rows: list[list[str]], first: int) -> None:
    """Number the tokens of a sentence where the corpus has not, and say 0 for their governors
    where it has no trees: readers of CoNLL-U want a number."""
    tokens, words, empties = corpus.tokens, 0, 0
    for token, row in enumerate(rows, first):
        empty = tokens.empty is not None and bool(tokens.empty[token])
        words, empties = (words, empties + 1) if empty else (words + 1, 0)
        if row[0] == "_":
            row[0] = f"{words}.{empties}" if empty else str(words)
        if not empty and "head" not in tokens.columns:
            row[_HEAD] = "0"


def _text(rows: list[list[str]]) -> str:
    """The sentence as it was printed, as far as SpaceAfter=No tells."""
    surface = [row for row in rows if "." not in row[0]]
    return "".join(
        row[1] + ("" if "SpaceAfter=No" in row[_MISC].split("|") else " ") for row in surface
    ).strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
