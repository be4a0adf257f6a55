"""Writing bracket columns: CoNLL-2012, twelve columns, blanks between them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import BinaryIO

from corefbench.model.corpus import Corpus
from corefbench.model.document import Document

_COLUMNS = ("pos", "parse", "lemma", "frameset", "sense", "speaker", "ne")


def write_corpus(corpus: Corpus, stream: BinaryIO) -> None:
    """Write every document as CoNLL-2012.

    Within a cell: closings, inner before outer, then mentions of one token, then openings, outer
    before inner.
    """
    for document in corpus:
        stream.write(_document_text(document).encode())


def _document_text(document: Document) -> str:
    corpus, index = document.corpus, document.index
    part = max(int(corpus.documents.parts[index]), 0)
    words = document.words or ["_"] * len(document)
    first = int(corpus.tokens.offsets[index])
    columns = [
        column.slice(first, first + len(words)) if column is not None else ["-"] * len(words)
        for column in (corpus.tokens.columns.get(name) for name in _COLUMNS)
    ]
    cells = bracket_cells(document)
    lines = [f"#begin document ({document.name}); part {part:03d}"]
    for start, end in document.sentences:
        for i in range(start, end):
            fields = [column[i] or "-" for column in columns]
            row = [document.name or "-", str(part), str(i - start), words[i] or "-", *fields]
            lines.append("   ".join([*(field.replace(" ", "_") for field in row), cells[i]]))
        lines.append("")
    lines.append("#end document\n")
    return "\n".join(lines)


def bracket_cells(document: Document, none: str = "-") -> Sequence[str]:
    """The coreference cell of every token."""
    closing: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    single: dict[int, list[str]] = defaultdict(list)
    opening: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for number, chain in enumerate(document.chains):
        for mention in chain.mentions:
            if mention.end - mention.start == 1:
                single[mention.start].append(f"({chain.label})")
            else:
                opening[mention.start].append((-mention.end, number, f"({chain.label}"))
                closing[mention.end - 1].append((-mention.start, -number, f"{chain.label})"))
    return [
        "|".join(
            [
                *(text for *_, text in sorted(closing.get(i, ()))),
                *single.get(i, ()),
                *(text for *_, text in sorted(opening.get(i, ()))),
            ]
        )
        or none
        for i in range(len(document))
    ]
