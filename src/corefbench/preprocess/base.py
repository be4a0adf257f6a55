"""Interface of pre-processors: input, card and protocol.

A pipeline that annotates text (built-in English, spaCy, Stanza) takes raw text or given tokens. A
reader of annotation (CoNLL-U columns, workbench XML, the parse column) takes what the document has
and refuses documents without it.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from corefbench.corpus.views import Document
from corefbench.preprocess.analysis import Analysis
from corefbench.records import Record


class Input(Record, frozen=True):
    """Input of a pipeline: the text of a document and, in annotated mode, its tokens."""

    name: str
    text: str
    offsets: tuple[tuple[int, int], ...] | None = None
    """The tokens to keep; None if the pipeline is to find them."""
    sentences: tuple[tuple[int, int], ...] | None = None
    """The sentences to keep, as token spans; None if the pipeline is to find them."""
    paragraphs: tuple[int, ...] | None = None
    """For every given sentence the number of its paragraph."""
    speakers: tuple[str, ...] | None = None
    """The speaker of each given token."""
    document: Document | None = None
    """The source, for pre-processors that read the annotation of a corpus."""


class PreprocessorCard(Record, frozen=True):
    """Description of a pre-processor for help, documentation and web forms."""

    name: str
    title: str
    description: str
    needs: str = ""
    """The extra or package to install."""
    raw: bool = True
    """Whether it takes raw text; else it reads the annotation of a corpus."""
    cites: tuple[str, ...] = ()


class Preprocessor(Protocol):
    """A pipeline, or a reader of syntax."""

    card: PreprocessorCard

    @property
    def identity(self) -> str:
        """Name, version and hash of the weights: part of the signature and of the cache's key."""
        ...

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs."""
        ...


def hash_weights(folder: Path) -> str:
    """Return the first eight digits of a SHA-256 over the names and contents of all files."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
