"""R9: uploads within two seconds of a deadline, every one by the stated rule, the receipt agrees.

With a clock that is moved, 1,000 are sent at all edges that there are: the opening and the end of
a phase and the end of a team's window, exactly then and a microsecond before and after. Some are
sent to a server with the machine's own clock, their last byte just before or after the deadline.
"""

import asyncio
import random
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from corefbench.campaign.domain.submissions import Receipt, is_genuine
from corefbench.campaign.domain.times import format_time
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.storage.downloads import Download, get_window_end, record_download
from corefbench.campaign.storage.submissions import get_submission, list_submissions
from corefbench.campaign.views.app import create_app
from tests.campaign import MovableClock, answers, enter
from tests.campaign_visits import connected, token
from tests.load.people import Answered, send
from tests.load.server import campaign_until, serving
from tests.load.test_many_people import Someone, content, register

EDGES = tuple(timedelta(microseconds=n) for n in (0, -1, 1, -2, 2, -1_000, 1_000, -2_000_000, 2_000_000))
SPREAD = 2_000_000
TOLD = re.compile(r"closed at (\S+Z); this arrived at (\S+Z)")
"""What a refusal says of the two times."""


def moments(count: int) -> list[tuple[str, timedelta]]:
    """Around the end and the opening of a phase and the end of a window: first as near as can be,
    then at random."""
    lot = random.Random(9)
    more = (timedelta(microseconds=lot.randint(-SPREAD, SPREAD)) for _ in range(count))
    edges = ("closes", "opens", "window")
    return [(edge, offset) for offset in (*EDGES, *more) for edge in edges][:count]


def download(platform: Platform, team: str, person: str) -> datetime:
    """The first download in the test phase; when the window that it opens closes."""
    with platform.database.write() as connection:
        made = record_download(
            connection,
            platform.campaign,
            team=team,
            person=person,
            phase="test",
            task="coreference",
            sha256="0" * 64,
            bytes=1,
            now=platform.clock(),
        )
        closes = get_window_end(connection, team, "test", "coreference")
    assert isinstance(made, Download)
    assert closes == platform.clock() + timedelta(hours=48)
    return closes


def around(platform: Platform, clock: MovableClock, count: int) -> None:
    """Send at every edge: one team an upload, so that no quota is in the way."""
    app = create_app(platform, worker=0)
    training, test = platform.campaign.phase("training"), platform.campaign.phase("test")
    with connected(app) as client:
        for number, (edge, offset) in enumerate(moments(count)):
            person = enter(platform, f"Team {number}")
            phase = "test" if edge == "window" else "training"
            if edge == "window":
                clock.set(test.opens + timedelta(hours=1))
                at = download(platform, person.team or "", person.id)
            else:
                at = training.closes if edge == "closes" else training.opens
            now = clock.set(at + offset)
            answer = client.post(
                f"/api/v1/phases/{phase}/tasks/coreference/submissions?file_name=run.conll",
                content=answers("good", phase),
                headers=token(platform, person),
            )
            taken = now >= at if edge == "opens" else now < at
            assert answer.status_code == (201 if taken else 409), (edge, offset, answer.text)
            if taken:
                kept(platform, answer.json(), now)
            else:
                code = {"closes": "CB303", "opens": "CB302", "window": "CB304"}[edge]
                refused(answer.json(), code, at, now)


def kept(platform: Platform, said: dict, now: datetime) -> None:
    receipt = Receipt(**said["receipt"])
    assert receipt.time == format_time(now)
    assert is_genuine(receipt, platform.secret)
    with platform.database.read() as connection:
        row = get_submission(connection, said["submission"])
    assert row is not None
    assert (row.received, row.sha256) == (now, receipt.sha256)


def refused(said: dict, code: str, at: datetime, now: datetime) -> None:
    assert said["error"] == code
    assert format_time(at) in said["message"]
    if code != "CB302":
        assert format_time(now) in said["message"]


def test_uploads_around_every_edge_are_taken_by_the_rule(platform, clock):
    around(platform, clock, count=3 * len(EDGES))


@pytest.mark.slow
def test_a_thousand_uploads_around_every_edge_are_taken_by_the_rule(platform, clock):
    around(platform, clock, count=1_000)


async def straddle(port: int, people: list[Someone], deadline: datetime) -> list[Answered]:
    """Everybody's last byte within two seconds of the deadline, evenly."""
    step = 4 / max(len(people) - 1, 1)
    return await asyncio.gather(
        *(
            send(port, one.token, content(one, 0), last_byte=deadline.timestamp() - 2 + step * one.number)
            for one in people
        )
    )


def for_real(folder: Path, state: Path, url: str, count: int) -> None:
    """Uploads to a server whose phase is about to close."""
    campaign_until(folder, datetime(2099, 1, 1, tzinfo=UTC), 0)
    platform = open_platform(folder, state=state, database=url)
    try:
        people = register(platform, count)
        begun = time.time()
        with serving(folder, state, url) as server:
            asyncio.run(send(server.port, people[0].token, content(people[0], 1)))
        # Another such start, and all connections, must fit in before the phase closes.
        ahead = timedelta(seconds=2 * (time.time() - begun) + 3 + count / 50)
        deadline = datetime.now(UTC) + ahead
        definition = folder / "campaign.toml"
        changed = definition.read_text().replace("2099-01-01T00:00:00+00:00", deadline.isoformat())
        definition.write_text(changed)
        with serving(folder, state, url) as server:
            said = asyncio.run(straddle(server.port, people, deadline))
        with platform.database.read() as connection:
            rows = {row.id: row for row in list_submissions(connection, None)}
        for one in said:
            if one.status == 201:
                receipt = Receipt(**one.body["receipt"])
                assert is_genuine(receipt, platform.secret)
                assert receipt.time == format_time(rows[one.body["submission"]].received)
                arrived = datetime.fromisoformat(receipt.time)
                assert arrived < deadline
            else:
                told = TOLD.search(one.body["message"])
                assert (one.body["error"], told and told[1]) == ("CB303", format_time(deadline))
                arrived = datetime.fromisoformat(told[2])
                assert arrived >= deadline
            assert one.sent <= arrived <= one.answered
        assert {one.status for one in said} == {201, 409}
        assert len(rows) == 1 + sum(one.status == 201 for one in said)
    finally:
        platform.close()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_uploads_whose_last_byte_comes_around_a_real_deadline(tmp_path, database_url):
    for_real(tmp_path / "campaign", tmp_path / "state", database_url, count=21)


@pytest.mark.slow
def test_many_uploads_whose_last_byte_comes_around_a_real_deadline(tmp_path, database_url):
    for_real(tmp_path / "campaign", tmp_path / "state", database_url, count=200)
