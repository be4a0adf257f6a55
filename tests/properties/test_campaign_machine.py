"""R7: whatever teams, workers, organisers and the clock do, in whatever order.

No quota is exceeded, no score is seen before its time, every board is the one that is worked out
from scratch, and the database has just what the model of the campaign has.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from corefbench.campaign.domain.config import Campaign, Data, Phase, Quota
from corefbench.campaign.domain.evaluation import Evaluation, Failed, Invalid, Scored
from corefbench.campaign.domain.submissions import Refusal
from corefbench.campaign.domain.visibility import ROLES
from corefbench.campaign.jobs.scoring import score_answers
from corefbench.campaign.leaderboard import build_board
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage import queue, submissions, users
from corefbench.campaign.storage.settings import publish, set_frozen
from corefbench.campaign.storage.tables import metadata
from corefbench.campaign.storage.users import get_pseudonyms
from corefbench.diagnostics import Finding
from corefbench.errors import UsageError
from corefbench.formats.load import load
from corefbench.scoring.api import score
from tests.campaign import (
    DOCUMENTS,
    START,
    MovableClock,
    answers,
    download,
    enter,
    submit,
    tiny_campaign,
    write_campaign,
)
from tests.properties.campaign_model import Model, ModelSubmission, ModelTeam

LEASE = timedelta(minutes=10)
TEAMS = 4
WORKERS = ("w1", "w2")
ANSWERS = ("key key", "key poor", "poor good", "good none")
"""The quality of the first half of the documents, and of the second."""
BAD = Finding(code="CB104", severity="error", message="a bracket is closed")
TICK = timedelta(microseconds=1)
STEPS = [TICK, timedelta(minutes=5), timedelta(minutes=10), timedelta(hours=7)]
OUTCOMES = (*ANSWERS, *ANSWERS, "invalid", "failed", "failed")
NUMBERS = st.integers(0, 2**16)
OFTEN = ["submit None", "submit CB303", "submit CB305", "look refused"]
SELDOM = [
    *(f"submit CB30{number}" for number in (1, 2, 4, 6)),
    *(f"look {role} all 2" for role in ROLES),
    *("look participant public 1", "look participant public 2"),
    *("lost queued", "lost failed", "requeue failed None", "requeue failed CB305"),
    *("requeue scored None", "requeue withdrawn CB307", "requeue scoring None"),
    *("finish queued 2", "finish failed 3", "finish scored 1", "finish invalid 1"),
    *("submit again True", "submit again False", "window ends True", "window ends False"),
]


def machine_campaign() -> Campaign:
    """The tiny campaign with one phase more, which others overlap."""
    tiny = tiny_campaign()
    training = msgspec.structs.replace(tiny.phases[0], quota=Quota(day=3), public=0.5)
    rehearsal = Phase(
        name="rehearsal",
        title="Rehearsal",
        opens=datetime(2026, 3, 3, tzinfo=UTC),
        closes=datetime(2026, 3, 8, tzinfo=UTC),
        data=(Data(task="coreference", key="data/test.key.conll", input="data/test.conll"),),
        scores="at-close",
        quota=Quota(total=4),
        public=0.5,
    )
    test = msgspec.structs.replace(
        tiny.phases[1], opens=datetime(2026, 3, 5, tzinfo=UTC), closes=datetime(2026, 3, 10, tzinfo=UTC)
    )
    return msgspec.structs.replace(tiny, phases=(training, rehearsal, test))


STARTS = [START, *(START + timedelta(days=days) for days in (2, 4, 5))]
PLACES = [(phase.name, data.task) for phase in machine_campaign().phases for data in phase.data]


def mixed(name: str, phase: str) -> bytes:
    """Answers that are not as good everywhere, so that the public share has another score."""
    first, second = name.split()
    half = DOCUMENTS // 2
    return answers(first, phase, half) + answers(second, phase)[len(answers(second, phase, half)) :]


class Evaluated:
    """The answers that teams send, scored once for all: through the campaign, and apart from it."""

    def __init__(self, folder: Path) -> None:
        self.evaluations: dict[tuple[str, str, str], Evaluation] = {}
        self.scores: dict[tuple[str, str], dict[str, tuple[float, float]]] = {}
        campaign = machine_campaign()
        for phase_name, task_name in PLACES:
            phase, task = campaign.phase(phase_name), campaign.task(task_name)
            data = phase.data_of(task_name)
            key = load(folder / data.key)
            for name in ANSWERS:
                path = folder / "answers.conll"
                path.write_bytes(mixed(name, Path(data.key).name.split(".")[0]))
                corpus = load(path)
                made = score_answers(task, key, corpus, phase.public)
                result = score(key, corpus, "conll-2012")
                whole = result.conll.f1 if task.rank == "conll" else result["lea"].f1
                assert made.headline == pytest.approx(whole, abs=1e-12)
                assert name == "key key" or abs(made.headline - made.public) > 0.01
                self.evaluations[phase_name, task_name, name] = made
                self.scores.setdefault((phase_name, task_name), {})[name] = (whole, made.public)


def _numbers() -> Callable[[int], str]:
    """Numbers of rows that are the same whenever a campaign is played again."""
    given = itertools.count()
    return lambda length=8: sha256(b"%d" % next(given)).hexdigest()[: 2 * length]


class CampaignMachine(RuleBasedStateMachine):
    """Everybody at once; what is to be seen is worked out by the model."""

    def __init__(self, platform: Platform, clock: MovableClock, evaluated: Evaluated, seen: Counter[str]) -> None:
        super().__init__()
        self.platform, self.clock, self.evaluated = platform, clock, evaluated
        self.seen = seen
        """What has happened in all campaigns, by its name."""
        with platform.database.write() as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(table.delete())
        clock.set(START)
        self.numbers = patch("secrets.token_hex", _numbers())
        self.numbers.start()
        self.model = Model(campaign=platform.campaign)
        for _ in range(2):
            self.apply()
            self.judge(0, "approved")

    @initialize(start=st.sampled_from(STARTS))
    def begin(self, start: datetime) -> None:
        self.clock.set(start)

    def teardown(self) -> None:
        self.numbers.stop()

    @precondition(lambda self: len(self.model.teams) < TEAMS)
    @rule()
    def apply(self) -> None:
        number = len(self.model.teams)
        person = enter(self.platform, f"Team {number}", approved=False)
        with self.platform.database.read() as connection:
            team = users.get_team(connection, person.team or "")
        assert team is not None
        made = ModelTeam(id=team.id, name=team.name, person=person.id)
        self.model.teams[team.id] = made

    @rule(number=NUMBERS, state=st.sampled_from(["approved"] * 4 + ["refused"]))
    def judge(self, number: int, state: str) -> None:
        team = self.team(-1 - number)
        with self.platform.database.write() as connection:
            users.set_team_state(connection, team.id, state, person=None, now=self.clock())
        team.state = state

    @rule(step=st.sampled_from(STEPS))
    def time_goes_by(self, step: timedelta) -> None:
        self.clock.time += step

    @rule(number=NUMBERS, early=st.booleans(), busy=st.booleans())
    def time_comes(self, number: int, early: bool, busy: bool) -> None:
        """To the very moment at which something changes, or just before it; then all are busy."""
        moments = [time for phase in self.model.campaign.phases for time in
                   (phase.opens, phase.closes)]  # fmt: skip
        moments += [time for team in self.model.teams.values() for time in team.windows.values()]
        moments += [one.lease for one in self.held() if one.lease is not None]
        ahead = sorted({time for time in moments if time - TICK > self.clock()})
        if ahead:
            self.clock.set(ahead[number % min(2, len(ahead))] - early * TICK)
        if busy:
            self.seen["busy at a moment"] += 1
            self.requeue_lost()
            for place in PLACES:
                for team in range(len(self.model.teams)):
                    self.submit(team, place, b"c", None)

    @precondition(lambda self: self.windows())
    @rule(number=NUMBERS, early=st.booleans())
    def window_ends(self, number: int, early: bool) -> None:
        """To the very end of a team's window, or just before it; then the team sends answers."""
        closes, team, place = self.windows()[number % len(self.windows())]
        self.clock.set(closes - early * TICK)
        self.submit(team, place, b"d", None)
        self.seen[f"window ends {early}"] += 1

    @rule(number=NUMBERS, place=st.sampled_from(PLACES))
    def download(self, number: int, place: tuple[str, str]) -> None:
        team, phase = self.team(number), self.phase(place)
        expected = self.model.download_refusal(team, phase, self.clock())
        got = download(self.platform, self.person(team), *place)
        assert (got.code if isinstance(got, Refusal) else None) == expected
        if expected is None:
            self.model.open_window(team, phase, place[1], self.clock())

    @rule(
        number=NUMBERS,
        place=st.sampled_from(PLACES),
        data=st.sampled_from([b"a", b"b"]),
        request=st.sampled_from([None, None, None, "r0", "r1"]),
    )
    def submit(self, number: int, place: tuple[str, str], data: bytes, request: str | None) -> None:
        team, phase = self.team(number), self.phase(place)
        more = {} if request is None else {"request": request}
        got = submit(self.platform, self.person(team), data, *place, **more)
        before = [
            one for one in self.model.submissions.values() if request and (one.team, one.request) == (team.id, request)
        ]
        if before:
            same = (before[0].phase, before[0].task) == place
            same = same and before[0].sha256 == self.platform.files.put(data).sha256
            self.seen[f"submit again {same}"] += 1
            assert got.id == before[0].id if same else got.code == "CB318"
            return
        expected = self.model.refusal(team, phase, place[1], self.clock())
        self.seen[f"submit {expected}"] += 1
        assert (got.code if isinstance(got, Refusal) else None) == expected
        if isinstance(got, submissions.Submission):
            assert got.received == self.clock()
            self.model.submissions[got.id] = ModelSubmission(
                id=got.id,
                team=team.id,
                phase=phase.name,
                task=place[1],
                sha256=got.sha256,
                received=self.clock(),
                request=request,
            )

    @rule(first=NUMBERS, teams=st.integers(1, TEAMS), where=NUMBERS, data=st.sampled_from([b"a", b"b"]))
    def send(self, first: int, teams: int, where: int, data: bytes) -> None:
        """Several teams take part in what is open, as they should."""
        now = self.clock()
        places = [place for place in PLACES if self.phase(place).opens <= now]
        places = [place for place in places if now < self.phase(place).closes]
        for number in range(first, first + teams * bool(places)):
            place = places[where % len(places)]
            if place not in self.team(number).windows:
                self.download(number, place)
            self.submit(number, place, data, None)

    @rule(
        outcomes=st.lists(st.sampled_from(OUTCOMES), min_size=2, max_size=8),
        role=st.sampled_from(ROLES),
        number=NUMBERS,
    )
    def score_some(self, outcomes: list[str], role: str, number: int) -> None:
        """A worker does what it should, and somebody looks at what has come of it."""
        for outcome in outcomes:
            for one in self.model.queue()[:1]:
                self.claim("w0")
                self.finish(self.held().index(one), "w0", outcome)
        self.look(role, number, PLACES[0], True)

    @rule(worker=st.sampled_from(WORKERS))
    def claim(self, worker: str) -> None:
        with self.platform.database.write() as connection:
            got = queue.claim_next(connection, worker, self.clock(), LEASE)
        waiting = self.model.queue()
        assert (got and got.id) == (waiting[0].id if waiting else None)
        if waiting:
            one = waiting[0]
            one.state, one.worker, one.lease = "scoring", worker, self.clock() + LEASE
            one.attempts += 1

    @precondition(lambda self: self.model.submissions)
    @rule(number=NUMBERS, worker=st.sampled_from(WORKERS))
    def heartbeat(self, number: int, worker: str) -> None:
        one = self.submission(number, held=True)
        with self.platform.database.write() as connection:
            alive = queue.extend_lease(connection, one.id, worker, self.clock(), LEASE)
        assert alive == (one.worker == worker)
        if alive:
            one.lease = self.clock() + LEASE

    @precondition(lambda self: self.model.submissions)
    @rule(number=NUMBERS, worker=st.sampled_from((*WORKERS, None)), outcome=st.sampled_from(OUTCOMES))
    def finish(self, number: int, worker: str | None, outcome: str) -> None:
        one = self.submission(number, held=True)
        worker = worker or one.worker or ""
        done, kept = self.outcome(one, outcome), None
        if isinstance(done, Scored):
            kept = self.platform.files.put(msgspec.json.encode(done.evaluation))
        with self.platform.database.write() as connection:
            got = queue.record_outcome(connection, one.id, worker, done, self.clock(), kept=kept)
        assert (got is not None) == (one.state == "scoring" and one.worker == worker)
        if got is None:
            return
        one.worker = one.lease = None
        if outcome == "failed":
            self.model.tried(one, queue.MAX_ATTEMPTS)
        elif outcome == "invalid":
            one.state, one.answers = "invalid", None
        else:
            one.state, one.answers = "scored", outcome
        self.seen[f"finish {one.state} {one.attempts}"] += 1

    @precondition(lambda self: self.held())
    @rule(number=NUMBERS)
    def stop_worker(self, number: int) -> None:
        one = self.held()[number % len(self.held())]
        with self.platform.database.write() as connection:
            assert queue.release_lease(connection, one.id, one.worker or "", self.clock())
        one.state, one.worker, one.lease = "queued", None, None
        one.attempts -= 1

    @rule()
    def requeue_lost(self) -> None:
        lost = [one for one in self.held() if one.lease and not self.clock() < one.lease]
        with self.platform.database.write() as connection:
            got = queue.requeue_expired(connection, self.clock())
        assert {one.id for one in got} == {one.id for one in lost}
        for one in lost:
            self.model.tried(one, queue.MAX_ATTEMPTS)
            self.seen[f"lost {one.state}"] += 1

    @precondition(lambda self: self.model.queue())
    @rule(times=st.sampled_from([1, 1, queue.MAX_ATTEMPTS]))
    def lose(self, times: int) -> None:
        """A worker dies, and another, on the same submission."""
        for _ in range(times):
            self.claim("w0")
            self.clock.time += LEASE
            self.requeue_lost()

    @precondition(lambda self: self.model.submissions)
    @rule(number=NUMBERS, deed=st.sampled_from(["withdraw", "disqualify"]))
    def end(self, number: int, deed: str) -> None:
        one = self.submission(number)
        reason = {"reason": "copied"} if deed == "disqualify" else {}
        code = self.code(getattr(submissions, f"{deed}_submission"), one.id, person=None, **reason)
        ended = one.state in ("withdrawn", "disqualified", "failed")
        assert code == ("CB307" if ended else None)
        if code is not None:
            return
        one.state = {"withdraw": "withdrawn", "disqualify": "disqualified"}[deed]
        one.worker = one.lease = None

    @precondition(lambda self: self.model.submissions)
    @rule(number=NUMBERS)
    def requeue(self, number: int) -> None:
        one = self.submission(number)
        phase, expected = self.model.campaign.phase(one.phase), None
        if one.state not in ("scored", "invalid", "failed", "scoring"):
            expected = "CB307"
        elif one.state == "failed" and not self.model.has_place(one.team, phase, one.task, one.received):
            expected = "CB305"
        got = self.code(submissions.requeue_submission, self.model.campaign, one.id, person=None)
        self.seen[f"requeue {one.state} {got}"] += 1
        assert got == expected
        if expected is None:
            one.state, one.attempts, one.worker, one.lease = "queued", 0, None, None

    @precondition(lambda self: self.failed())
    @rule(number=NUMBERS)
    def use_refund(self, number: int) -> None:
        """A team uses the place that it was given back; then the old one is to be scored again."""
        one = self.failed()[number % len(self.failed())]
        for _ in range(4):
            self.submit(list(self.model.teams).index(one.team), (one.phase, one.task), b"e", None)
        self.requeue(list(self.model.submissions).index(one.id))

    @rule(frozen=st.sampled_from([False] * 4 + [True]))
    def freeze(self, frozen: bool) -> None:
        with self.platform.database.write() as connection:
            set_frozen(connection, frozen, person=None, now=self.clock())
        self.model.frozen = frozen

    @rule(place=st.sampled_from(PLACES))
    def publish(self, place: tuple[str, str]) -> None:
        phase = self.phase(place)
        code = self.code(publish, phase, person=None)
        assert code == ("CB315" if self.clock() < phase.closes else None)
        if code is None:
            self.model.published.add(phase.name)

    @rule(role=st.sampled_from(ROLES), number=NUMBERS, place=st.sampled_from(PLACES), scored=st.booleans())
    def look(self, role: str, number: int, place: tuple[str, str], scored: bool) -> None:
        full = [(one.phase, one.task) for one in self.model.submissions.values() if one.answers]
        place = full[number % len(full)] if scored and full else place
        phase = self.phase(place)
        team = self.team(number).id if role == "participant" else ""
        try:
            board = build_board(self.platform, *place, role=role, team=team)
        except UsageError:
            self.seen["look refused"] += 1
            assert not self.model.sees_board(role, phase, self.clock())
            return
        self.seen[f"look {role} {board.share} {min(len(board.lines), 2)}"] += 1
        assert self.model.sees_board(role, phase, self.clock())
        expected = self.model.board(role, team, phase, place[1], self.evaluated.scores[place])
        assert [(line.rank, line.team) for line in board.lines] == [(rank, name) for rank, name, _ in expected]
        assert [line.score for line in board.lines] == pytest.approx([score for *_, score in expected], abs=1e-12)

    @invariant()
    def a_step_is_done(self) -> None:
        self.seen["step"] += 1

    @invariant()
    def the_database_is_as_the_model(self) -> None:
        with self.platform.database.read() as connection:
            found = submissions.list_submissions(connection, None)
        assert {one.id: (one.state, one.attempts, one.worker, one.lease, one.received) for one in found} == {
            one.id: (one.state, one.attempts, one.worker, one.lease, one.received)
            for one in self.model.submissions.values()
        }
        scored = {one.id for one in self.model.submissions.values() if one.answers is not None}
        assert {one.id for one in found if one.evaluation is not None} == scored

    @invariant()
    def pseudonyms_stay_and_are_given_once(self) -> None:
        with self.platform.database.read() as connection:
            found = get_pseudonyms(connection)
        assert set(found) == {(one.team, one.phase) for one in self.model.submissions.values()}
        assert len(set(found.values())) == len(found)
        assert self.model.pseudonyms.items() <= found.items()
        self.model.pseudonyms = found

    @invariant()
    def no_quota_is_exceeded(self) -> None:
        for phase, task in PLACES:
            quota = self.model.campaign.phase(phase).quota
            for team in self.model.teams:
                used = [one.received.date() for one in self.model.charged(team, phase, task)]
                assert not quota.total or len(used) <= quota.total
                assert not quota.day or all(used.count(day) <= quota.day for day in used)

    def code(self, deed: Callable[..., object], *given: object, **more: object) -> str | None:
        """Do it in a transaction; the code with which it is refused."""
        try:
            with self.platform.database.write() as connection:
                got = deed(connection, *given, now=self.clock(), **more)
        except UsageError as error:
            return error.code
        return got.code if isinstance(got, Refusal) else None

    def team(self, number: int) -> ModelTeam:
        return list(self.model.teams.values())[number % len(self.model.teams)]

    def person(self, team: ModelTeam) -> users.User:
        with self.platform.database.read() as connection:
            return next(u for u in users.list_users(connection) if u.id == team.person)

    def phase(self, place: tuple[str, str]) -> Phase:
        return self.model.campaign.phase(place[0])

    def held(self) -> list[ModelSubmission]:
        return [one for one in self.model.submissions.values() if one.state == "scoring"]

    def failed(self) -> list[ModelSubmission]:
        return [one for one in self.model.submissions.values() if one.state == "failed"]

    def windows(self) -> list[tuple[datetime, int, tuple[str, str]]]:
        """The windows that end later: when, whose and what for."""
        return [
            (closes, number, place)
            for number, team in enumerate(self.model.teams.values())
            for place, closes in team.windows.items()
            if closes - TICK > self.clock()
        ]

    def submission(self, number: int, *, held: bool = False) -> ModelSubmission:
        """Some submission; of those that are being scored, if there are any and it matters."""
        known = (self.held() if held else []) or list(self.model.submissions.values())
        return known[number % len(known)]

    def outcome(self, one: ModelSubmission, name: str) -> Scored | Invalid | Failed:
        if name == "invalid":
            return Invalid(findings=(BAD,))
        if name == "failed":
            return Failed(reason="no memory")
        return Scored(evaluation=self.evaluated.evaluations[one.phase, one.task, name])


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Evaluated:
    return Evaluated(write_campaign(tmp_path_factory.mktemp("evaluated") / "tiny"))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_campaign_is_as_its_model(platform: Platform, clock: MovableClock, evaluated: Evaluated) -> None:
    seen = play(platform, clock, evaluated, campaigns=15, steps=50)
    assert seen["step"] >= 300
    assert all(seen[what] for what in OFTEN), seen


@pytest.mark.slow
def test_a_campaign_is_as_its_model_for_50_000_steps(
    platform: Platform, clock: MovableClock, evaluated: Evaluated
) -> None:
    seen: Counter[str] = Counter()
    while seen["step"] < 50_000:
        seen += play(platform, clock, evaluated, campaigns=100, steps=100, by_lot=True)
    assert all(seen[what] for what in OFTEN + SELDOM), seen


def play(
    platform: Platform, clock: MovableClock, evaluated: Evaluated, *, campaigns: int, steps: int, by_lot: bool = False
) -> Counter[str]:
    """So many campaigns of so many steps; what has happened, and how often."""
    seen: Counter[str] = Counter()
    chosen = settings(
        max_examples=campaigns,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=not by_lot,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(
        functools.partial(
            CampaignMachine, msgspec.structs.replace(platform, campaign=machine_campaign()), clock, evaluated, seen
        ),
        settings=chosen,
    )
    return seen
