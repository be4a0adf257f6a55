"""R8: 200 people send 5 uploads each at once; none is lost, none is over the quota, all are quick.

Everybody sends more than the quota allows. Quick is measured where each sends one after another,
all beginning in the same instant; and where people come within twenty seconds with all their five,
on a server that also scores. With all 1,000 in one instant the quota is raced for: what counts is
that nothing is lost and nothing taken twice. All lines are open beforehand; ``-s`` shows the times.
"""

import asyncio
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import NamedTuple

import pytest

from corefbench.campaign.domain.submissions import Receipt, is_genuine
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.storage.credentials import create_token
from corefbench.campaign.storage.submissions import Submission, list_submissions
from tests.campaign import answers, enter
from tests.load.lines import Heard, Line, open_lines, upload
from tests.load.people import percentile
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
            Someone(number, person.team or "", create_token(connection, person.id, "", platform.clock()))
            for number, person in enumerate(people)
        ]


def content(someone: Someone, turn: int) -> bytes:
    """Answers that nobody else sends."""
    quality = "good" if (someone.number + turn) % 2 else "poor"
    return answers(quality, "training") + f"# {someone.number} {turn}\n".encode()


async def rush(
    port: int, people: list[Someone], *, lines: int, within: float = 0, turns: range = range(EACH)
) -> dict[Someone, list[Heard]]:
    """Everybody's uploads, over so many lines each: over one, they are sent one after another.

    All lines are open before the first byte is sent; people begin within so many seconds.
    """
    opened = iter(await open_lines(port, lines * len(people)))
    ready = [
        (
            next(opened),
            someone.number * within / len(people),
            [upload(port, someone.token, content(someone, turn), f"r{turn}") for turn in share],
        )
        for someone in people
        for share in (turns[start::lines] for start in range(lines))
    ]

    async def speak(line: Line, wait: float, requests: list[bytes]) -> list[Heard]:
        await asyncio.sleep(wait)
        return [await line.ask(request) for request in requests]

    said = iter(await asyncio.gather(*(speak(*one) for one in ready)))
    for line, _, _ in ready:
        line.close()
    return {one: [h for _ in range(lines) for h in next(said)] for one in people}


def played(folder: Path, state: Path, url: str, count: int, *, lines: int, within: float, workers: int) -> list[float]:
    """A rush and all that must hold after it; the seconds that acceptances took."""
    campaign_until(folder, datetime(2099, 1, 1, tzinfo=UTC), QUOTA)
    platform = open_platform(folder, state=state, database=url)
    try:
        people = register(platform, count)
        with serving(folder, state, url, workers) as server:
            asyncio.run(rush(server.port, people[:1], lines=lines))  # what the first request loads
            served, sent = server.processor_time(), process_time()
            heard = asyncio.run(rush(server.port, people[1:], lines=lines, within=within))
            served, sent = server.processor_time() - served, process_time() - sent
            again = asyncio.run(rush(server.port, people[1:21], lines=lines))
        check(platform, heard)
        for someone, said in again.items():
            before = [one.body.get("submission") for one in heard[someone]]
            assert [one.body.get("submission") for one in said] == before
        seconds = [one.seconds for said in heard.values() for one in said if one.status == 201]
        uploads = EACH * len(heard)
        print(
            f"\n{url.partition(':')[0]}, {uploads} uploads over {lines} lines each:"
            f" p50 {percentile(seconds, 0.5):.2f} s, p95 {percentile(seconds, 0.95):.2f} s,"
            f" longest {max(seconds):.2f} s;"
            f" an upload costs the server {1000 * served / uploads:.2f} ms of processor time,"
            f" the sender {1000 * sent / uploads:.2f} ms"
        )
        return seconds
    finally:
        platform.close()


def check(platform: Platform, heard: dict[Someone, list[Heard]]) -> None:
    """Nobody has more than the quota, and what was acknowledged is there as the receipt says."""
    with platform.database.read() as connection:
        kept = {one.id: one for one in list_submissions(connection, None)}
    for someone, said in heard.items():
        codes = Counter(one.body.get("error", "taken") for one in said)
        assert codes == {"taken": QUOTA, "CB305": EACH - QUOTA}, someone
        for turn, one in enumerate(said):
            if one.status == 201:
                agrees(platform, kept[one.body["submission"]], one, content(someone, turn))
    assert len(kept) == QUOTA * (len(heard) + 1)
    assert not list(platform.files.list_incoming())


def agrees(platform: Platform, row: Submission, heard: Heard, sent: bytes) -> None:
    receipt = Receipt(**heard.body["receipt"])
    assert is_genuine(receipt, platform.secret)
    assert receipt.number == row.id
    assert (receipt.sha256, receipt.bytes) == (row.sha256, row.bytes)
    assert platform.files.read(row.sha256) == sent


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "campaign", tmp_path / "state"


def test_a_small_rush_loses_nothing_while_the_server_scores(place, database_url):
    played(*place, database_url, count=16, lines=EACH, within=0.5, workers=1)


@pytest.mark.slow
def test_two_hundred_who_send_one_after_another_are_answered_within_a_second(place, database_url):
    seconds = played(*place, database_url, count=201, lines=1, within=0, workers=0)
    assert percentile(seconds, 0.95) <= P95


@pytest.mark.slow
def test_a_thousand_in_one_instant_lose_nothing(place, database_url):
    played(*place, database_url, count=201, lines=EACH, within=0, workers=0)


@pytest.mark.slow
def test_two_hundred_who_come_one_by_one_are_answered_while_the_server_scores(place, database_url):
    seconds = played(*place, database_url, count=201, lines=EACH, within=20, workers=1)
    assert percentile(seconds, 0.95) <= P95
