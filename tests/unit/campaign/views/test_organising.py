"""Boards and the organisers' console, as browsers see them."""

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from corefbench.campaign.domain.evaluation import Failed
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.audit import list_audit_entries
from corefbench.campaign.storage.settings import is_frozen, is_published
from corefbench.campaign.storage.submissions import Submission, get_submission
from corefbench.campaign.storage.users import User, get_team
from corefbench.campaign.views.app import create_app
from tests.campaign import MovableClock, answers, enter, score
from tests.campaign_play import score_all, send
from tests.campaign_visits import TEST, Browser, browsing, organiser

IN_TEST = datetime(2026, 3, 16, tzinfo=UTC)
AFTER = datetime(2026, 3, 23, tzinfo=UTC)
# What differs between databases is below the pages, and tested there.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def alpha(platform: Platform, clock: MovableClock) -> User:
    clock.set(IN_TEST)
    return enter(platform, "Alpha")


@pytest.fixture
def sent(platform: Platform, alpha: User) -> list[Submission]:
    """One good submission, one poor one of another team, one that cannot be read."""
    beta = enter(platform, "Beta")
    made = [
        send(platform, alpha, answers("good"), label="first"),
        send(platform, beta, answers("poor")),
        send(platform, alpha, b"nonsense\n", task="links", file_name="nonsense.conll"),
    ]
    score_all(platform)
    return made


@pytest.fixture
def browser(platform: Platform, clock: MovableClock) -> Iterator[Browser]:
    """An organiser's."""
    clock.set(IN_TEST)
    organiser(platform)
    with browsing(create_app(platform, worker=False), "organiser@example.org") as opened:
        yield opened


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def state_of(platform: Platform, one: Submission) -> str:
    with platform.database.read() as connection:
        found = get_submission(connection, one.id)
    assert found is not None
    return found.state


def test_the_overview_says_what_goes_on(browser: Browser, platform: Platform, sent: list[Submission], alpha: User):
    enter(platform, "Waiting", approved=False)
    send(platform, alpha, answers("good"))
    shown = text(browser.get("/organise").text)
    assert "Teams waiting 1" in shown
    assert "Teams approved 2" in shown
    assert "In the queue 1" in shown
    assert "nonsense.conll" in shown
    assert sent[2].id in shown


def test_a_team_is_approved_and_refused(browser: Browser, platform: Platform):
    person = enter(platform, "Waiting", approved=False)
    assert "1 of them waits for an answer" in text(browser.get("/organise/teams").text)
    for decision in ("approved", "refused"):
        answer = browser.post(f"/organise/teams/{person.team}", {"decision": decision})
        assert answer.status_code == 303
        with platform.database.read() as connection:
            assert get_team(connection, person.team).state == decision
            assert list_audit_entries(connection)[0].action == f"team {decision}"
    assert browser.post(f"/organise/teams/{person.team}", {"decision": "x"}).status_code == 404
    assert browser.post("/organise/teams/nobody", {"decision": "approved"}).status_code == 404


def test_submissions_are_filtered(browser: Browser, sent: list[Submission], alpha: User):
    def found(**query: str) -> set[str]:
        html = browser.get("/organise/submissions", params=query).text
        return {one.id for one in sent if one.id in html}

    assert found() == {one.id for one in sent}
    assert found(state="scored") == {sent[0].id, sent[1].id}
    assert found(task="links") == {sent[2].id}
    assert found(team=alpha.team) == {sent[0].id, sent[2].id}
    assert found(phase="training") == set()
    assert found(phase="nonsense", page="99999999999") == {one.id for one in sent}


def test_one_submission_or_all_of_a_task_are_scored_again(browser: Browser, platform: Platform, sent: list[Submission]):
    browser.get("/organise/submissions", params={"manage": sent[0].id})
    assert browser.post("/organise/rescore", {"submission": sent[0].id}).status_code == 303
    assert state_of(platform, sent[0]) == "queued"
    assert score_all(platform) == 1
    answer = browser.post("/organise/rescore", {"all": "yes", "phase": "test", "task": "coreference"})
    assert answer.headers["location"] == "/organise/submissions?phase=test&task=coreference"
    assert [state_of(platform, one) for one in sent] == ["queued", "queued", "invalid"]
    assert score_all(platform) == 2
    assert browser.post("/organise/rescore").status_code == 422
    assert browser.post("/organise/rescore", {"submission": "nothing"}).status_code == 404


def test_a_submission_is_disqualified_for_a_reason(browser: Browser, platform: Platform, sent: list[Submission]):
    form = {"submission": sent[1].id, "reason": "  "}
    refused = browser.post("/organise/disqualify", form)
    assert refused.status_code == 422
    assert "not disqualified without a reason" in refused.text
    assert state_of(platform, sent[1]) == "scored"
    answer = browser.post("/organise/disqualify", {**form, "reason": "Trained on the key"})
    assert answer.status_code == 303
    assert state_of(platform, sent[1]) == "disqualified"
    log = text(browser.get("/organise/audit").text)
    assert f"disqualify {sent[1].id} Trained on the key" in log
    assert "organiser@example.org" in log
    assert browser.post("/organise/disqualify", {**form, "reason": "again"}).status_code == 409


def test_the_campaign_is_frozen_and_goes_on(browser: Browser, platform: Platform):
    browser.get("/organise")
    for frozen in (True, False):
        browser.post("/organise/freeze", {"frozen": "yes" if frozen else "no"})
        with platform.database.read() as connection:
            assert is_frozen(connection) is frozen
        assert ("nothing is taken" in browser.get("/organise").text) is frozen
    assert browser.post("/organise/freeze", {"frozen": "maybe"}).status_code == 404


def test_nothing_is_published_early_or_unseen(
    browser: Browser, platform: Platform, clock: MovableClock, sent: list[Submission]
):
    early = browser.post("/organise/phases/test", {"sure": "yes"})
    assert early.status_code == 422
    assert "is not over" in early.text
    clock.set(AFTER)
    browser.sign_in("organiser@example.org")
    assert "Alpha" in browser.get("/organise/phases/test").text
    assert browser.post("/organise/phases/test").status_code == 422
    with platform.database.read() as connection:
        assert not is_published(connection, "test")
    assert browser.post("/organise/phases/test", {"sure": "yes"}).status_code == 303
    with platform.database.read() as connection:
        assert is_published(connection, "test")
        assert list_audit_entries(connection)[0].action == "publish"
    with zipfile.ZipFile(io.BytesIO(browser.get("/organise/site.zip").content)) as site:
        assert "tiny/index.html" in site.namelist()


def test_visitors_see_boards_after_publication_only(
    platform: Platform, clock: MovableClock, sent: list[Submission], browser: Browser
):
    clock.set(AFTER)
    with browsing(create_app(platform, worker=False)) as visitor:
        assert "Alpha" not in visitor.get("/boards").text
        assert "once the organisers have published" in text(visitor.get(f"{TEST}/board").text)
        assert visitor.get(f"{TEST}/board/csv").status_code == 403
        browser.sign_in("organiser@example.org")
        browser.post("/organise/phases/test", {"sure": "yes"})
        assert "Alpha" in visitor.get("/boards").text
        rows = list(csv.reader(io.StringIO(visitor.get(f"{TEST}/board/csv").text)))
        assert [row[1] for row in rows] == ["Team", "Alpha", "Beta"]
        assert visitor.get(f"{TEST}/board/xlsx").status_code == 404
        assert visitor.get("/phases/test/tasks/nothing/board").status_code == 404


def test_scores_of_an_earlier_profile_are_pointed_out_until_scored_again(
    platform: Platform, clock: MovableClock, sent: list[Submission]
):
    tasks = tuple(replace(task, choices={"singletons": "strip"}) for task in platform.campaign.tasks)
    changed = replace(platform, campaign=replace(platform.campaign, tasks=tasks))
    organiser(platform)
    with browsing(create_app(changed, worker=False), "organiser@example.org") as browser:
        assert "2 submissions were scored with an earlier profile" in browser.get("/organise").text
        assert browser.get("/organise/submissions").text.count(">outdated<") == 2
        assert "scored with an earlier profile" in browser.get("/organise/phases/test").text
        form = {"all": "yes", "phase": "test", "task": "coreference"}
        assert browser.post("/organise/rescore", form).status_code == 303
        assert score_all(changed) == 2
        for path in ("/organise", "/organise/phases/test"):
            assert "with an earlier profile" not in browser.get(path).text


def test_scores_by_another_key_are_pointed_out_until_scored_again(
    browser: Browser, platform: Platform, sent: list[Submission]
):
    assert "another key" not in browser.get("/organise").text
    key = platform.path("data/test.key.conll")
    key.write_bytes(key.read_bytes().replace(b"(2)", b"-"))
    assert "2 submissions were scored" in browser.get("/organise").text
    assert browser.get("/organise/submissions").text.count(">outdated<") == 2
    assert "or against another key" in browser.get("/organise/phases/test").text
    browser.post("/organise/rescore", {"all": "yes", "phase": "test", "task": "coreference"})
    assert "against another key" not in browser.get("/organise").text  # it is being done
    assert score_all(platform) == 2
    assert ">outdated<" not in browser.get("/organise/submissions").text
    assert "against another key" not in browser.get("/organise/phases/test").text


def test_what_is_rescored_stays_on_the_board_and_is_marked(
    browser: Browser, platform: Platform, sent: list[Submission]
):
    def shown() -> list[tuple[str, bool]]:
        lines = browser.get(f"{TEST}/board/json").json()["lines"]
        return [(line["team"], line.get("being_rescored", False)) for line in lines]

    assert shown() == [("Alpha", False), ("Beta", False)]
    browser.get("/organise/submissions")
    browser.post("/organise/rescore", {"submission": sent[1].id})
    assert shown() == [("Alpha", False), ("Beta", True)]
    assert browser.get(f"{TEST}/board").text.count(">being rescored<") == 1
    assert browser.get("/organise/submissions").text.count(">being rescored<") == 1
    assert "these are the scores of before" in browser.get(f"/submissions/{sent[1].id}").text
    assert score_all(platform) == 1
    assert shown() == [("Alpha", False), ("Beta", False)]


def test_what_cannot_be_done_is_not_offered(browser: Browser, platform: Platform, alpha: User, sent: list[Submission]):
    failed = send(platform, alpha, answers("good"))
    for _ in range(3):
        score(platform, Failed(reason="no memory"))
    assert state_of(platform, failed) == "failed"
    forms = browser.get("/organise/submissions", params={"manage": failed.id}).text
    assert "Score it again" in forms
    assert "Disqualify for good" not in forms
    forms = browser.get("/organise/submissions", params={"manage": sent[0].id}).text
    assert "Disqualify for good" in forms


def test_all_scores_begin_with_the_one_that_ranks(browser: Browser, platform: Platform, sent: list[Submission]):
    table = browser.get(f"{TEST}/board").text.partition('<table class="scores">')[2]
    assert table.index(">CoNLL F1<") < table.index(">MUC<")
