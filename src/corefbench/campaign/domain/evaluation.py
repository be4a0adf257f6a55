"""What scoring a submission gives: kept as JSON, enough to rank, resample and compare by.

``rows`` has what each document counts, so that a board can be made over any share of the
documents, with confidence intervals and tests, without reading answers again.
"""

from corefbench.campaign.domain.errors_seen import ErrorsSeen
from corefbench.findings import Finding
from corefbench.measures.tally import Score
from corefbench.record import Record


class Row(Record, frozen=True):
    """What one document counts, by score: the columns of its tally."""

    document: str
    counts: dict[str, tuple[float, ...]]
    """By the name of the score; in the order of ``Evaluation.columns``."""
    answered: bool = True
    """Whether the submission has anything on it."""


class Evaluation(Record, frozen=True):
    """The scores of one submission."""

    signature: str
    scores: dict[str, Score]
    ranking: str
    """The name of the score that ranks: one of ``scores``, or ``conll``."""
    headline: float
    """Its value, 0 to 1, over all documents …"""
    public: float
    """… and over the public share of them."""
    columns: dict[str, tuple[str, ...]]
    """The columns of each score's tally."""
    rows: tuple[Row, ...]
    public_documents: tuple[str, ...] = ()
    """Those of the public share, by name; all where the phase has no private part."""
    findings: tuple[Finding, ...] = ()
    """Remarks that the sender may read."""
    errors: ErrorsSeen | None = None
    """Where the phase is not blind."""

    @property
    def covered(self) -> int:
        """Documents of the key that the submission has anything on, n of N."""
        return sum(row.answered for row in self.rows)
