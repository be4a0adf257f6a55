"""What every pre-processor is: a card, and a way from documents to analyses.

A pipeline that annotates text (built-in English, spaCy, stanza) takes raw text, or tokens that are
given. A reader of annotation (CoNLL-U columns, workbench XML, the parse column) takes what the
document has and refuses documents without it.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from corefbench.model.document import Document
from corefbench.preprocess.analysis import Analysis
from corefbench.record import Record


class Input(Record, frozen=True):
    """A document on its way to a pipeline: its text and, in annotated mode, its tokens."""

    name: str
    text: str
    offsets: tuple[tuple[int, int], ...] | None = None
    """The tokens to keep; None where the pipeline is to find them."""
    sentences: tuple[tuple[int, int], ...] | None = None
    """The sentences to keep, as token spans; None where the pipeline is to find them."""
    paragraphs: tuple[int, ...] | None = None
    """For every given sentence the number of its paragraph."""
    speakers: tuple[str, ...] | None = None
    """Who utters each given token."""
    document: Document | None = None
    """Where it came from, for pre-processors that read the annotation of a corpus."""


class PreprocessorCard(Record, frozen=True):
    """What is said about a pre-processor in help, documentation and web forms."""

    name: str
    title: str
    description: str
    needs: str = ""
    """The extra or package to install."""
    raw: bool = True
    """Whether it takes raw text; else it reads the annotation that a corpus has."""
    cites: tuple[str, ...] = ()


class Preprocessor(Protocol):
    """A pipeline, or a reader of syntax."""

    card: PreprocessorCard

    @property
    def identity(self) -> str:
        """Name, version and hash of the weights: part of the signature and of the cache's key."""
        ...

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        ...
