"""The static site: what a visitor sees, as files that need no server."""

import io
import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corefbench.campaign.leaderboard import build_board
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.views.static_site import write_site, zip_site
from corefbench.errors import DataError, UsageError
from tests.campaign import MovableClock, answers, enter
from tests.campaign_play import score_all, send

# Both databases give the same boards: see test_standings.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def published(platform: Platform, clock: MovableClock) -> Platform:
    clock.set(datetime(2026, 3, 16, tzinfo=UTC))
    for team, quality in (("Alpha", "good"), ("<b>Beta</b>", "poor")):
        send(platform, enter(platform, team), answers(quality))
    score_all(platform)
    clock.set(datetime(2026, 3, 23, tzinfo=UTC))
    with platform.database.write() as connection:
        publish(connection, platform.campaign.phase("test"), person=None, now=clock())
    return platform


def links(path: Path) -> set[str]:
    html = path.read_text(encoding="utf-8")
    return {link.split("#")[0] for link in re.findall(r'(?:href|src|action)="([^"]*)"', html)}


def test_every_link_of_every_page_leads_to_a_file_beside_it(published: Platform, tmp_path: Path):
    folder = tmp_path / "site"
    assert write_site(published, folder) == 4
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) == 4
    for page in pages:
        for link in filter(None, links(page)):
            assert not re.match(r"[a-z]+:|/", link) or link.startswith("mailto:"), (page, link)
            assert link.startswith("mailto:") or (page.parent / link).is_file(), (page, link)


def test_nothing_on_a_page_needs_a_server(published: Platform, tmp_path: Path):
    write_site(published, tmp_path / "site")
    for page in (tmp_path / "site").rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        for sign in ("<form", "hx-get", "htmx", "csrf", "absent:"):
            assert sign not in html, (page, sign)


def test_the_boards_of_published_phases_are_there_with_all_their_exports(published: Platform, tmp_path: Path):
    write_site(published, tmp_path / "site")
    boards = tmp_path / "site" / "boards"
    assert sorted(path.name for path in boards.iterdir()) == ["test"]
    told = json.loads((boards / "test" / "coreference.json").read_text())
    lines = build_board(published, "test", "coreference").lines
    assert [line["team"] for line in told["lines"]] == [line.team for line in lines]
    html = (boards / "test" / "coreference.html").read_text()
    assert "&lt;b&gt;Beta&lt;/b&gt;" in html
    assert "<b>Beta</b>" not in html


def test_the_archive_holds_the_same_files_and_is_always_the_same(published: Platform, tmp_path: Path):
    write_site(published, tmp_path / "site")
    packed = zip_site(published)
    assert packed == zip_site(published)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert {name.removeprefix("tiny/") for name in archive.namelist()} == {
            path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*") if path.is_file()
        }


def test_without_anything_published_there_is_no_site(platform: Platform, tmp_path: Path):
    with pytest.raises(UsageError, match="nothing has been published"):
        write_site(platform, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_folder_with_something_in_it_is_left_alone(published: Platform, tmp_path: Path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        write_site(published, tmp_path / "site")
    write_site(published, tmp_path / "site", force=True)
    assert (tmp_path / "site" / "mine.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_told_of(published: Platform, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be written"):
        write_site(published, tmp_path / "file" / "site")
