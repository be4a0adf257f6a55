"""Campaign configuration: tasks, phases, quotas and visibility settings.

The records of ``campaign.toml``. All times are UTC; a phase is open from ``opens`` on and until
just before ``closes``.
"""

from datetime import datetime, timedelta
from typing import Literal, TypeAlias, TypeVar

from corefbench.errors import UnknownName
from corefbench.records import Record

Anonymity: TypeAlias = Literal["none", "until-published", "always"]
"""Whether the names of teams are hidden from others."""
ScoreRelease: TypeAlias = Literal["at-once", "at-close", "published"]
"""When a team learns its own scores."""
RankingRule: TypeAlias = Literal["best", "last"]
"""Which of a team's submissions is ranked."""


class Quota(Record, frozen=True):
    """Number of submissions of a team for a task of a phase; 0 for no limit."""

    total: int = 0
    day: int = 0
    """Per day, which begins at midnight UTC."""


class Task(Record, frozen=True):
    """A task and how its answers are scored."""

    name: str
    title: str
    scored: str
    """A profile such as ``conll-2012``, or ``are-1`` … ``are-4``."""
    rank: str = ""
    """The score that ranks: ``conll``, ``lea``, ``success_rate`` …; else the profile's first."""
    choices: dict[str, str] = {}  # noqa: RUF012
    """Choices of the profile to override."""
    description: str = ""


class Data(Record, frozen=True):
    """Data files of a task in a phase, as paths inside the folder of the campaign."""

    task: str
    key: str
    input: str = ""
    """What participants download; empty if there is nothing."""
    format: str = ""


class Phase(Record, frozen=True):
    """A period of the campaign with its own data."""

    name: str
    title: str
    opens: datetime
    closes: datetime
    data: tuple[Data, ...]
    quota: Quota = Quota()
    blind: bool = True
    """Whether participants see only scores: no errors, no documents."""
    scores: ScoreRelease = "published"
    window_hours: float = 0
    """Hours a team has to submit after its first download; 0 for no limit."""
    public: float = 1.0
    """Share of documents on the board before publication; the rest is private."""

    @property
    def window(self) -> timedelta | None:
        """Return the time a team has to submit after its first download."""
        return timedelta(hours=self.window_hours) if self.window_hours else None

    def data_of(self, task: str) -> Data:
        """Return the data files of a task."""
        for data in self.data:
            if data.task == task:
                return data
        raise UnknownName(f"task in phase {self.name}", task, [data.task for data in self.data])


class Campaign(Record, frozen=True):
    """The configuration of a campaign."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    phases: tuple[Phase, ...]
    contact: str = ""
    description: str = ""
    anonymity: Anonymity = "until-published"
    approval: bool = True
    """Whether an organiser must approve a team first."""
    ranking: RankingRule = "best"

    def task(self, name: str) -> Task:
        """Return a task by its name."""
        return _find_by_name("task", name, self.tasks)

    def phase(self, name: str) -> Phase:
        """Return a phase by its name."""
        return _find_by_name("phase", name, self.phases)


_Named = TypeVar("_Named", Task, Phase)


def _find_by_name(kind: str, name: str, known: tuple[_Named, ...]) -> _Named:
    for item in known:
        if item.name == name:
            return item
    raise UnknownName(kind, name, [item.name for item in known])
