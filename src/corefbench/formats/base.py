"""What every format provides: a card, detection, a reader and (mostly) a writer.

A reader is a generator of corpora: it yields the documents of one block of the file as one small
corpus, so that memory does not grow with the file; ``corefbench.corpus.combine.concatenate`` joins
them.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import Place, UsageError
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


EVERYTHING: frozenset[Feature] = frozenset(get_args(Feature))
DOCUMENTS: frozenset[Feature] = frozenset({"document names", "words", "sentences"})
"""What most formats hold beside mentions."""
SPEAKERS: frozenset[Feature] = frozenset({"speakers", "speakers within sentences"})
ATTRIBUTES: frozenset[Feature] = frozenset({"document attributes", "mention attributes"})
NESTED_MENTIONS: frozenset[Feature] = frozenset({"singletons", "repeated mentions"})
"""What formats hold whose mentions must nest within a sentence."""
CROSSING_MENTIONS: frozenset[Feature] = frozenset({"crossing mentions", "crossing mentions of one chain"})
ANY_MENTIONS: frozenset[Feature] = NESTED_MENTIONS | CROSSING_MENTIONS | {"mentions across sentences"}


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

    def fault(self, code: str, message: str, place: Place, found: str, repair: str, *, expected: str = "") -> None:
        """Raise a FormatError or, if reading is lenient, report that ``repair`` was done."""
        self.strictness.fault(code, message, place=place, found=found, expected=expected, repair=repair)

    def warn(self, code: str, message: str, place: Place, found: str = "", remedy: str = "") -> None:
        """Report something doubtful that is read all the same, strictly or not."""
        finding = Finding(code=code, severity="warning", message=message, place=place, found=found, remedy=remedy)
        self.strictness.report(finding)


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


def write_documents(
    corpus: Corpus, stream: BinaryIO, to_text: Callable[[Document], str], before: bytes = b"", after: bytes = b""
) -> None:
    """Write the text of every document; raise ``UsageError`` if the corpus has no words."""
    require_words(corpus)
    stream.write(before)
    for document in corpus:
        stream.write(to_text(document).encode())
    stream.write(after)


def require_words(corpus: Corpus) -> None:
    """Raise ``UsageError`` if a corpus was read without its words and cannot be written."""
    if corpus.tokens.words is None:
        raise UsageError("the corpus was read without its words", remedy="read it with its words")


def document_part(document: Document) -> int:
    """Return the number of the part that a document is, -1 if it has none."""
    return int(document.corpus.documents.parts[document.index])


def document_attributes(document: Document) -> dict[str, str]:
    """Return the attributes of a document that have a value."""
    columns = document.corpus.documents.columns.items()
    return {name: values[document.index] for name, values in columns if values[document.index]}


def token_column(document: Document, name: str, missing: str = "") -> list[str]:
    """Return a token attribute of a document; ``missing`` for every token without the column."""
    column = document.corpus.tokens.columns.get(name)
    first = int(document.corpus.tokens.offsets[document.index])
    return column.slice(first, first + len(document)) if column is not None else [missing] * len(document)


def mention_attribute(mention: Mention, name: str) -> str:
    """Return an attribute of a mention, empty if there is no such column."""
    column = mention.corpus.mentions.columns.get(name)
    return column[mention.index] if column is not None else ""


def unique_or_numbered(names: Sequence[str], prefix: str = "") -> Sequence[str]:
    """Return the names or, if any is missing or occurs twice, numbers from 1.

    >>> unique_or_numbered(["a", "b"]), unique_or_numbered(["a", "a"], "ref")
    (['a', 'b'], ['ref1', 'ref2'])
    """
    if all(names) and len(set(names)) == len(names):
        return names
    return [f"{prefix}{number}" for number in range(1, len(names) + 1)]
