"""A campaign played through before anybody takes part: all phases, with resolvers as teams.

In a state of its own that is thrown away, by a clock that is moved from phase to phase; scoring is
done as it will be, in child processes. It tells what participants will see, and that what comes
too early, too late or too often is refused.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

from corefbench.campaign import rehearsing
from corefbench.campaign.baselines import BASELINES, Answers, answers_of
from corefbench.campaign.board import Board
from corefbench.campaign.domain.admission import Refusal, window_closes
from corefbench.campaign.domain.definition import Data, Phase
from corefbench.campaign.domain.times import written
from corefbench.campaign.domain.visibility import Role, sees_board
from corefbench.campaign.jobs.worker import work_once
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.standings import standings
from corefbench.campaign.storage.people import Person
from corefbench.campaign.storage.settings import is_published, publish
from corefbench.campaign.storage.submissions import Submission
from corefbench.errors import VerificationFailed
from corefbench.record import Record

_SECOND = timedelta(seconds=1)
_MOST_TRIES = 50
"""Quotas above are not used up."""


class Step(Record, frozen=True):
    """Something that happens."""

    time: str
    phase: str
    who: str
    what: str
    as_expected: bool = True


class Played(Record, frozen=True):
    """A campaign that was played through."""

    steps: tuple[Step, ...]
    boards: tuple[Board, ...]
    """As visitors see them in the end."""

    @property
    def faults(self) -> tuple[Step, ...]:
        """What did not go as the definition says."""
        return tuple(step for step in self.steps if not step.as_expected)


def dry_run(
    folder: Path,
    *,
    teams: Sequence[str] = BASELINES,
    database: str = "",
    say: Callable[[Step], None] = lambda step: None,
) -> Played:
    """Play all phases of the campaign of a folder; ``say`` is told of every step at once."""
    clock = _Clock()
    with tempfile.TemporaryDirectory(prefix="corefbench-dry-run-") as state:
        platform = open_platform(folder, state=Path(state), database=database, clock=clock)
        try:
            play = _Play(platform, clock, say)
            play.enter(teams)
            for phase in sorted(platform.campaign.phases, key=lambda phase: phase.opens):
                play.phase(phase)
            return Played(steps=tuple(play.steps), boards=tuple(play.boards()))
        finally:
            platform.close()


class _Clock:
    """A clock that is set."""

    def __init__(self) -> None:
        self.time = datetime.max

    def __call__(self) -> datetime:
        return self.time


class _Play:
    """A play under way."""

    def __init__(self, platform: Platform, clock: _Clock, say: Callable[[Step], None]) -> None:
        self.platform, self.clock, self.say = platform, clock, say
        self.steps: list[Step] = []
        self.people: dict[str, Person] = {}
        self.now_in = ""

    def tell(self, who: str, what: str, as_expected: bool = True) -> None:
        """Note a step."""
        step = Step(
            time=written(self.clock()),
            phase=self.now_in,
            who=who,
            what=what,
            as_expected=as_expected,
        )
        self.steps.append(step)
        self.say(step)

    def enter(self, teams: Sequence[str]) -> None:
        """Every resolver registers a team, which is approved."""
        self.clock.time = min(phase.opens for phase in self.platform.campaign.phases) - _SECOND
        for number, name in enumerate(teams, start=1):
            self.people[name] = rehearsing.enter(self.platform, name, number)
            self.tell(name, "is a team, and approved")

    def phase(self, phase: Phase) -> None:
        """From a second before it opens to its publication."""
        self.now_in = phase.name
        for data in phase.data:
            task = self.platform.campaign.task(data.task)
            self.clock.time = phase.opens - _SECOND
            sent = {n: answers_of(task, data, self.platform.folder, n) for n in self.people}
            first = next(iter(self.people))
            self._refused(first, phase, data, sent[first], "CB302", "before it opens")
            self.clock.time = phase.opens
            for name, answers in sent.items():
                self._take_part(name, phase, data, answers)
            self._use_up(first, phase, data, sent[first])
            self.clock.time = phase.closes
            self._refused(first, phase, data, sent[first], "CB303", "when it has closed")
            self._look(phase, data)
        with self.platform.database.write() as connection:
            publish(connection, phase, person=None, now=self.clock())
        self.tell("organiser", "publishes the phase")
        for data in phase.data:
            self._look(phase, data)

    def boards(self) -> Iterator[Board]:
        """What visitors see in the end."""
        for phase in self.platform.campaign.phases:
            for data in phase.data:
                yield standings(self.platform, phase.name, data.task)

    def _take_part(self, name: str, phase: Phase, data: Data, answers: Answers) -> None:
        """Download, submit, and wait for the score."""
        if data.input:
            self._download(name, phase, data)
        taken = self._send(name, phase, data, answers)
        if isinstance(taken, Refusal):
            self.tell(name, f"{data.task}: is refused, {taken.code} {taken.message}", False)
            return
        while work_once(self.platform, stop=Event(), name="dry-run") is not None:
            pass
        seen = rehearsing.seen(self.platform, self.people[name], taken)
        told = f"{data.task}: submits; sees {rehearsing.words(seen)}"
        self.tell(name, told, seen.state == "scored")

    def _download(self, name: str, phase: Phase, data: Data) -> None:
        done = rehearsing.download(self.platform, self.people[name], phase, data)
        if isinstance(done, Refusal):
            self.tell(name, f"{data.task}: gets no data, {done.code} {done.message}", False)
            return
        closes = window_closes(phase, done.time)
        until = f"; its window closes at {written(closes)}" if closes is not None else ""
        self.tell(name, f"{data.task}: downloads{until}")

    def _send(self, name: str, phase: Phase, data: Data, answers: Answers) -> Submission | Refusal:
        return rehearsing.send(self.platform, self.people[name], phase, data, answers)

    def _refused(
        self, name: str, phase: Phase, data: Data, answers: Answers, code: str, when: str
    ) -> None:
        taken = self._send(name, phase, data, answers)
        found = taken.code if isinstance(taken, Refusal) else "taken"
        self.tell(name, f"{data.task}: submits {when}: {found}", found == code)

    def _use_up(self, name: str, phase: Phase, data: Data, answers: Answers) -> None:
        """Submit until the quota is used; what is taken is withdrawn, not scored."""
        most = min((q for q in (phase.quota.total, phase.quota.day) if q), default=0)
        if not 0 < most <= _MOST_TRIES:
            return
        for count in range(1, most + 1):
            taken = self._send(name, phase, data, answers)
            if isinstance(taken, Refusal):
                right = taken.code == "CB305" and count == most
                self.tell(name, f"{data.task}: submits {count} more: {taken.code}", right)
                return
            rehearsing.take_back(self.platform, self.people[name], taken)
        self.tell(name, f"{data.task}: has more submissions than its quota", False)

    def _look(self, phase: Phase, data: Data) -> None:
        """What participants and visitors see of the board now."""
        first = next(iter(self.people.values()))
        for role in ("participant", "visitor"):
            self._look_as(role, first.team or "" if role == "participant" else "", phase, data)

    def _look_as(self, role: Role, team: str, phase: Phase, data: Data) -> None:
        with self.platform.database.read() as connection:
            published = is_published(connection, phase.name)
        if not sees_board(role, phase, self.clock(), published=published):
            self.tell(role, f"{data.task}: sees no board")
            return
        board = standings(self.platform, phase.name, data.task, role=role, team=team)
        lines = ", ".join(f"{line.rank}. {line.team} {line.score:.2%}" for line in board.lines)
        over = "all documents" if board.share == "all" else "the public share"
        self.tell(role, f"{data.task}: sees the board over {over}: {lines}", bool(board.lines))


def require_faultless(played: Played) -> None:
    """An error where something did not go as the definition says."""
    if played.faults:
        raise VerificationFailed(
            "the campaign does not go as its definition says",
            found="; ".join(f"{step.who}: {step.what}" for step in played.faults[:5]),
        )
