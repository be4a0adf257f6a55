"""What every format is: a card, a way to recognise it, a reader and (mostly) a writer.

A reader is a generator of corpora: it yields the documents of one block of the file as one small
corpus, so that memory does not grow with the file. ``join`` (in ``model.assemble``) makes one
corpus of them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, Protocol, TypeAlias, runtime_checkable

from corefbench.findings import Strictness
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus
from corefbench.record import Record

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
"""What a corpus may have and a format may not be able to say."""


class FormatCard(Record, frozen=True):
    """What is said about a format in help, documentation and web forms."""

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
    """Whether it writes only what its task is about, such as three mentions a document."""
    appends: bool = False
    """Whether corpora written one after another to one file are all there when it is read."""
    by_document: bool = False
    """Whether, of these, each document is written the same whatever stands beside it."""
    cites: tuple[str, ...] = ()


class Reading(Record, frozen=True):
    """How to read: strictly or leniently, with or without the words."""

    strictness: Strictness = Strictness()
    words: bool = True
    """Keep words and further token columns; without them only digests are made."""
    block_bytes: int = 4 << 20
    """How much is read at a time."""
    advance: Callable[[int], None] | None = None
    """Told, after every block, how many bytes were taken in."""

    def taken(self, count: int) -> None:
        """Report progress to whoever asked for it."""
        if self.advance is not None:
            self.advance(count)


class Format(Protocol):
    """A file format. Modules in this package satisfy it with one small class each."""

    card: FormatCard

    def recognises(self, head: bytes) -> float:
        """How sure it is, from 0 to 1, that a file beginning with ``head`` is its own."""
        ...

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents of the source, in order, a block of documents at a time."""
        ...

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document of the corpus."""
        ...


@runtime_checkable
class FolderFormat(Format, Protocol):
    """A format whose corpora are folders, in which not every file is a document."""

    def documents_in(self, folder: Path) -> list[Path]:
        """The files to read, in order; none where the folder is not in this format."""
        ...
