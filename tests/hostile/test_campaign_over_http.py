"""Hostile uploads and names over the network: told with a code, nothing lost, nothing run."""

import csv
import io
import re
import zipfile
from datetime import UTC, datetime
from html import unescape

import pytest

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.submissions import get_submission, list_submissions
from corefbench.campaign.storage.users import User, register_team, set_team_state
from corefbench.campaign.views.app import create_app
from corefbench.errors import CODES
from tests.campaign import MovableClock, answers, enter, password_hash
from tests.campaign_play import score_all, send
from tests.campaign_visits import browsing, connected, organiser, token
from tests.hostile.uploads import FAMILIES, INJECTIONS, uploads

PLACE = "/api/v1/phases/training/tasks/coreference/submissions"
SMALL = 200_000
NAMES = [text for text in INJECTIONS if text.isprintable()]
# What differs between databases is below the pages, and tested there.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_uploads_are_reported_with_a_code_and_lose_nothing(platform: Platform, family):
    person = enter(platform)
    before = send(platform, person, answers("good", "training"), phase="training")
    headers = {**token(platform, person), "content-type": "application/octet-stream"}
    taken = []
    with connected(create_app(platform, worker=0)) as client:
        for upload in uploads(family)[::3]:
            if upload.format != "conll" or len(upload.content) > SMALL:
                continue
            named = {"file_name": upload.file_name[:200], "check": "true"}
            answer = client.post(PLACE, params=named, content=upload.content, headers=headers)
            said = answer.json()
            if answer.status_code == 201:
                taken.append(said["submission"])
                continue
            assert answer.status_code in (400, 413, 422), (upload.name, answer.text)
            assert said["error"] in CODES.keys() - {"CB001"}, upload.name
            assert "Traceback" not in answer.text
    with platform.database.read() as connection:
        kept = [one.id for one in list_submissions(connection, None)]
        assert get_submission(connection, before.id) == before
    assert sorted(kept) == sorted([before.id, *taken])
    assert not list(platform.files.list_incoming())


@pytest.fixture
def everyone(platform: Platform, clock: MovableClock) -> list[User]:
    """Teams with such names, each with a scored submission that is called so, too."""
    people = []
    clock.set(datetime(2026, 3, 2, tzinfo=UTC))
    organiser(platform)
    for number, name in enumerate(NAMES):
        with platform.database.write() as connection:
            person = register_team(
                connection,
                email=f"{number}@example.org",
                name=name[:100],
                password_hash=password_hash(),
                team_name=name[:80],
                affiliation=name,
                now=clock(),
                approved=True,
            )
            set_team_state(connection, person.team or "", "approved", person=None, now=clock())
        send(
            platform,
            person,
            answers("good" if number % 2 else "poor", "training"),
            phase="training",
            label=name,
            file_name=f"{name}.conll",
        )
        people.append(person)
    score_all(platform)
    clock.set(datetime(2026, 3, 16, tzinfo=UTC))
    with platform.database.write() as connection:
        publish(connection, platform.campaign.phase("training"), person=None, now=clock())
    return people


def test_names_are_escaped_on_every_page_and_in_every_export(platform: Platform, everyone):
    board = "/phases/training/tasks/coreference/board"
    with browsing(create_app(platform, worker=0), "organiser@example.org") as browser:
        pages = {
            path: browser.get(path).text
            for path in (board, "/organise/teams", "/organise/submissions", "/organise/audit")
        }
        files = {kind: browser.get(f"{board}/{kind}").text for kind in ("csv", "tex", "json")}
        site = zipfile.ZipFile(io.BytesIO(browser.get("/organise/site.zip").content))
    pages |= {name: site.read(name).decode() for name in site.namelist() if name.endswith("html")}
    for path, html in pages.items():
        assert not re.search(r"<script>alert|<img src=x|<svg onload", html), path
        assert ">49<" not in html  # of {{7*7}}
    assert NAMES[0] in unescape(pages[board])
    for row in csv.reader(io.StringIO(files["csv"])):
        assert not [cell for cell in row if re.match(r"[=+@\t\r]|-[^\d]", cell)], row
    assert not re.search(r"(?<!\\textbackslash)\\(input|write18|end\{tabular\}\\relax)", files["tex"])
    assert files["tex"].count("\\end{tabular}") == 1
