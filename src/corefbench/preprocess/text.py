"""From a document of a corpus to the input of a pipeline: its text, tokens and sentences.

The text is the document's own where the source has it, else it is laid out from the words: by
``SpaceAfter=No`` where CoNLL-U tells, else by the rules of English typing. Empty nodes are left
out, so tokens are numbered without them.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from corefbench.errors import UsageError
from corefbench.model.document import Document
from corefbench.preprocess.base import Input
from corefbench.preprocess.detokenise import lay_out
from corefbench.preprocess.paragraphs import paragraphs_of

Given: TypeAlias = Literal["nothing", "tokens", "sentences"]
"""What a pipeline is to keep: nothing but the text, the tokens, or the tokens and sentences."""


class Columns:
    """The token columns of one document without its empty nodes."""

    def __init__(self, document: Document) -> None:
        self.document = document
        tokens = document.corpus.tokens
        self._first = int(tokens.offsets[document.index])
        self._last = int(tokens.offsets[document.index + 1])
        empty = tokens.empty
        self.empty = [] if empty is None else empty[self._first : self._last].tolist()
        if not any(self.empty):
            self.empty = []
        self._before: list[int] = []

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words."""
        return self._real(self.document.words)

    def __contains__(self, name: str) -> bool:
        return name in self.document.corpus.tokens.columns

    def __getitem__(self, name: str) -> tuple[str, ...]:
        """A column; empty cells throughout where the corpus does not have it."""
        column = self.document.corpus.tokens.columns.get(name)
        if column is None:
            return ("",) * len(self.words)
        return self._real(column.slice(self._first, self._last))

    def without_underscore(self, name: str) -> tuple[str, ...]:
        """A column with ``_`` read as nothing."""
        return tuple("" if cell == "_" else cell for cell in self[name])

    def _real(self, cells: list[str]) -> tuple[str, ...]:
        if not self.empty:
            return tuple(cells)
        return tuple(cell for cell, empty in zip(cells, self.empty, strict=True) if not empty)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the document as a span of the tokens without empty nodes."""
        if not self.empty:
            return start, end
        if not self._before:
            self._before = [0]
            for empty in self.empty:
                self._before.append(self._before[-1] + (not empty))
        return self._before[start], self._before[end]

    def sentences(self) -> tuple[tuple[int, int], ...]:
        """The sentences that have words."""
        spans = (self.span(start, end) for start, end in self.document.sentences)
        return tuple((start, end) for start, end in spans if start < end)


def input_of(document: Document, given: Given = "sentences") -> Input:
    """The document as a pipeline takes it."""
    if document.corpus.tokens.words is None:
        raise UsageError("the corpus was read without its words", remedy="read it with its words")
    columns = Columns(document)
    sentences = columns.sentences()
    marked = _paragraphs(columns, sentences)
    text, offsets = _text(document, columns, sentences, marked)
    keep = given != "nothing"
    return Input(
        name=document.label,
        text=text,
        offsets=offsets if keep else None,
        sentences=sentences if given == "sentences" else None,
        paragraphs=marked or paragraphs_of(text, offsets, sentences)
        if given == "sentences"
        else None,
        speakers=_speakers(columns) if keep else None,
        document=document,
    )


def mentions_of(document: Document) -> list[tuple[int, int, int | None]]:
    """The mentions as ``discourse_of`` takes them: spans over the real words, zeros left out."""
    columns = Columns(document)
    result: list[tuple[int, int, int | None]] = []
    for mention in document.mentions:
        start, end = columns.span(mention.start, mention.end)
        head = mention.head
        if head is not None:
            first, last = columns.span(head, head + 1)
            head = first if first < last else None
        if start < end:
            result.append((start, end, head))
    return result


def _text(
    document: Document,
    columns: Columns,
    sentences: Sequence[tuple[int, int]],
    paragraphs: Sequence[int] | None,
) -> tuple[str, tuple[tuple[int, int], ...]]:
    text, offsets = document.text, document.offsets
    if text is not None and offsets is not None and not columns.empty:
        return text, tuple(offsets)
    glued = None
    if "misc" in columns:
        glued = ["SpaceAfter=No" in cell for cell in columns["misc"]]
    return lay_out(columns.words, sentences, glued, paragraphs)


def _paragraphs(columns: Columns, sentences: Sequence[tuple[int, int]]) -> tuple[int, ...] | None:
    """The paragraphs that a column ``par`` tells; None without one, or where it tells nothing."""
    if "par" not in columns:
        return None
    marks = columns["par"]
    if not any(marks):
        return None
    numbers: list[int] = []
    for place, (start, _) in enumerate(sentences):
        if not place:
            numbers.append(0)
        else:
            before = sentences[place - 1][0]
            numbers.append(numbers[-1] + (marks[start] != marks[before]))
    return tuple(numbers)


def _speakers(columns: Columns) -> tuple[str, ...] | None:
    speakers = columns["speaker"]
    return speakers if any(speaker not in ("", "-", "_") for speaker in speakers) else None
