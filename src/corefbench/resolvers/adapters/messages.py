"""Messages exchanged with other coreference packages: the records of the JSON in ``systems``."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from corefbench.preprocess.discourse import Discourse
from corefbench.records import Record

Span = tuple[int, int]


class Request(Record, frozen=True):
    """A document to resolve."""

    name: str
    text: str
    words: tuple[str, ...]
    offsets: tuple[Span, ...]
    sentences: tuple[Span, ...]
    speakers: tuple[str, ...] | None
    mentions: tuple[Span, ...] | None
    """The mentions of the key in annotated mode, for systems that take them."""


class Answer(Record, frozen=True):
    """The answer of a system for one document."""

    unit: Literal["tokens", "characters"]
    chains: tuple[tuple[Span, ...], ...]
    links: tuple[tuple[Span, Span, float], ...] = ()
    """A mention, its antecedent, and the confidence from 0 to 1."""
    lost: dict[str, int] = msgspec.field(default_factory=dict)
    """What the system had and could not place, counted by reason."""
    heads: bool = False
    """Whether the mentions are only the heads of their phrases."""


class Reply(Record, frozen=True):
    """One line of a worker: a greeting, answers, or a failure."""

    version: str = ""
    answers: tuple[Answer, ...] | None = None
    failed: Literal["", "package", "model", "error"] = ""
    said: str = ""
    package: str = ""


class Backend(Protocol):
    """A system that is loaded here or runs elsewhere."""

    def open(self, seconds: float) -> Reply:
        """Load the system unless it is loaded; return its version, or the failure."""
        ...

    def ask(self, documents: Sequence[Request], seconds: float) -> Reply:
        """Return answers in the order of the documents, or the failure."""
        ...


def make_request(discourse: Discourse) -> Request:
    """Return the request for a discourse."""
    analysis = discourse.analysis
    is_gold = discourse.mentions == "gold"
    return Request(
        name=analysis.name,
        text=analysis.text,
        words=analysis.words,
        offsets=analysis.offsets,
        sentences=analysis.sentences,
        speakers=analysis.speakers,
        mentions=tuple((p.start, p.end) for p in discourse.phrases) if is_gold else None,
    )
