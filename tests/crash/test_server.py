"""R6 once more, on the server as it runs for real: it is killed while people send and it scores."""

import asyncio
import random
import subprocess
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import func, select

from corefbench.campaign.domain.submissions import Receipt, is_genuine
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.storage.credentials import create_token
from corefbench.campaign.storage.queue import MAX_ATTEMPTS, requeue_expired
from corefbench.campaign.storage.submissions import Submission, list_submissions, requeue_submission
from corefbench.campaign.storage.tables import evaluations
from tests.campaign import answers, enter
from tests.load.people import send
from tests.load.server import campaign_until, start_server

Place = tuple[Path, Path, str]
AT_ONCE = 8
SCORED = 120.0
"""Seconds in which what is left in the queue is scored."""


@pytest.fixture
def place(tmp_path: Path, database_url: str) -> Place:
    folder = campaign_until(tmp_path / "served", datetime(2099, 1, 1, tzinfo=UTC), 1_000_000)
    return folder, tmp_path / "state", database_url


def test_a_server_that_is_killed_loses_nothing(place: Place) -> None:
    kill_servers(place, 1)


@pytest.mark.slow
def test_a_server_that_is_killed_often_loses_nothing(place: Place) -> None:
    kill_servers(place, 50)


def kill_servers(place: Place, kills: int) -> None:
    lot = random.Random(6)
    tokens = team_tokens(place)
    sent: dict[str, tuple[str, bytes]] = {}
    receipts: dict[str, Receipt] = {}
    for number in range(kills):
        for one in range(AT_ONCE):
            request = f"{number}-{one}"
            text = answers("good", "training") + f"# {request}\n".encode()
            sent[request] = (lot.choice(tokens), text)
        unanswered = {name: what for name, what in sent.items() if name not in receipts}
        receipts |= sent_to_a_server_that_is_killed(place, unanswered, lot.random() * 1.5)
        compare(place, receipts)
    finish(place, {name: what for name, what in sent.items() if name not in receipts}, receipts)
    found = compare(place, receipts)
    assert len(found) == len(sent) == len(receipts)
    assert {one.state for one in found} == {"scored"}


def team_tokens(place: Place) -> list[str]:
    platform = opened(place)
    people = [enter(platform, f"Team {number}") for number in range(3)]
    with platform.database.write() as connection:
        tokens = [create_token(connection, one.id, "", platform.clock()) for one in people]
    platform.close()
    return tokens


def sent_to_a_server_that_is_killed(
    place: Place, what: dict[str, tuple[str, bytes]], after: float
) -> dict[str, Receipt]:
    """Send all of it at once; the receipts that came before the server died."""
    server, port = start_server(*place, workers=1)
    try:
        return asyncio.run(send_all(port, what, server, after))
    finally:
        server.kill()
        server.wait(30)
        assert server.stdout
        server.stdout.close()


async def send_all(
    port: int, what: dict[str, tuple[str, bytes]], server: "subprocess.Popen[str]", after: float | None
) -> dict[str, Receipt]:
    receipts: dict[str, Receipt] = {}

    async def one(request: str, token: str, text: bytes) -> None:
        # No answer, or half of one: the server is gone.
        with suppress(OSError, IndexError, ValueError, EOFError):
            answer = await send(port, token, text, request=request)
            assert answer.status == 201, answer
            receipts[request] = msgspec.convert(answer.body["receipt"], Receipt)

    async def kill() -> None:
        if after is not None:
            await asyncio.sleep(after)
            server.kill()

    await asyncio.gather(kill(), *(one(request, *given) for request, given in what.items()))
    return receipts


def finish(place: Place, left: dict[str, tuple[str, bytes]], receipts: dict[str, Receipt]) -> None:
    """The server runs undisturbed: what was not answered is sent again, all is scored."""
    platform = opened(place)
    with platform.database.write() as connection:  # leases of the dead, before their time
        requeue_expired(connection, platform.clock() + timedelta(hours=1), attempts=10**6)
        for one in list_submissions(connection, None, state="failed"):
            assert one.attempts >= MAX_ATTEMPTS  # it was being scored at that many kills
            requeue_submission(connection, platform.campaign, one.id, person=None, now=platform.clock())
    server, port = start_server(*place, workers=1)
    try:
        receipts |= asyncio.run(send_all(port, left, server, None))
        until = time.monotonic() + SCORED
        while time.monotonic() < until:
            with platform.database.read() as connection:
                states = {one.state for one in list_submissions(connection, None)}
            if states == {"scored"}:
                break
            time.sleep(0.2)
    finally:
        server.terminate()
        server.wait(60)
        assert server.stdout
        server.stdout.close()
        platform.close()


def compare(place: Place, receipts: dict[str, Receipt]) -> list[Submission]:
    """What is there against what was acknowledged: nothing lost, nothing doubled."""
    platform = opened(place)
    with platform.database.read() as connection:
        found = list_submissions(connection, None)
        doubled = select(evaluations.c.submission).group_by(evaluations.c.submission).having(func.count() > 1)
        assert connection.execute(doubled).all() == []
    requests = [one.request for one in found]
    assert len(requests) == len(set(requests))
    by_request = {one.request: one for one in found}
    for request, receipt in receipts.items():
        kept = by_request[request]
        assert is_genuine(receipt, platform.secret)
        assert msgspec.structs.replace(receipt, seal="") == kept.receipt
        assert len(platform.files.read(kept.sha256)) == kept.bytes
    platform.close()
    return found


def opened(place: Place) -> Platform:
    return open_platform(place[0], state=place[1], database=place[2])
