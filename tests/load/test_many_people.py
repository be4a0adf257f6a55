"""R8: 200 people send 5 uploads each at once; none is lost, none is over the quota, all are quick.

All people send their five at the same moment, more than they may, so that the quota is raced for.
In the rush everybody comes at once: what counts is that nothing is lost and nothing taken twice.
How long an acceptance takes is measured while the 200 come within twenty seconds, as they do before
a deadline, on a server that also scores.
"""

import asyncio
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from corefbench.campaign.domain.receipts import Receipt, is_genuine
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.storage.submissions import Submission, submissions_of
from corefbench.campaign.storage.tokens import make_token
from tests.campaign import answers, enter
from tests.load.people import Answered, percentile, send
from tests.load.server import campaign_until, serving

QUOTA = 3
EACH = 5
P95 = 1.0


class Someone(NamedTuple):
    number: int
    team: str
    token: str


def register(platform: Platform, count: int) -> list[Someone]:
    people = [enter(platform, f"Team {number}") for number in range(count)]
    with platform.database.write() as connection:
        return [
            Someone(
                number, person.team or "", make_token(connection, person.id, "", platform.clock())
            )
            for number, person in enumerate(people)
        ]


def content(someone: Someone, turn: int) -> bytes:
    """Answers that nobody else sends."""
    quality = "good" if (someone.number + turn) % 2 else "poor"
    return answers(quality, "training") + f"# {someone.number} {turn}\n".encode()


async def rush(port: int, people: list[Someone], within: float) -> dict[Someone, list[Answered]]:
    """Everybody's five at once, people one after another within so many seconds."""

    async def one(someone: Someone) -> list[Answered]:
        await asyncio.sleep(within * someone.number / len(people))
        sends = (
            send(port, someone.token, content(someone, turn), request=f"r{turn}")
            for turn in range(EACH)
        )
        return await asyncio.gather(*sends)

    found = await asyncio.gather(*map(one, people))
    return dict(zip(people, found, strict=True))


def played(
    folder: Path, state: Path, url: str, count: int, within: float, workers: int
) -> list[float]:
    """A rush and all that must hold after it; the seconds that acceptances took."""
    campaign_until(folder, datetime(2099, 1, 1, tzinfo=UTC), QUOTA)
    platform = open_platform(folder, state=state, database=url)
    try:
        people = register(platform, count)
        with serving(folder, state, url, workers) as port:
            asyncio.run(rush(port, people[:1], 0))  # what is loaded at the first request
            heard = asyncio.run(rush(port, people[1:], within))
            again = asyncio.run(rush(port, people[1:21], 0))
        check(platform, heard)
        for someone, said in again.items():
            before = [one.body.get("submission") for one in heard[someone]]
            assert [one.body.get("submission") for one in said] == before
        return [one.seconds for said in heard.values() for one in said if one.status == 201]
    finally:
        platform.close()


def check(platform: Platform, heard: dict[Someone, list[Answered]]) -> None:
    """Nobody has more than the quota, and what was acknowledged is there as the receipt says."""
    with platform.database.read() as connection:
        kept = {one.id: one for one in submissions_of(connection, None)}
    for someone, said in heard.items():
        codes = Counter(one.body.get("error", "taken") for one in said)
        assert codes == {"taken": QUOTA, "CB305": EACH - QUOTA}, someone
        for turn, one in enumerate(said):
            if one.status == 201:
                agrees(platform, kept[one.body["submission"]], one, content(someone, turn))
    assert len(kept) == QUOTA * (len(heard) + 1)
    assert not list(platform.files.abandoned())


def agrees(platform: Platform, row: Submission, heard: Answered, sent: bytes) -> None:
    receipt = Receipt(**heard.body["receipt"])
    assert is_genuine(receipt, platform.secret)
    assert receipt.number == row.id
    assert (receipt.sha256, receipt.bytes) == (row.sha256, row.bytes)
    assert platform.files.read(row.sha256) == sent


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "campaign", tmp_path / "state"


def test_a_small_rush_loses_nothing_while_the_server_scores(place, database_url):
    played(*place, database_url, count=16, within=0.5, workers=1)


@pytest.mark.slow
def test_two_hundred_at_once_lose_nothing(place, database_url):
    played(*place, database_url, count=201, within=0, workers=0)


@pytest.mark.slow
def test_two_hundred_people_are_answered_within_a_second(place, database_url):
    seconds = played(*place, database_url, count=201, within=20, workers=1)
    assert percentile(seconds, 0.95) <= P95
