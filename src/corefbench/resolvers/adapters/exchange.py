"""What goes to a foreign system and comes back: the records of the JSON in ``systems``."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from corefbench.preprocess.discourse import Discourse
from corefbench.record import Record

Span = tuple[int, int]


class Asked(Record, frozen=True):
    """A document on its way to a system."""

    name: str
    text: str
    words: tuple[str, ...]
    offsets: tuple[Span, ...]
    sentences: tuple[Span, ...]
    speakers: tuple[str, ...] | None
    mentions: tuple[Span, ...] | None
    """The mentions of the key in annotated mode, for systems that take them."""


class Answer(Record, frozen=True):
    """What a system says of one document."""

    unit: Literal["tokens", "characters"]
    chains: tuple[tuple[Span, ...], ...]
    links: tuple[tuple[Span, Span, float], ...] = ()
    """A mention, its antecedent, and how sure the system is, from 0 to 1."""
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
        """Load it, unless it is; says its version, or why it failed."""
        ...

    def ask(self, documents: Sequence[Asked], seconds: float) -> Reply:
        """Answers in step with the documents, or why it failed."""
        ...


def asked(discourse: Discourse) -> Asked:
    """The document of a discourse."""
    analysis = discourse.analysis
    given = discourse.mentions == "gold"
    return Asked(
        name=analysis.name,
        text=analysis.text,
        words=analysis.words,
        offsets=analysis.offsets,
        sentences=analysis.sentences,
        speakers=analysis.speakers,
        mentions=tuple((p.start, p.end) for p in discourse.phrases) if given else None,
    )
