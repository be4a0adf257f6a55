"""What the JSON interface says, where it is not a record of the domain."""

from datetime import datetime

from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.domain.states import State
from corefbench.findings import Finding
from corefbench.record import Record


class Checked(Record, frozen=True):
    """What ``corefbench check`` says of answers."""

    valid: bool
    findings: tuple[Finding, ...] = ()
    unchecked: str = ""
    """Why they were not looked at; they are when they are scored."""


class Taken(Record, frozen=True):
    """A submission that was taken."""

    submission: str
    state: State
    receipt: Receipt


class Handed(Record, frozen=True):
    """Data that may be fetched now."""

    download: str
    file: str
    """Where the file is."""
    file_name: str
    receipt: Receipt
    window_closes: datetime | None = None
    """Until when answers are taken; none where the phase sets no bound."""


class Genuine(Record, frozen=True):
    """Whether a receipt is the server's."""

    genuine: bool
