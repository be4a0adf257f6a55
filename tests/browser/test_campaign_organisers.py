"""Boards and the organisers' console in a real browser, and the static site without a server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.campaign import PASSWORD, MovableClock, answers, enter, platform_of, write_campaign

pytest.importorskip("pysqlite3", reason="the extra campaign is not installed")

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.database import Database, make_sqlite_url
from corefbench.campaign.storage.migrations import upgrade_database
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.users import User
from corefbench.campaign.views.app import create_app
from corefbench.campaign.views.static_site import write_site
from tests.campaign_play import score_all, send
from tests.campaign_visits import organiser

CONSOLE = ("/organise", "/organise/teams", "/organise/submissions", "/organise/audit", "/organise/phases/test")
BOARDS = ("/boards", "/phases/test/tasks/coreference/board")
IN_TEST = datetime(2026, 3, 16, tzinfo=UTC)
AFTER = datetime(2026, 3, 23, tzinfo=UTC)


class Played:
    """A campaign with three teams that have submitted, and one that waits."""

    def __init__(self, folder: Path) -> None:
        (folder / "state").mkdir()
        url = make_sqlite_url(folder / "state" / "campaign.db")
        database = Database(url)
        upgrade_database(database)
        database.close()
        self.clock = MovableClock(IN_TEST)
        self.platform: Platform = platform_of(write_campaign(folder / "tiny"), folder / "state", url, self.clock)
        organiser(self.platform)
        self.people: list[User] = [enter(self.platform, name) for name in ("Alpha", "Beta")]
        enter(self.platform, "Waiting", approved=False)
        for person, quality in zip(self.people, ("good", "poor"), strict=True):
            send(self.platform, person, answers(quality), label=f"{quality} run")
        send(self.platform, self.people[0], b"nonsense\n", task="links", file_name="bad.conll")
        score_all(self.platform)


@contextmanager
def listening(platform: Platform) -> Iterator[str]:
    """The address of the campaign's server, in this process."""
    import uvicorn

    from corefbench.web.server import bind_socket

    socket = bind_socket("127.0.0.1", 0)
    config = uvicorn.Config(create_app(platform, worker=False), log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        socket.close()


@pytest.fixture
def played(browser: Any, tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path)
    yield made
    made.platform.close()


@pytest.fixture
def address(played: Played) -> Iterator[str]:
    with listening(played.platform) as where:
        yield where


def sign_in(page: Any) -> None:
    page.goto("/sign-in")
    page.get_by_label("E-mail").fill("organiser@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def test_every_page_is_open_to_everybody_and_fits_a_telephone(
    new_page: Callable[..., Any], address: str, axe: Callable[[Any], None]
):
    for scheme, width in (("light", 1280), ("dark", 390)):
        page = new_page(base_url=address, color_scheme=scheme, viewport={"width": width, "height": 900})
        sign_in(page)
        for path in (*CONSOLE, *BOARDS):
            page.goto(path)
            if width > 1000 or path in ("/organise", BOARDS[1]):
                axe(page)
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), (
                path,
                width,
            )


def test_a_phase_is_published_without_javascript(new_page: Callable[..., Any], address: str, played: Played):
    page = new_page(base_url=address, java_script_enabled=False)
    played.clock.set(AFTER)
    sign_in(page)
    page.goto("/organise")
    page.get_by_role("link", name="Preview and publish Test").click()
    assert page.get_by_role("row", name="Alpha").first.is_visible()
    page.get_by_label("I have looked at what will be seen").check()
    page.get_by_role("button", name="Publish Test").click()
    page.wait_for_url("**/boards")
    visitor = new_page(base_url=address, java_script_enabled=False)
    visitor.goto("/boards")
    visitor.get_by_role("link", name="Coreference", exact=True).first.click()
    assert visitor.get_by_role("row", name="Alpha").first.is_visible()
    with visitor.expect_download() as taken:
        visitor.get_by_role("link", name="CSV").click()
    assert Path(taken.value.path()).read_text().splitlines()[1].startswith("1,Alpha,")


def test_teams_and_submissions_are_judged_without_javascript(new_page: Callable[..., Any], address: str):
    page = new_page(base_url=address, java_script_enabled=False)
    sign_in(page)
    page.goto("/organise/teams")
    page.get_by_role("button", name="Approve Waiting").click()
    assert page.get_by_role("row", name="Waiting").get_by_text("approved").is_visible()
    page.goto("/organise/submissions?state=scored")
    page.get_by_role("row", name="Beta").get_by_role("link", name="Change").click()
    page.get_by_label("Reason").fill("Not their own work")
    page.get_by_role("button", name="Disqualify for good").click()
    assert page.get_by_role("row", name="Beta").get_by_text("disqualified").is_visible()
    page.goto("/organise/audit")
    assert page.get_by_role("row", name="Not their own work").is_visible()


def test_the_overview_keeps_itself_up_to_date(new_page: Callable[..., Any], address: str, played: Played):
    page = new_page(base_url=address)
    sign_in(page)
    page.goto("/organise")
    queue = page.locator(".tiles div", has_text="In the queue").locator("dd")
    assert queue.inner_text() == "0"
    played.clock.forward(minutes=1)
    send(played.platform, played.people[0], answers("good"))
    page.get_by_role("link", name="Refresh").focus()
    queue.filter(has_text="1").wait_for()
    focused = page.evaluate("document.activeElement.textContent")
    assert focused == "Refresh", "whoever is at a link stays there"


def test_the_static_site_is_read_from_files(
    new_page: Callable[..., Any], played: Played, tmp_path: Path, axe: Callable[[Any], None]
):
    played.clock.set(AFTER)
    with played.platform.database.write() as connection:
        phase = played.platform.campaign.phase("test")
        publish(connection, phase, person=None, now=played.clock() + timedelta(seconds=1))
    write_site(played.platform, tmp_path / "site")
    page = new_page(color_scheme="dark")
    page.goto((tmp_path / "site" / "index.html").as_uri())
    axe(page)
    page.get_by_role("navigation").get_by_role("link", name="Boards").first.click()
    axe(page)
    page.get_by_role("link", name="Coreference", exact=True).first.click()
    assert page.get_by_role("row", name="Alpha").first.is_visible()
    assert page.locator(".whisker").count() == 2
    axe(page)
    page.get_by_role("link", name="Boards", exact=True).first.click()
    assert page.url.endswith("/boards.html")
