"""R6: ``kill -9`` in the middle of writing loses nothing that was acknowledged.

Half of the kills come from inside, at a line of the storage's code drawn by lot, half from outside,
at a moment drawn by lot. After each the campaign is opened again, as a server that restarts does,
and held against what the program had said before it died.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.migrations import upgrade_database
from tests.campaign import MovableClock, enter, platform_of
from tests.crash.actor import DEEDS
from tests.crash.ledger import Ledger
from tests.data import ROOT

LINES = 250
"""A deed takes up to so many lines of the storage's code."""
BACK = 5.0
"""Seconds in which a campaign is there again; not asked of a machine that runs other tests beside."""


@pytest.fixture
def place(campaign_folder: Path, tmp_path: Path, database_url: str) -> tuple[Path, Path, str]:
    place = (campaign_folder, tmp_path / "state", database_url)
    platform = platform_of(*place, MovableClock())
    for number in range(3):
        enter(platform, f"Team {number}")
    platform.close()
    return place


def test_what_was_acknowledged_outlives_a_kill(place: tuple[Path, Path, str]) -> None:
    kill_often(place, 20, back=60)


@pytest.mark.slow
def test_what_was_acknowledged_outlives_a_thousand_kills(place: tuple[Path, Path, str]) -> None:
    kill_often(place, 1_000, back=BACK)


def kill_often(place: tuple[Path, Path, str], kills: int, *, back: float) -> None:
    lot, ledger, again = random.Random(6), Ledger(), 0
    with acting(place) as actor:
        for number in range(kills):
            deed = list(DEEDS)[number % len(DEEDS)]
            lines = lot.randint(1, LINES) if number // len(DEEDS) % 2 else 0
            kill_once(actor, ledger, deed, lot, lines)
            began = time.monotonic()
            with reopened(place) as platform:
                assert time.monotonic() - began < back
                ledger.check(platform)
                again += ledger.send_again(platform)
    with reopened(place) as platform:
        ledger.check(platform)
        assert_sound(platform)
    assert ledger.acknowledged > kills
    assert again > 0  # some were killed between sending and the answer


def kill_once(actor: "subprocess.Popen[bytes]", ledger: Ledger, deed: str, lot: random.Random, lines: int) -> None:
    """Let a child do the deed until it is killed; ``lines`` is when it does so itself."""
    assert actor.stdin
    assert actor.stdout
    actor.stdin.write(f"{deed} {lot.getrandbits(48)} {lines}\n".encode())
    actor.stdin.flush()
    child, heard = 0, 0
    while (words := actor.stdout.readline().decode().split()) != ["end"]:
        assert words, "the program that forks has ended"
        if words[0] == "pid":
            child = int(words[1])
            continue
        ledger.hear(words)
        heard += 1
        if heard == 1 and not lines:
            time.sleep(lot.random() * 0.03)
            os.kill(child, signal.SIGKILL)


@contextmanager
def acting(place: tuple[Path, Path, str]) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "tests.crash.actor", *map(str, place)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as actor:
        yield actor
        assert actor.stdin
        actor.stdin.close()
        assert actor.wait(30) == 0


@contextmanager
def reopened(place: tuple[Path, Path, str]) -> Iterator[Platform]:
    """The campaign as after a restart: the tables are looked at, too."""
    database = Database(place[2])
    upgrade_database(database)
    database.close()
    platform = platform_of(*place, MovableClock())
    yield platform
    platform.close()


def assert_sound(platform: Platform) -> None:
    if platform.database.is_sqlite:
        with platform.database.read() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
