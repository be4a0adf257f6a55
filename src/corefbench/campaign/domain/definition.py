"""What a campaign is: tasks, phases, quotas and who sees what when.

The records of ``campaign.toml``. All times are UTC; a phase is open from ``opens`` on and until
just before ``closes``.
"""

from datetime import datetime, timedelta
from typing import Literal, TypeAlias, TypeVar

from corefbench.errors import UnknownName
from corefbench.record import Record

Anonymity: TypeAlias = Literal["none", "until-published", "always"]
"""Whether the names of teams are kept from others."""
Release: TypeAlias = Literal["at-once", "at-close", "published"]
"""When a team learns its own scores."""
Rule: TypeAlias = Literal["best", "last"]
"""Which of a team's submissions is ranked."""


class Quota(Record, frozen=True):
    """How many submissions a team has, for a task of a phase; 0 sets no bound."""

    total: int = 0
    day: int = 0
    """In one day, which begins at midnight UTC."""


class Task(Record, frozen=True):
    """What is asked for, and how answers are scored."""

    name: str
    title: str
    scored: str
    """A profile such as ``conll-2012``, or ``are-1`` … ``are-4``."""
    rank: str = ""
    """The score that ranks: ``conll``, ``lea``, ``success_rate`` …; else the profile's first."""
    choices: dict[str, str] = {}  # noqa: RUF012
    """Choices of the profile that are changed."""
    description: str = ""


class Data(Record, frozen=True):
    """The files of a task in a phase: paths inside the folder of the campaign."""

    task: str
    key: str
    input: str = ""
    """What participants get; empty where there is nothing to download."""
    format: str = ""


class Phase(Record, frozen=True):
    """A stretch of time with data of its own."""

    name: str
    title: str
    opens: datetime
    closes: datetime
    data: tuple[Data, ...]
    quota: Quota = Quota()
    blind: bool = True
    """Whether nothing but scores is told: no errors, no documents."""
    scores: Release = "published"
    window_hours: float = 0
    """Hours that a team has for its answers from its first download on; 0 sets no bound."""
    public: float = 1.0
    """The share of documents that the board shows before publication; the rest is private."""

    @property
    def window(self) -> timedelta | None:
        """The time from a team's first download to its last submission."""
        return timedelta(hours=self.window_hours) if self.window_hours else None

    def data_of(self, task: str) -> Data:
        """The files of a task."""
        for data in self.data:
            if data.task == task:
                return data
        raise UnknownName(f"task in phase {self.name}", task, [data.task for data in self.data])


class Campaign(Record, frozen=True):
    """All of it."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    phases: tuple[Phase, ...]
    contact: str = ""
    description: str = ""
    anonymity: Anonymity = "until-published"
    approval: bool = True
    """Whether an organiser must approve a team before it takes part."""
    ranking: Rule = "best"

    def task(self, name: str) -> Task:
        """A task by its name."""
        return _named("task", name, self.tasks)

    def phase(self, name: str) -> Phase:
        """A phase by its name."""
        return _named("phase", name, self.phases)


_Named = TypeVar("_Named", Task, Phase)


def _named(kind: str, name: str, known: tuple[_Named, ...]) -> _Named:
    for one in known:
        if one.name == name:
            return one
    raise UnknownName(kind, name, [one.name for one in known])
