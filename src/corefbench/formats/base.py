"""What every format provides: a card, detection, a reader and (mostly) a writer.

A reader is a generator of corpora: it yields the documents of one block of the file as one small
corpus, so that memory does not grow with the file; ``corefbench.corpus.combine.concatenate`` joins
them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, Protocol, TypeAlias, runtime_checkable

from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Strictness
from corefbench.errors import UsageError
from corefbench.formats.source import Source
from corefbench.records import Record

Feature: TypeAlias = Literal[
    "document names",
    "document attributes",
    "text",
    "words",
    "sentences",
    "speakers",
    "speakers within sentences",
    "token attributes",
    "zeros",
    "chain labels",
    "singletons",
    "crossing mentions",
    "crossing mentions of one chain",
    "repeated mentions",
    "discontinuous mentions",
    "mentions across sentences",
    "heads",
    "minimal spans",
    "mention attributes",
    "non-referring mentions",
    "bridging",
    "split antecedents",
]
"""What a corpus may have and a format may not be able to hold."""


class FormatCard(Record, frozen=True):
    """Description of a format for help, documentation and web forms."""

    name: str
    title: str
    description: str
    extensions: tuple[str, ...] = ()
    reads: bool = True
    writes: bool = True
    holds: frozenset[Feature] = frozenset()
    """What a written file keeps; ``convert`` reports what a corpus has beyond it."""
    token_columns: tuple[str, ...] = ()
    """The token attributes it keeps, where these are all that it has columns for."""
    selects: bool = False
    """Whether it writes only what its task is about, such as three mentions per document."""
    appends: bool = False
    """Whether corpora written one after another to one file are all read again."""
    by_document: bool = False
    """Whether, of these, each document is written the same whatever documents are beside it."""
    cites: tuple[str, ...] = ()


class Reading(Record, frozen=True):
    """Options of reading."""

    strictness: Strictness = Strictness()
    words: bool = True
    """Keep words and further token columns; without them only digests are made."""
    block_bytes: int = 4 << 20
    """How much is read at a time."""
    advance: Callable[[int], None] | None = None
    """Called after every block with the number of bytes that were read."""

    def report_progress(self, count: int) -> None:
        """Report that so many bytes were read."""
        if self.advance is not None:
            self.advance(count)


class Format(Protocol):
    """A file format."""

    card: FormatCard

    def recognises(self, head: bytes) -> float:
        """How sure it is, from 0 to 1, that a file beginning with ``head`` is in this format."""
        ...

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield the documents of the source, in order, one block of documents at a time."""
        ...

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document of the corpus."""
        ...


@runtime_checkable
class FolderFormat(Format, Protocol):
    """A format whose corpora are folders, in which not every file is a document."""

    def documents_in(self, folder: Path) -> list[Path]:
        """Return the files to read, in order; none where the folder is not in this format."""
        ...


def require_words(corpus: Corpus) -> None:
    """Raise ``UsageError`` if a corpus was read without its words and cannot be written."""
    if corpus.tokens.words is None:
        raise UsageError("the corpus was read without its words", remedy="read it with its words")
