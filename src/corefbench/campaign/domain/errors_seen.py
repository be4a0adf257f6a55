"""What a participant sees of the errors in a phase that is not blind."""

from corefbench.analysis.errors.error import Example
from corefbench.measures.tally import Score
from corefbench.record import Record


class DocumentSeen(Record, frozen=True):
    """One document: its scores, and how many errors of which class."""

    document: str
    scores: dict[str, Score]
    errors: dict[str, int] = {}  # noqa: RUF012


class ErrorsSeen(Record, frozen=True):
    """All documents, the errors by taxonomy and class, and some of them in their text."""

    documents: tuple[DocumentSeen, ...]
    counts: dict[str, dict[str, int]] = {}  # noqa: RUF012
    examples: tuple[Example, ...] = ()
