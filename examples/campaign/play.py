"""A whole campaign, from ``init`` to its published pages, played over HTTP with many teams.

    python examples/campaign/play.py FOLDER --teams 20

Teams register, are approved, download, submit, are refused when they come too late, too often or
with something unreadable, withdraw and are disqualified; the clock is moved from phase to phase. At
the end the boards are compared with rankings that are computed from scratch, a backup is restored,
and the restored campaign makes the same pages.
"""

import argparse
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import uvicorn
from browser import Browser, all_of
from recomputed import Place, Sent, ranking
from teams import answers_of

from corefbench.campaign.backup import backup, restore
from corefbench.campaign.client import Client, Refused
from corefbench.campaign.config_file import find_problems
from corefbench.campaign.domain.config import Phase
from corefbench.campaign.leaderboard import build_board
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.scaffold import create_campaign
from corefbench.campaign.storage.credentials import hash_password
from corefbench.campaign.storage.users import create_organiser
from corefbench.campaign.views.app import create_app
from corefbench.campaign.views.static_site import write_site
from corefbench.web.server import bind_socket

START = datetime(2027, 3, 1, 9, tzinfo=UTC)
PASSWORD = "a campaign from start to end"
ORGANISER = "organiser@example.org"


class Clock:
    """The clock of the server, which the play moves."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        return self.time


class Team:
    """A team: its name, and the client that it submits with."""

    def __init__(self, number: int, server: str) -> None:
        self.name = f"Team {number:02} & <friends>"
        self.email = f"team-{number:02}@example.org"
        self.server = server
        self.client = Client(server=server)

    def register(self) -> None:
        browser = Browser(self.server)
        browser.send(
            "/register",
            "/register",
            email=self.email,
            name="Somebody",
            team=self.name,
            affiliation="Somewhere",
            password=PASSWORD,
        )
        browser.send("/sign-in", "/sign-in", email=self.email, password=PASSWORD)
        page = browser.send("/tokens", "/tokens", label="play")
        (token,) = all_of(page, r'id="secret">([^<]+)<')
        self.client = Client(server=self.server, token=token)
        browser.close()


class Play:
    """A campaign that is being played."""

    def __init__(self, platform: Platform, clock: Clock, server: str, work: Path) -> None:
        self.platform, self.clock, self.server, self.work = platform, clock, server, work
        self.sent: list[Sent] = []
        self.ended: set[str] = set()

    def say(self, what: str) -> None:
        """Tell what happens."""
        print(f"{self.clock():%d %B %Y %H:%M}  {what}", flush=True)  # noqa: T201

    def enter(self, count: int) -> list[Team]:
        """Teams register, and the organiser approves them."""
        teams = [Team(number, self.server) for number in range(1, count + 1)]
        for team in teams:
            self.clock.time += timedelta(minutes=1)
            team.register()
        with self.organising() as organiser:
            page = organiser.open("/organise/teams")
            for number in all_of(page, r"/organise/teams/([0-9a-f]+)"):
                form = f"/organise/teams/{number}"
                organiser.send("/organise/teams", form, decision="approved")
        self.say(f"{count} teams have registered and are approved")
        return teams

    @contextmanager
    def organising(self) -> Iterator[Browser]:
        """The organiser, signed in."""
        browser = Browser(self.server)
        browser.sign_in(ORGANISER, PASSWORD)
        yield browser
        browser.close()

    def phase(self, phase: Phase, teams: list[Team], tasks: int) -> None:
        """All that happens in a phase, and its publication."""
        for data in phase.data[:tasks]:
            number = int(data.task.removeprefix("task-"))
            answers = answers_of(self.platform.path(data.key), number, len(teams))
            self.clock.time = max(self.clock.time, phase.opens + timedelta(hours=1))
            for team, content in zip(teams, answers, strict=True):
                self._take_part(team, phase, data.task, content)
            # The last team tries again with the answers of the first, which may be better.
            self.submit(teams[-1], phase, data.task, answers[0])
            self._wrong(teams[0], phase, data.task, answers[0])
        self._wait(teams, phase)
        self._end_two(teams, phase)
        self.clock.time = phase.closes
        task, late = phase.data[0].task, self.sent[-1].content
        self.refused(teams[0], phase.name, task, late, "CB303")
        self._publish(phase)

    def submit(self, team: Team, phase: Phase, task: str, content: bytes) -> None:
        """Send answers and keep what was sent."""
        path = self.work / "answers.xml"
        path.write_bytes(content)
        self.clock.time += timedelta(seconds=30)
        check = len(self.sent) % 4 == 0
        receipt = team.client.submit(phase.name, task, path, label=team.name, check=check)
        expect(team.client.is_genuine(receipt), "the receipt is genuine")
        self.sent.append(Sent(receipt.number, team.name, phase.name, task, content, len(self.sent)))

    def refused(self, team: Team, phase: str, task: str, content: bytes, code: str) -> None:
        """Send answers that must not be taken."""
        path = self.work / "answers.xml"
        path.write_bytes(content)
        try:
            team.client.submit(phase, task, path)
        except Refused as error:
            expect(error.code == code, f"{code} is expected, {error.code} was said")
        else:
            expect(False, f"{code} is expected, the answers were taken")

    def _take_part(self, team: Team, phase: Phase, task: str, content: bytes) -> None:
        given = self.work / "input.xml"
        team.client.download(phase.name, task, given)
        there = self.platform.path(phase.data_of(task).input)
        expect(given.read_bytes() == there.read_bytes(), "the download is the input")
        self.submit(team, phase, task, content)

    def _wrong(self, team: Team, phase: Phase, task: str, content: bytes) -> None:
        """What cannot be read, and what is too much."""
        self.refused(team, phase.name, task, b"<answers", "CB310")
        if phase.quota.total:
            for _ in range(phase.quota.total - 1):
                self.submit(team, phase, task, content)
            self.refused(team, phase.name, task, content, "CB305")

    def _wait(self, teams: list[Team], phase: Phase) -> None:
        clients = {team.name: team.client for team in teams}
        mine = [one for one in self.sent if one.phase == phase.name]
        for one in mine:
            status = clients[one.team].wait(one.number, seconds=600, every=0.2)
            expect(status.state == "scored", f"{one.number} is {status.state} {status.message}")
            shown = status.result is not None
            expect(shown == (phase.scores == "at-once"), "scores are seen when it is time")
        self.say(f"{phase.title}: {len(mine)} submissions are scored")

    def _end_two(self, teams: list[Team], phase: Phase) -> None:
        """One is withdrawn by its team, one disqualified by the organiser."""
        mine = [one for one in self.sent if one.phase == phase.name]
        (withdrawn,) = [one for one in mine if one.team == teams[1].name][:1]
        (disqualified,) = [one for one in mine if one.team == teams[2].name][:1]
        teams[1].client.withdraw(withdrawn.number)
        with self.organising() as organiser:
            organiser.send(
                "/organise/submissions",
                "/organise/disqualify",
                submission=disqualified.number,
                reason="it was made by hand",
            )
        self.ended |= {withdrawn.number, disqualified.number}

    def _publish(self, phase: Phase) -> None:
        page = f"/organise/phases/{phase.name}"
        with self.organising() as organiser:
            organiser.send(page, page, sure="yes")
        self.say(f"{phase.title} is published")

    def compare(self) -> int:
        """Every board with the ranking from scratch; how many lines were the same."""
        lines = 0
        for phase in self.platform.campaign.phases:
            for data in phase.data:
                mine = [
                    one
                    for one in self.sent
                    if (one.phase, one.task) == (phase.name, data.task) and one.number not in self.ended
                ]
                ours = ranking(mine, self.platform.path(data.key))
                same(board_of(self.platform, phase.name, data.task), ours)
                lines += len(ours)
        self.say(f"{lines} lines of boards are those of a computation from scratch")
        return lines


def board_of(platform: Platform, phase: str, task: str) -> list[Place]:
    """A board as everybody sees it."""
    board = build_board(platform, phase, task)
    return [Place(line.rank, line.team, line.score) for line in board.lines]


def same(one: list[Place], other: list[Place]) -> None:
    """Two rankings must be the same."""
    expect(
        [(p.rank, p.team) for p in one] == [(p.rank, p.team) for p in other],
        f"the rankings are the same: {one} {other}",
    )
    pairs = zip(one, other, strict=True)
    expect(all(abs(a.score - b.score) <= 1e-9 for a, b in pairs), "the scores are the same")


def expect(is_so: bool, what: str) -> None:
    """End the play where something is not as it must be."""
    if not is_so:
        raise SystemExit(f"not so: {what}")


@contextmanager
def serving(platform: Platform) -> Iterator[str]:
    """The server of a campaign in a thread; its address."""
    listening = bind_socket("127.0.0.1", 0)
    config = uvicorn.Config(create_app(platform), log_level="warning", access_log=False, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def pages(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def restored(play: Play, folder: Path, url: str) -> None:
    """The same campaign from its backup, in another place: the same pages, byte for byte."""
    made = backup(play.platform, folder / "backup.tar")
    restore(folder / "backup.tar", folder / "restored", url)
    platform = open_platform(play.platform.folder, state=folder / "restored", database=url, clock=play.clock)
    try:
        write_site(platform, folder / "restored-site")
    finally:
        platform.close()
    expect(pages(folder / "site") == pages(folder / "restored-site"), "the pages are the same")
    play.say(f"restored from a backup of {len(made.files)} files: the same pages")


def main(given: list[str]) -> None:
    """Play it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument("--teams", type=int, default=20)
    parser.add_argument("--tasks", type=int, default=4, help="the first so many of four")
    parser.add_argument("--database", default="", help="else SQLite")
    parser.add_argument("--restore-to", default="", help="else SQLite")
    chosen = parser.parse_args(given)
    logging.basicConfig(level=logging.WARNING)
    clock = Clock()
    create_campaign(chosen.folder / "campaign", now=clock())
    expect(not find_problems(chosen.folder / "campaign"), "the new folder is in order")
    platform = open_platform(
        chosen.folder / "campaign", state=chosen.folder / "state", database=chosen.database, clock=clock
    )
    (chosen.folder / "work").mkdir()
    try:
        with platform.database.write() as connection:
            kept = hash_password(PASSWORD)
            create_organiser(connection, email=ORGANISER, name="Organiser", password_hash=kept, now=clock())
        with serving(platform) as server:
            play = Play(platform, clock, server, chosen.folder / "work")
            teams = play.enter(chosen.teams)
            for phase in platform.campaign.phases:
                play.phase(phase, teams, chosen.tasks)
        play.compare()
        play.say(f"the site has {write_site(platform, chosen.folder / 'site')} pages")
        restored(play, chosen.folder, chosen.restore_to)
    finally:
        platform.close()


if __name__ == "__main__":
    main(sys.argv[1:])
