"""Rehearse a campaign before it opens: all phases, with resolvers as teams.

It uses a temporary state and a clock that is moved from phase to phase; scoring is done as it will
be, in the sandbox. It reports what participants will see, and that what comes too early, too late
or too often is refused.
"""

import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

from corefbench.campaign.domain.config import Data, Phase, Task
from corefbench.campaign.domain.ranking import get_are_task_number
from corefbench.campaign.domain.submissions import Refusal, compute_window_end
from corefbench.campaign.domain.times import format_time
from corefbench.campaign.domain.visibility import Role, can_see_board
from corefbench.campaign.jobs.worker import score_next
from corefbench.campaign.leaderboard import Board, build_board
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.storage.downloads import record_download
from corefbench.campaign.storage.settings import is_published, publish
from corefbench.campaign.storage.submissions import (
    NewSubmission,
    Submission,
    accept_submission,
    get_submission,
    withdraw_submission,
)
from corefbench.campaign.storage.users import User, register_team
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.submissions import SubmissionStatus, submission_status
from corefbench.corpus.corpus import Corpus
from corefbench.errors import VerificationFailed
from corefbench.formats import make as make_format
from corefbench.formats.capabilities import fit_to_format
from corefbench.formats.load import detect_format, load
from corefbench.formats.source import Source
from corefbench.records import Record

BASELINES = ("most-recent", "same-head(pronouns=true)", "all-in-one")
_PREPROCESS = "en-words"  # needs no model: that there are answers matters, not how good they are
_SECOND = timedelta(seconds=1)
_MAX_QUOTA = 50
"""Larger quotas are not used up."""


class Step(Record, frozen=True):
    """Something that happens in the rehearsal."""

    time: str
    phase: str
    who: str
    what: str
    as_expected: bool = True


class DryRun(Record, frozen=True):
    """The protocol of a rehearsal."""

    steps: tuple[Step, ...]
    boards: tuple[Board, ...]
    """As visitors see them in the end."""

    @property
    def faults(self) -> tuple[Step, ...]:
        """Steps that differ from what the configuration says."""
        return tuple(step for step in self.steps if not step.as_expected)


class Answers(Record, frozen=True):
    """A file of answers."""

    file_name: str
    content: bytes


def dry_run(
    folder: Path,
    *,
    teams: Sequence[str] = BASELINES,
    database: str = "",
    on_step: Callable[[Step], None] = lambda step: None,
) -> DryRun:
    """Rehearse all phases of the campaign of a folder; ``on_step`` is called with every step."""
    clock = _Clock()
    with tempfile.TemporaryDirectory(prefix="corefbench-dry-run-") as state:
        platform = open_platform(folder, state=Path(state), database=database, clock=clock)
        try:
            rehearsal = _Rehearsal(platform, clock, on_step)
            rehearsal.register(teams)
            for phase in sorted(platform.campaign.phases, key=lambda phase: phase.opens):
                rehearsal.run_phase(phase)
            return DryRun(steps=tuple(rehearsal.steps), boards=tuple(rehearsal.list_boards()))
        finally:
            platform.close()


def require_faultless(result: DryRun) -> None:
    """Raise if something differs from what the configuration says."""
    if result.faults:
        raise VerificationFailed(
            "the campaign does not go as its configuration says",
            found="; ".join(f"{step.who}: {step.what}" for step in result.faults[:5]),
        )


class _Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime.max

    def __call__(self) -> datetime:
        return self.time


class _Rehearsal:
    """A rehearsal in progress: its teams do what the pages would let them do."""

    def __init__(self, platform: Platform, clock: _Clock, on_step: Callable[[Step], None]) -> None:
        self.platform, self.clock, self.on_step = platform, clock, on_step
        self.steps: list[Step] = []
        self.users: dict[str, User] = {}
        self.current_phase = ""

    def record(self, who: str, what: str, as_expected: bool = True) -> None:
        """Add a step to the protocol."""
        step = Step(
            time=format_time(self.clock()), phase=self.current_phase, who=who, what=what, as_expected=as_expected
        )
        self.steps.append(step)
        self.on_step(step)

    def register(self, teams: Sequence[str]) -> None:
        """Register an approved team for every resolver."""
        self.clock.time = min(phase.opens for phase in self.platform.campaign.phases) - _SECOND
        for number, name in enumerate(teams, start=1):
            with self.platform.database.write() as connection:
                self.users[name] = register_team(
                    connection,
                    email=f"team-{number}@dry-run.invalid",
                    name=name,
                    password_hash="",
                    team_name=name,
                    affiliation="corefbench",
                    now=self.clock(),
                    approved=True,
                )
            self.record(name, "is a team, and approved")

    def run_phase(self, phase: Phase) -> None:
        """Run a phase from a second before it opens to its publication."""
        self.current_phase = phase.name
        for data in phase.data:
            task = self.platform.campaign.task(data.task)
            self.clock.time = phase.opens - _SECOND
            answers = {name: make_answers(task, data, self.platform.folder, name) for name in self.users}
            first = next(iter(self.users))
            self._expect_refusal(first, phase, data, answers[first], "CB302", "before it opens")
            self.clock.time = phase.opens
            for name, file in answers.items():
                self._take_part(name, phase, data, file)
            self._exhaust_quota(first, phase, data, answers[first])
            self.clock.time = phase.closes
            self._expect_refusal(first, phase, data, answers[first], "CB303", "when it has closed")
            self._look_at_board(phase, data)
        with self.platform.database.write() as connection:
            publish(connection, phase, person=None, now=self.clock())
        self.record("organiser", "publishes the phase")
        for data in phase.data:
            self._look_at_board(phase, data)

    def list_boards(self) -> Iterator[Board]:
        """Yield the boards that visitors see in the end."""
        for phase in self.platform.campaign.phases:
            for data in phase.data:
                yield build_board(self.platform, phase.name, data.task)

    def _take_part(self, name: str, phase: Phase, data: Data, answers: Answers) -> None:
        """Download, submit, and wait for the score."""
        if data.input:
            self._download(name, phase, data)
        accepted = self._submit(name, phase, data, answers)
        if isinstance(accepted, Refusal):
            self.record(name, f"{data.task}: is refused, {accepted.code} {accepted.message}", False)
            return
        while score_next(self.platform, stop=Event(), name="dry-run") is not None:
            pass
        status = self._get_status(name, accepted)
        what = f"{data.task}: submits; sees {_describe_status(status)}"
        self.record(name, what, status.state == "scored")

    def _download(self, name: str, phase: Phase, data: Data) -> None:
        user = self.users[name]
        stored = self.platform.files.put(self.platform.path(data.input).read_bytes())
        with self.platform.database.write() as connection:
            download = record_download(
                connection,
                self.platform.campaign,
                team=user.team or "",
                person=user.id,
                phase=phase.name,
                task=data.task,
                sha256=stored.sha256,
                bytes=stored.bytes,
                now=self.clock(),
            )
        if isinstance(download, Refusal):
            self.record(name, f"{data.task}: gets no data, {download.code} {download.message}", False)
            return
        closes = compute_window_end(phase, download.time)
        until = f"; its window closes at {format_time(closes)}" if closes is not None else ""
        self.record(name, f"{data.task}: downloads{until}")

    def _submit(self, name: str, phase: Phase, data: Data, answers: Answers) -> Submission | Refusal:
        user = self.users[name]
        stored = self.platform.files.put(answers.content)
        submission = NewSubmission(
            team=user.team or "",
            person=user.id,
            phase=phase.name,
            task=data.task,
            label=user.name,
            file_name=answers.file_name,
            sha256=stored.sha256,
            bytes=stored.bytes,
        )
        with self.platform.database.write() as connection:
            return accept_submission(connection, self.platform.campaign, submission, self.clock())

    def _get_status(self, name: str, submission: Submission) -> SubmissionStatus:
        user = self.users[name]
        visitor = Visitor(role="participant", person=user.id, team=user.team or "")
        with self.platform.database.read() as connection:
            current = get_submission(connection, submission.id) or submission
            return submission_status(self.platform, connection, visitor, current, errors=True)

    def _expect_refusal(self, name: str, phase: Phase, data: Data, answers: Answers, code: str, when: str) -> None:
        accepted = self._submit(name, phase, data, answers)
        result = accepted.code if isinstance(accepted, Refusal) else "taken"
        self.record(name, f"{data.task}: submits {when}: {result}", result == code)

    def _exhaust_quota(self, name: str, phase: Phase, data: Data, answers: Answers) -> None:
        """Submit until the quota is used; what is accepted is withdrawn, not scored."""
        quota = min((q for q in (phase.quota.total, phase.quota.day) if q), default=0)
        if not 0 < quota <= _MAX_QUOTA:
            return
        for count in range(1, quota + 1):
            accepted = self._submit(name, phase, data, answers)
            if isinstance(accepted, Refusal):
                as_expected = accepted.code == "CB305" and count == quota
                what = f"{data.task}: submits {count} more: {accepted.code}"
                self.record(name, what, as_expected)
                return
            with self.platform.database.write() as connection:
                withdraw_submission(connection, accepted.id, person=self.users[name].id, now=self.clock())
        self.record(name, f"{data.task}: has more submissions than its quota", False)

    def _look_at_board(self, phase: Phase, data: Data) -> None:
        """Record what participants and visitors see of the board now."""
        first = next(iter(self.users.values()))
        self._look_as("participant", first.team or "", phase, data)
        self._look_as("visitor", "", phase, data)

    def _look_as(self, role: Role, team: str, phase: Phase, data: Data) -> None:
        with self.platform.database.read() as connection:
            published = is_published(connection, phase.name)
        if not can_see_board(role, phase, self.clock(), published=published):
            self.record(role, f"{data.task}: sees no board")
            return
        board = build_board(self.platform, phase.name, data.task, role=role, team=team)
        lines = ", ".join(f"{line.rank}. {line.team} {line.score:.2%}" for line in board.lines)
        over = "all documents" if board.share == "all" else "the public share"
        what = f"{data.task}: sees the board over {over}: {lines}"
        self.record(role, what, bool(board.lines))


def _describe_status(status: SubmissionStatus) -> str:
    if status.state != "scored":
        return f"{status.state}: {status.message}"
    if status.result is None:
        return "that it is scored, no score yet"
    errors = " and its errors" if status.errors is not None else ""
    share = "" if status.result.share == "all" else " over the public share"
    return f"{status.result.ranking} {status.result.headline:.2%}{share}{errors}"


def make_answers(task: Task, data: Data, folder: Path, resolver: str) -> Answers:
    """Return what a resolver answers, in the format of the key."""
    number = get_are_task_number(task)
    key = load(folder / data.key, format=data.format or None)
    if number:
        content = _make_are_answers(number, key, resolver)
        return Answers(file_name=f"{task.name}.xml", content=content)
    format_name = data.format or detect_format(Source.of(folder / data.key)).card.name
    content = _make_corpus_answers(key, format_name, resolver)
    return Answers(file_name=f"{task.name}.{format_name}", content=content)


def _make_are_answers(number: int, key: Corpus, resolver: str) -> bytes:
    from corefbench.tasks.are.files import answers_file
    from corefbench.tasks.are.make import make_task_corpus
    from corefbench.tasks.are.run import run_task

    result = run_task(number, key, [resolver], preprocess=_PREPROCESS, cache=False)
    (answers,) = result.answers.values()
    return answers_file(make_task_corpus(key, number), number, answers)


def _make_corpus_answers(key: Corpus, format: str, resolver: str) -> bytes:
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import read_discourses, resolve_each
    from corefbench.resolvers.response import answer_corpus

    discourses = read_discourses(key, preprocess=_PREPROCESS, keep="sentences")
    response = answer_corpus(key, resolve_each(make(resolver), discourses))
    writer = make_format(format)
    stream = io.BytesIO()
    writer.write(fit_to_format(response, writer.card.holds), stream)
    return stream.getvalue()
