"""CoNLL-2011/2012, SemEval-2010 and relatives: one token per line, brackets in the last column.

Chains are numbered in the brackets; ``# chain 3 = set_14`` after the document is the label of chain 3.
Any number of columns, divided by tabs or blanks; ``-``, ``_``, ``*`` or nothing for "no mention";
LitBank's thirteen columns, the three of GUM, the two of cross-document outputs. Only lines whose
last column says something are looked at closely, which is why reading is fast.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus, Documents, Relations, Tokens
from corefbench.corpus.hashing import digest_surface_words
from corefbench.corpus.strings import Strings
from corefbench.corpus.views import Document
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, SPEAKERS, FormatCard, Reading, document_part, token_column
from corefbench.formats.common.conllu import percent_encode
from corefbench.formats.common.mention_heads import FirstOutside
from corefbench.formats.conll.mentions import find_cells, read_mentions, restore_labels
from corefbench.formats.conll.tokens import (
    DOCUMENT_BEGIN,
    DOCUMENT_HEADER,
    Block,
    DocumentBlocks,
    column_names,
    find_documents,
    find_tokens,
    read_tokens,
)
from corefbench.formats.source import Source, unreadable_error
from corefbench.records import Ints

_COLUMNS = ("pos", "parse", "lemma", "frameset", "sense", "speaker", "ne")
_SEMEVAL_COLUMNS = (
    "lemma", "plemma", "pos", "ppos", "feat", "pfeat", "head", "phead", "deprel", "pdeprel",
    "ne", "pne",
)  # fmt: skip

_SEPARATOR = re.compile(r"[\t-\r ]")
"""What separates columns or lines, and so cannot be in a cell."""
_LINE_BREAK = re.compile(r"[\t-\r]")
_NUMBER = re.compile(r"[0-9]+")
_UNSAFE_LABEL = re.compile(r"[%\s\0-\x1f\x7f]")


_EMPTY_NODE = "_"


class CoNLL:
    """The bracket column format of the CoNLL-2011 and CoNLL-2012 shared tasks."""

    card = FormatCard(
        name="conll",
        title="CoNLL-2011/2012 and relatives",
        description="A token a line, coreference brackets in the last column.",
        extensions=(".conll", ".v4_gold_conll", ".v4_auto_conll", ".gold_conll", ".auto_conll"),
        holds=DOCUMENTS
        | SPEAKERS
        | (ANY_MENTIONS - {"crossing mentions of one chain"})
        | {"token attributes", "chain labels"},
        token_columns=("pos", "parse", "lemma", "frameset", "sense", "ne"),
        appends=True,
        by_document=True,
        cites=("pradhan2012",),
    )

    def recognises(self, head: bytes) -> float:
        if not head.strip() or head.lstrip()[:1] == b"{":
            return 0.0
        if DOCUMENT_HEADER.search(head):
            return 0.9
        lines = [line for line in head.split(b"\n")[:-1] if line.strip() and line[:1] != b"#"][:200]
        cells = [line.rstrip().rsplit(None, 1)[-1] for line in lines if len(line.split()) > 1]
        bracketed = sum(cell[:1] == b"(" or cell[-1:] == b")" for cell in cells)
        plain = sum(cell in (b"-", b"_", b"*") for cell in cells)
        return 0.5 if bracketed and bracketed + plain == len(lines) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        return read_blocks(source, reading)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        for document in corpus:
            stream.write(_document_text(document).encode())


class SemEval:
    """Gold and predicted columns side by side, coreference brackets in the last.

    The word ``_`` is an empty node: the Catalan and Spanish data mark omitted subjects so.
    """

    card = FormatCard(
        name="semeval",
        title="SemEval-2010 task 1",
        description="Tab-separated columns, gold and predicted, brackets in the last.",
        extensions=(".semeval",),
        holds=DOCUMENTS | (ANY_MENTIONS - {"crossing mentions of one chain"}) | {"token attributes", "chain labels"},
        token_columns=_SEMEVAL_COLUMNS,
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
            mentions = replace(corpus.mentions, head=mention_heads(corpus))
            yield replace(corpus, mentions=mentions, tokens=_mark_empty_nodes(corpus.tokens))

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        for document in corpus:
            stream.write(_semeval_text(document).encode())


def read_blocks(source: Source, reading: Reading, *, semeval: bool = False) -> Iterator[Corpus]:
    """The documents of the source, those of a block at a time."""
    line, source = 1, source.with_newlines()
    with source.open() as stream:
        try:
            for data in DocumentBlocks(stream, reading.block_bytes, DOCUMENT_BEGIN):
                block = Block.of(data, source, reading, line)
                corpus = _read_block(block, semeval=semeval)
                if len(corpus):
                    yield corpus
                line = block.next_line
                reading.report_progress(len(data))
        except (OSError, EOFError) as error:
            raise unreadable_error(source.name, error) from error


def _read_block(block: Block, *, semeval: bool) -> Corpus:
    documents = find_documents(block)
    tokens = find_tokens(block, documents)
    mentions, chains = read_mentions(block, tokens, find_cells(block.lines, tokens.line))
    chains = restore_labels(chains, [document.labels for document in documents])
    names = column_names(block.lines, tokens.line, semeval=semeval)
    return Corpus(
        name=block.source.stem,
        documents=Documents(
            names=tuple(d.name for d in documents), parts=np.array([d.part for d in documents], np.int32)
        ),
        tokens=read_tokens(block, tokens, names),
        mentions=mentions,
        chains=chains,
        relations=Relations.none(),
    )


def _document_text(document: Document) -> str:
    part = max(document_part(document), 0)
    words = document.words or ["_"] * len(document)
    columns = [token_column(document, name, "-") for name in _COLUMNS]
    numbers = _chain_numbers(document)
    cells = _bracket_cells(document, numbers)
    lines = [f"#begin document ({_LINE_BREAK.sub(' ', document.name)}); part {part:03d}"]
    for start, end in document.sentences:
        for i in range(start, end):
            fields = [column[i] or "-" for column in columns]
            row = [document.name or "-", str(part), str(i - start), words[i] or "-", *fields]
            lines.append("   ".join([*(_SEPARATOR.sub("_", field) for field in row), cells[i]]))
        lines.append("")
    lines.append("#end document\n")
    return "\n".join(lines) + _label_comments(document, numbers)


def _chain_numbers(document: Document) -> list[str]:
    """Return what each chain is called in the brackets.

    Labels that are not numbers get the lowest numbers that are free: the reference scorer finds
    only digits in brackets, and either dies or silently scores 0 on other labels.
    """
    labels = [chain.label for chain in document.chains]
    used = {label for label in labels if _NUMBER.fullmatch(label)}
    free = (number for number in map(str, itertools.count()) if number not in used)
    return [label if label in used else next(free) for label in labels]


def _label_comments(document: Document, numbers: Sequence[str]) -> str:
    """Return a comment for each chain whose label is not its number.

    They stand after the document because the reference scorer counts comments in it as tokens.
    """
    return "".join(
        f"# chain {number} = {_UNSAFE_LABEL.sub(percent_encode, chain.label)}\n"
        for number, chain in zip(numbers, document.chains, strict=True)
        if chain.label != number
    )


def _bracket_cells(document: Document, numbers: Sequence[str], none: str = "-") -> Sequence[str]:
    """Return the coreference cell of every token; ``numbers`` are those of the chains.

    Within a cell: closings, inner before outer, then mentions of one token, then openings, outer
    before inner.
    """
    closing: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    single: dict[int, list[str]] = defaultdict(list)
    opening: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for index, (number, chain) in enumerate(zip(numbers, document.chains, strict=True)):
        for mention in chain.mentions:
            if mention.end - mention.start == 1:
                single[mention.start].append(f"({number})")
            else:
                opening[mention.start].append((-mention.end, index, f"({number}"))
                closing[mention.end - 1].append((-mention.start, -index, f"{number})"))
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


def _mark_empty_nodes(tokens: Tokens) -> Tokens:
    words = tokens.words
    empty = np.array([word == _EMPTY_NODE for word in words or ()], np.bool_)
    if words is None or not empty.any():
        return tokens
    return replace(tokens, empty=empty, digests=digest_surface_words(words, tokens.offsets, empty))


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


def _semeval_text(document: Document) -> str:
    words, numbers = document.words or ["_"] * len(document), _chain_numbers(document)
    cells = _bracket_cells(document, numbers, none="_")
    columns = [token_column(document, name, "_") for name in _SEMEVAL_COLUMNS]
    label = _LINE_BREAK.sub(" ", document.label)
    lines = [f"#begin document {label}"]
    for start, end in document.sentences:
        for i in range(start, end):
            fields = (column[i] or "_" for column in columns)
            row = [str(i - start + 1), words[i], *fields, "_", "_", cells[i]]
            lines.append("\t".join(_LINE_BREAK.sub(" ", field) for field in row))
        lines.append("")
    lines.append(f"#end document {label}\n")
    return "\n".join(lines) + _label_comments(document, numbers)
