"""A board: the ranking of a task in a phase, as pages and exports show it."""

from typing import Literal, TypeAlias

from corefbench.campaign.confidence import ALPHA
from corefbench.campaign.domain.definition import Rule
from corefbench.measures import Score
from corefbench.record import Record

Share: TypeAlias = Literal["public", "all"]
"""Whether a board is over the public share of the documents, or over all of them."""


class Line(Record, frozen=True):
    """One system."""

    rank: int
    team: str
    """Its name, or its pseudonym."""
    score: float
    low: float | None
    high: float | None
    """The interval of the score; None where documents are too few for one."""
    p: float | None
    """That the difference to the next line is chance; None for the last line."""
    covered: int
    """Documents that the answers have anything on …"""
    documents: int
    """… of those that were scored."""
    received: str
    own: bool = False
    being_rescored: bool = False
    """Whether other scores are being made."""
    submission: str = ""
    """Known to organisers and to the team itself."""
    public: float | None = None
    """The score over the public share, where the board is over all …"""
    public_rank: int | None = None
    """… and the rank that it gave."""
    scores: dict[str, Score] = {}  # noqa: RUF012
    """All scores, where the board is over all documents."""

    @property
    def significant(self) -> bool:
        """Whether the difference to the next line is more than chance."""
        return self.p is not None and self.p <= ALPHA


class Board(Record, frozen=True):
    """The ranking of a task in a phase."""

    campaign: str
    phase: str
    phase_title: str
    task: str
    task_title: str
    measure: str
    """The title of the score that ranks."""
    published: bool
    names: bool
    """Whether all teams are called by their names."""
    share: Share
    rule: Rule
    """Which submission of a team counts: its best or its last."""
    lines: tuple[Line, ...] = ()
    methods: tuple[str, ...] = ()
    """How it was scored: one line where all were scored alike."""
    outdated: int = 0
    """Lines whose scores were made by an earlier profile or version, or against another key."""
    titles: dict[str, str] = {}  # noqa: RUF012
    """What the scores of the lines are called."""

    @property
    def split(self) -> bool:
        """Whether lines say what the public board said."""
        return any(line.public is not None for line in self.lines)

    @property
    def spread(self) -> tuple[float, float]:
        """The lowest and the highest that is on the board, a little wider: what is drawn."""
        low = min((_or(line.low, line.score) for line in self.lines), default=0.0)
        high = max((_or(line.high, line.score) for line in self.lines), default=1.0)
        margin = max((high - low) * 0.05, 0.005)
        return max(low - margin, 0.0), min(high + margin, 1.0)


def _or(bound: float | None, score: float) -> float:
    return score if bound is None else bound
