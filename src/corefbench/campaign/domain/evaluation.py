"""Results of checking or scoring a submission.

Evaluations are stored as JSON. ``rows`` has the counts of each document, so that a board can be
computed over any share of the documents, with confidence intervals and tests, without reading the
answers again.
"""

from typing import TypeAlias

from corefbench.analysis.errors.taxonomy import Example
from corefbench.diagnostics import Finding
from corefbench.records import Record
from corefbench.scoring.measures.tally import Score


class DocumentFeedback(Record, frozen=True):
    """Scores of a document, and number of errors by class."""

    document: str
    scores: dict[str, Score]
    errors: dict[str, int] = {}  # noqa: RUF012


class ErrorFeedback(Record, frozen=True):
    """Feedback by document, errors by taxonomy and class, and some of them in context."""

    documents: tuple[DocumentFeedback, ...]
    counts: dict[str, dict[str, int]] = {}  # noqa: RUF012
    examples: tuple[Example, ...] = ()


class DocumentRow(Record, frozen=True):
    """Counts of one document."""

    document: str
    counts: dict[str, tuple[float, ...]]
    """By name of the score, in the order of ``Evaluation.columns``."""
    answered: bool = True
    """Whether the answers have mentions in it."""


class Evaluation(Record, frozen=True):
    """The scores of one submission."""

    signature: str
    scores: dict[str, Score]
    ranking: str
    """Name of the score that ranks: one of ``scores``, or ``conll``."""
    headline: float
    """Its value, 0 to 1, over all documents …"""
    public: float
    """… and over the public share of them."""
    columns: dict[str, tuple[str, ...]]
    """Columns of each score's tally."""
    rows: tuple[DocumentRow, ...]
    public_documents: tuple[str, ...] = ()
    """Documents of the public share; all if the phase has no private part."""
    findings: tuple[Finding, ...] = ()
    """Findings that the sender may read."""
    errors: ErrorFeedback | None = None
    """Only if the phase is not blind."""

    @property
    def covered(self) -> int:
        """Return the number of documents in which the answers have mentions."""
        return sum(row.answered for row in self.rows)


class Valid(Record, frozen=True, tag="valid"):
    """The answers can be read; findings are warnings."""

    findings: tuple[Finding, ...] = ()


class Scored(Record, frozen=True, tag="scored"):
    """The answers have scores."""

    evaluation: Evaluation


class Invalid(Record, frozen=True, tag="invalid"):
    """The answers cannot be scored; the participant has to fix them."""

    findings: tuple[Finding, ...]

    @property
    def message(self) -> str:
        """Return the errors, one per line, without warnings."""
        errors = [str(finding) for finding in self.findings if finding.severity == "error"]
        return "\n".join(errors or map(str, self.findings))


class Failed(Record, frozen=True, tag="failed"):
    """The platform could not score the answers; nobody is charged."""

    reason: str


Outcome: TypeAlias = Valid | Scored | Invalid | Failed
