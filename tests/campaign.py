"""Campaigns for tests, on SQLite and on PostgreSQL.

A test folder that wants the fixtures imports them in its ``conftest.py``::

    from tests.campaign import (  # noqa: F401
        campaign_folder, clock, cluster, database, database_url, migrated, platform,
    )

``database`` and ``platform`` are given twice, once with each database. Who needs a platform in
another process calls ``platform_of(folder, state, url, clock)`` there.
"""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from corefbench.campaign.domain.config import Campaign
from corefbench.campaign.domain.evaluation import DocumentRow, Evaluation, Failed, Invalid, Scored
from corefbench.campaign.domain.submissions import Refusal
from corefbench.campaign.platform import Clock, Platform
from corefbench.campaign.storage.database import Database, make_sqlite_url
from corefbench.campaign.storage.downloads import Download, record_download
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.migrations import upgrade_database
from corefbench.campaign.storage.queue import claim_next, record_outcome
from corefbench.campaign.storage.settings import get_secret
from corefbench.campaign.storage.submissions import NewSubmission, Submission, accept_submission
from corefbench.campaign.storage.tables import metadata
from corefbench.campaign.storage.users import User, register_team, set_team_state
from corefbench.scoring.measures.tally import Score
from tests.conll import conll
from tests.postgresql import Cluster

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""Where the clock stands at first: in the training phase."""
PASSWORD = "correct horse battery staple"
DOCUMENTS = 6

DEFINITION = """\
name = "tiny"
title = "A tiny campaign"
contact = "organisers@example.org"
description = "Six documents of eight words."
anonymity = "until-published"
approval = true
ranking = "best"

[[tasks]]
name = "coreference"
title = "Coreference"
scored = "conll-2012"
rank = "conll"

[[tasks]]
name = "links"
title = "Links only"
scored = "conll-2012"
rank = "lea"

[[phases]]
name = "training"
title = "Training"
opens = 2026-03-01T00:00:00Z
closes = 2026-03-15T00:00:00Z
blind = false
scores = "at-once"

[[phases.data]]
task = "coreference"
key = "data/training.key.conll"
input = "data/training.conll"
format = "conll"

[[phases]]
name = "test"
title = "Test"
opens = 2026-03-15T00:00:00Z
closes = 2026-03-22T00:00:00Z
blind = true
scores = "published"
window_hours = 48
public = 0.5
quota = { total = 3, day = 2 }

[[phases.data]]
task = "coreference"
key = "data/test.key.conll"
input = "data/test.conll"
format = "conll"

[[phases.data]]
task = "links"
key = "data/test.key.conll"
input = "data/test.conll"
format = "conll"
"""
_KEY = ("(0)", "-", "(1)", "(0)", "", "(1)", "-", "(0)", "(2)")
_NONE = tuple("-" if cell else "" for cell in _KEY)
_GOOD = ("(0)", "-", "(1)", "(0)", "", "(1)", "-", "(0)", "-")
_POOR = ("(0)", "-", "(1)", "-", "", "(0)", "-", "-", "(1)")


class MovableClock:
    """A clock that stands still until it is moved."""

    def __init__(self, time: datetime = START) -> None:
        self.time = time

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **length: float) -> datetime:
        """Let time go by: ``clock.forward(hours=1)``."""
        self.time += timedelta(**length)
        return self.time

    def set(self, time: datetime) -> datetime:
        self.time = time
        return time


def tiny_campaign() -> Campaign:
    return msgspec.toml.decode(DEFINITION, type=Campaign)


def write_campaign(folder: Path) -> Path:
    """The folder of the tiny campaign."""
    (folder / "data").mkdir(parents=True)
    (folder / "campaign.toml").write_text(DEFINITION)
    for phase in ("training", "test"):
        (folder / "data" / f"{phase}.key.conll").write_bytes(answers("key", phase))
        (folder / "data" / f"{phase}.conll").write_bytes(answers("none", phase))
    return folder


def answers(quality: str = "good", phase: str = "test", documents: int = DOCUMENTS) -> bytes:
    """Answers for the tiny campaign: ``key``, ``good``, ``poor`` or ``none``."""
    cells = {"key": _KEY, "good": _GOOD, "poor": _POOR, "none": _NONE}[quality]
    return b"".join(conll(*cells, name=f"{phase}/{number}") for number in range(documents))


def platform_of(folder: Path, state: Path, url: str, clock: Clock) -> Platform:
    """The tiny campaign, on a database whose tables are there."""
    database = Database(url)
    return Platform(
        campaign=tiny_campaign(),
        folder=folder,
        database=database,
        files=FileStore(state / "files"),
        secret=get_secret(database),
        clock=clock,
    )


@cache
def password_hash() -> str:
    """Of ``PASSWORD``: a cheap one."""
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


def enter(platform: Platform, team: str = "A-Team", *, approved: bool = True) -> User:
    """A team with one person, who is ``a-team@example.org`` and has the password ``PASSWORD``."""
    with platform.database.write() as connection:
        person = register_team(
            connection,
            email=f"{team.lower().replace(' ', '-')}@example.org",
            name=f"Member of {team}",
            password_hash=password_hash(),
            team_name=team,
            affiliation="Somewhere",
            now=platform.clock(),
            approved=False,
        )
        if approved:
            assert person.team
            set_team_state(connection, person.team, "approved", person=None, now=platform.clock())
        return person


def download(platform: Platform, person: User, phase: str = "test", task: str = "coreference") -> Download | Refusal:
    """Hand out the data of a phase, which opens the window."""
    data = platform.path(platform.campaign.phase(phase).data_of(task).input).read_bytes()
    with platform.database.write() as connection:
        return record_download(
            connection,
            platform.campaign,
            team=person.team or "",
            person=person.id,
            phase=phase,
            task=task,
            sha256=sha256(data).hexdigest(),
            bytes=len(data),
            now=platform.clock(),
        )


def submit(
    platform: Platform,
    person: User,
    data: bytes = b"answers",
    phase: str = "training",
    task: str = "coreference",
    **more: str,
) -> Submission | Refusal:
    """Send answers as the server does; ``more`` are label, file_name and request."""
    stored = platform.files.put(data)
    arrival = NewSubmission(
        team=person.team or "",
        person=person.id,
        phase=phase,
        task=task,
        sha256=stored.sha256,
        bytes=stored.bytes,
        **{"file_name": "answers.conll", **more},
    )
    with platform.database.write() as connection:
        return accept_submission(connection, platform.campaign, arrival, platform.clock())


def evaluation(headline: float, public: float | None = None) -> Evaluation:
    """Scores that nobody worked out, of three documents."""
    return Evaluation(
        signature="conll-2012|tests",
        scores={"lea": Score(recall=headline, precision=headline, f1=headline)},
        ranking="lea",
        headline=headline,
        public=headline if public is None else public,
        columns={"lea": ("recall_hits", "recall_total")},
        rows=tuple(
            DocumentRow(document=f"d{number}", counts={"lea": (headline, 1.0)}, answered=number < 2)
            for number in range(3)
        ),
        public_documents=("d0",),
    )


def score(platform: Platform, outcome: Scored | Invalid | Failed | float) -> Submission | None:
    """Do the work of a worker on the next of the queue; a number is a headline."""
    if isinstance(outcome, float):
        outcome = Scored(evaluation=evaluation(outcome))
    now, length = platform.clock(), timedelta(minutes=1)
    with platform.database.write() as connection:
        claimed = claim_next(connection, "tests", now, length)
    if claimed is None:
        return None
    kept = None
    if isinstance(outcome, Scored):
        kept = platform.files.put(msgspec.json.encode(outcome.evaluation))
    with platform.database.write() as connection:
        return record_outcome(connection, claimed.id, "tests", outcome, now, kept=kept)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Callable[[], Cluster]]:
    """The PostgreSQL of this run: started when it is first called for."""
    started: list[Cluster] = []

    def get() -> Cluster:
        if not started:
            started.append(Cluster())
        return started[0]

    yield get
    for one in started:
        one.stop()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, cluster: Callable[[], Cluster]) -> Callable[[str], str]:
    """Databases with tables and nothing in them: a file to copy, or a name to empty."""

    @cache
    def get(kind: str) -> str:
        name = str(tmp_path_factory.mktemp("migrated") / "campaign.db") if kind == "sqlite" else cluster().create()
        url = make_sqlite_url(Path(name)) if kind == "sqlite" else cluster().url(name)
        database = Database(url)
        upgrade_database(database)
        database.close()
        return name

    return get


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(
    request: pytest.FixtureRequest, tmp_path: Path, migrated: Callable[[str], str], cluster: Callable[[], Cluster]
) -> Iterator[str]:
    """The URL of a database with tables and nothing in them."""
    template = migrated(request.param)
    if request.param == "sqlite":
        path = tmp_path / "state" / "campaign.db"
        path.parent.mkdir(exist_ok=True)
        shutil.copyfile(template, path)
        yield make_sqlite_url(path)
        return
    url = cluster().url(template)
    _empty(url)
    yield url


def _empty(url: str) -> None:
    """Far quicker than a new database for every test."""
    database = Database(url)
    with database.write() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())
    database.close()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def campaign_folder(tmp_path: Path) -> Path:
    return write_campaign(tmp_path / "tiny")


@pytest.fixture
def platform(database_url: str, campaign_folder: Path, tmp_path: Path, clock: MovableClock) -> Iterator[Platform]:
    """The tiny campaign: phases ``training`` and ``test``, its clock is the fixture ``clock``."""
    opened = platform_of(campaign_folder, tmp_path / "state", database_url, clock)
    yield opened
    opened.close()
