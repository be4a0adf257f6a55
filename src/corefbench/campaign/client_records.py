"""What a client reads of a server's answers: as much of them as it needs."""

from corefbench.findings import Finding
from corefbench.measures.tally import Score
from corefbench.record import Record


class Told(Record, frozen=True):
    """An error as the server tells it."""

    error: str = "CB314"
    message: str = ""
    found: str = ""
    expected: str = ""
    remedy: str = ""
    findings: tuple[Finding, ...] = ()


class Scores(Record, frozen=True):
    """The scores that may be seen."""

    ranking: str
    headline: float
    share: str
    covered: int
    documents: int
    scores: dict[str, Score] = {}  # noqa: RUF012


class Status(Record, frozen=True):
    """What the server says of a submission."""

    id: str
    phase: str
    task: str
    state: str
    received: str
    label: str = ""
    file_name: str = ""
    message: str = ""
    queue_position: int | None = None
    attempts: int = 0
    result: Scores | None = None
    """None until the scores are there and may be seen."""

    @property
    def is_over(self) -> bool:
        """Whether the server has done with it."""
        return self.state not in ("queued", "scoring")
