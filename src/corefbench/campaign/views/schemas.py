"""Records of the JSON API."""

from datetime import datetime

from corefbench.campaign.domain.submissions import Receipt, SubmissionState
from corefbench.diagnostics import Finding
from corefbench.records import Record


class CheckResult(Record, frozen=True):
    """The result of ``corefbench check``."""

    valid: bool
    findings: tuple[Finding, ...] = ()
    unchecked: str = ""
    """Why the answers were not checked; they are when they are scored."""


class SubmissionAccepted(Record, frozen=True):
    """A submission that was accepted."""

    submission: str
    state: SubmissionState
    receipt: Receipt


class DownloadInfo(Record, frozen=True):
    """Data that can be downloaded now."""

    download: str
    file: str
    """The URL of the file."""
    file_name: str
    receipt: Receipt
    window_closes: datetime | None = None
    """Until when answers are accepted; None if the phase has no windows."""


class ReceiptCheck(Record, frozen=True):
    """Whether a receipt was issued by this server."""

    genuine: bool


class ErrorBody(Record, frozen=True):
    """An error with its code."""

    error: str
    """The code, as in the documentation."""
    message: str
    found: str = ""
    expected: str = ""
    remedy: str = ""
    status: int = 422
    findings: tuple[Finding, ...] = ()
    """Findings of ``corefbench check`` in refused answers."""
