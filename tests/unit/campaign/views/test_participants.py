"""From registering to the scores, as a browser and as a program go through it."""

import gzip
import re
from datetime import timedelta

import pytest
from litestar.types import ASGIApp

from corefbench.campaign.domain.submissions import Receipt, is_genuine
from corefbench.campaign.jobs.worker import score_next
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import verify_password
from corefbench.campaign.storage.users import get_password_hash, get_user_by_email, list_teams, set_team_state
from tests.campaign import PASSWORD, MovableClock, answers, enter, score, submit
from tests.campaign_visits import TASK, TEST, browsing, token

API = "/api/v1"
NEW = {
    "name": "Ada",
    "email": "ada@example.org",
    "password": "tulip anchor violin",
    "team": "Lovelace",
    "affiliation": "London",
}


def approve(platform: Platform) -> None:
    with platform.database.write() as connection:
        for team in list_teams(connection):
            set_team_state(connection, team.id, "approved", person=None, now=platform.clock())


def file(data: bytes, name: str = "answers.conll") -> dict[str, tuple[str, bytes]]:
    return {"file": (name, data)}


def test_a_team_registers_and_others_join_with_its_code(platform: Platform, app: ASGIApp):
    with browsing(app) as ada:
        ada.get("/register")
        assert ada.post("/register", NEW).headers["location"] == "/sign-in?to=%2Fteam&registered=yes"
        assert "Your registration has arrived" in ada.get("/sign-in?to=%2Fteam&registered=yes").text
        signed_in = ada.post("/sign-in", {"email": NEW["email"], "password": NEW["password"], "to": "/team"})
        assert signed_in.headers["location"] == "/team"
        page = ada.get("/team")
        assert "Waiting for approval" in page.text
        assert "have been told" not in page.text  # nothing is sent to anybody
        assert "tulip" not in page.text
        with platform.database.read() as connection:
            (team,) = list_teams(connection)
        assert team.code in page.text
        assert "approval" in ada.get(TASK).text
    with browsing(app) as bob:
        bob.get("/register")
        mine = {**NEW, "name": "Bob", "email": "bob@example.org", "team": "", "code": team.code}
        assert bob.post("/register", mine).status_code == 303
        bob.get("/sign-in")
        bob.post("/sign-in", {"email": "bob@example.org", "password": NEW["password"]})
        assert "ada@example.org" in bob.get("/team").text
        approve(platform)
        assert "Approved" in bob.get("/team").text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"email": "nobody"}, "CB002"),
        ({"password": "short"}, "CB002"),
        ({"team": "", "code": ""}, "CB002"),
        ({"name": "a\x07b"}, "CB002"),
        ({"team": "x" * 81}, "CB002"),
        ({"code": "guessed"}, "CB312"),
        ({"team": "a-team"}, "CB317"),
    ],
)
def test_what_cannot_be_registered_is_said_in_place(
    platform: Platform, app: ASGIApp, change: dict[str, str], code: str
):
    enter(platform, "A-Team")
    with browsing(app) as browser:
        browser.get("/register")
        answer = browser.post("/register", {**NEW, **change})
        assert 400 <= answer.status_code < 500
        assert f"<code>{code}</code>" in answer.text
        assert 'value="London"' in answer.text
        assert NEW["password"] not in answer.text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("how", ["new team", "taken team", "code", "wrong code"])
def test_a_known_address_gets_the_answer_of_an_unknown_one(platform: Platform, app: ASGIApp, how: str):
    enter(platform, "A-Team")
    with platform.database.read() as connection:
        (team,) = list_teams(connection)
    changes = {"taken team": {"team": "A-Team"}, "code": {"code": team.code}, "wrong code": {"code": "guessed"}}
    answers = []
    for email in ("A-Team@example.org", "nobody@example.org"):
        with browsing(app) as browser:
            browser.get("/register")
            answer = browser.post("/register", {**NEW, "email": email, **changes.get(how, {})})
            text = re.sub(r'name="csrf" value="[^"]+"', "", answer.text).replace(email, "")
            answers.append((answer.status_code, answer.headers.get("location"), sorted(answer.headers), text))
    assert answers[0] == answers[1]
    with platform.database.read() as connection:  # the account of the known address is as it was
        user = get_user_by_email(connection, "a-team@example.org")
        assert user is not None
        assert verify_password(PASSWORD, get_password_hash(connection, user.id))
        assert user.team == team.id


def test_signing_in_and_out(platform: Platform, app: ASGIApp):
    enter(platform)
    with browsing(app) as browser:
        assert browser.get("/team").headers["location"] == "/sign-in?to=%2Fteam"
        browser.get("/sign-in?to=%2Fteam")
        form = {"email": "A-Team@Example.org", "password": PASSWORD, "to": "/team"}
        wrong = browser.post("/sign-in", {**form, "password": "another password"})
        assert wrong.status_code == 403
        assert "CB342" in wrong.text
        entered = browser.post("/sign-in", form)
        assert entered.headers["location"] == "/team"
        said = entered.headers["set-cookie"].lower()
        assert "httponly" in said
        assert "samesite=lax" in said
        assert browser.get("/team").status_code == 200
        old = browser.client.cookies["corefbench_session"]
        browser.post("/sign-out")
        assert browser.get("/team").status_code == 303
        again = {"cookie": f"corefbench_session={old}"}
        assert browser.get("/team", headers=again).status_code == 303


def test_a_session_ends_by_itself(platform: Platform, app: ASGIApp, clock: MovableClock):
    enter(platform)
    with browsing(app, "a-team@example.org") as browser:
        assert browser.get("/team").status_code == 200
        clock.forward(days=8)
        assert browser.get("/team").status_code == 303


def test_another_password_ends_all_other_sessions(platform: Platform, app: ASGIApp):
    enter(platform)
    with browsing(app, "a-team@example.org") as here, browsing(app, "a-team@example.org") as there:
        here.get("/account")
        form = {"password": "not the present", "new_password": "tulip anchor violin"}
        refused = here.post("/account", form)
        assert (refused.status_code, "CB342" in refused.text) == (403, True)
        form["password"] = PASSWORD
        assert here.post("/account", {**form, "new_password": "short"}).status_code == 422
        assert here.post("/account", form).headers["location"] == "/account?changed=yes"
        assert "is changed" in here.get("/account?changed=yes").text
        assert there.get("/account").status_code == 303
        assert there.sign_in("a-team@example.org").status_code == 403
        assert there.sign_in("a-team@example.org", "tulip anchor violin").status_code == 303


def test_passwords_cannot_be_guessed_quickly(platform: Platform, app: ASGIApp, clock: MovableClock):
    enter(platform)
    with browsing(app) as browser:
        browser.get("/sign-in")
        form = {"email": "a-team@example.org", "password": "a guess at it"}
        told = [browser.post("/sign-in", form).status_code for _ in range(11)]
        assert told == [403] * 10 + [429]
        right = {**form, "password": PASSWORD}
        assert browser.post("/sign-in", right).status_code == 429
        clock.forward(minutes=16)
        assert browser.post("/sign-in", right).status_code == 303


def test_data_is_had_with_a_receipt_once_the_window_was_confirmed(
    platform: Platform, app: ASGIApp, clock: MovableClock
):
    enter(platform)
    clock.set(platform.campaign.phase("test").opens)
    with browsing(app, "a-team@example.org") as browser:
        page = browser.get(TEST)
        assert "48 hours begin now" in page.text
        refused = browser.post(f"{TEST}/download")
        assert refused.status_code == 409
        assert "CB304" in refused.text
        taken = browser.post(f"{TEST}/download", {"understood": "yes"})
        where = taken.headers["location"]
        page = browser.get(where)
        closes = clock() + timedelta(hours=48)
        assert f"{closes:%Y-%m-%dT%H:%M:%S}.000000Z" in page.text
        given = browser.get(f"{where}/file")
        assert given.content == platform.path("data/test.conll").read_bytes()
        assert "attachment" in given.headers["content-disposition"]
        clock.forward(hours=47)
        assert "1 hour" in browser.get(TEST).text
        assert browser.post(f"{TEST}/download").status_code == 303
        clock.set(platform.campaign.phase("test").closes)
        browser.sign_in("a-team@example.org")
        assert browser.get(f"{where}/file").status_code == 409


def test_answers_are_checked_sent_scored_and_shown(platform: Platform, app: ASGIApp):
    enter(platform)
    with browsing(app, "a-team@example.org") as browser:
        broken = b"#begin document (a);\nAnn (1)\nleft 1)\n\n#end document\n"
        refused = browser.post(f"{TASK}/submissions", {"label": "<b>"}, files=file(broken))
        assert refused.status_code == 422
        assert "CB104" in refused.text
        assert "<b>" not in refused.text
        only = browser.post(f"{TASK}/submissions", {"only": "check"}, files=file(answers("good", "training")))
        assert "can be read" in only.text
        assert browser.client.get(f"{API}/submissions").json() == []
        packed = file(gzip.compress(answers("good", "training")), "a.conll.gz")
        sent = browser.post(f"{TASK}/submissions", {"label": "<b>"}, files=packed)
        where = sent.headers["location"]
        page = browser.get(where)
        assert "Place 1 in the queue" in page.text
        assert "&lt;b&gt;" in page.text
        from threading import Event

        assert score_next(platform, stop=Event(), name="tests") is not None
        page = browser.get(where)
        assert "90.30" in page.text
        assert "divided" in page.text or "missing" in page.text
        refused = browser.post(f"{where}/withdraw")
        assert refused.status_code == 422
        assert browser.post(f"{where}/withdraw", {"sure": "yes"}).status_code == 303
        assert "Withdrawn" in browser.get(where).text


def test_scores_of_a_blind_phase_wait_for_publication(platform: Platform, app: ASGIApp, clock: MovableClock):
    from corefbench.campaign.storage.settings import publish
    from tests.campaign import download

    phase = platform.campaign.phase("test")
    clock.set(phase.opens)
    person = enter(platform)
    download(platform, person)
    sent = submit(platform, person, phase="test")
    score(platform, 0.625)
    headers = token(platform, person)
    with browsing(app) as browser:
        where = f"{API}/submissions/{sent.id}"
        assert browser.get(where, headers=headers).json()["result"] is None
        page = browser.get(f"/submissions/{sent.id}", headers=headers).text
        assert "when the organisers publish" in page
        assert "62.5" not in page
        clock.set(phase.closes)
        with platform.database.write() as connection:
            publish(connection, phase, person=None, now=clock())
        assert browser.get(where, headers=headers).json()["result"]["headline"] == 0.625


def test_programs_submit_once_however_often_they_send(platform: Platform, app: ASGIApp):
    person = enter(platform)
    headers = token(platform, person)
    data = answers("good", "training")
    with browsing(app) as browser:
        where = f"{API}{TASK}/submissions?file_name=a.conll&request=7&label=one"
        told = [browser.client.post(where, content=data, headers=headers) for _ in range(3)]
        assert [answer.status_code for answer in told] == [201] * 3
        assert len({answer.text for answer in told}) == 1
        other = browser.client.post(where, content=data + b"\n", headers=headers)
        assert (other.status_code, other.json()["error"]) == (409, "CB318")
        receipt = told[0].json()["receipt"]
        assert is_genuine(Receipt(**receipt), platform.secret)
        checked = browser.client.post(f"{API}/receipts/check", json=receipt)
        assert checked.json() == {"genuine": True}
        changed = {**receipt, "time": "2026-03-01T00:00:00.000000Z"}
        checked = browser.client.post(f"{API}/receipts/check", json=changed)
        assert checked.json() == {"genuine": False}
        listed = browser.client.get(f"{API}/submissions", headers=headers).json()
        assert [(one["label"], one["queue_position"]) for one in listed] == [("one", 1)]
        with_form = browser.client.post(
            f"{API}{TASK}/submissions", data={"label": "two"}, files=file(data), headers=headers
        )
        assert with_form.status_code == 201


def test_the_check_of_the_interface_submits_nothing(platform: Platform, app: ASGIApp):
    person = enter(platform)
    headers = token(platform, person)
    with browsing(app) as browser:
        good = browser.client.post(f"{API}{TASK}/check", content=answers("good", "training"), headers=headers).json()
        assert good["valid"]
        bad = browser.client.post(f"{API}{TASK}/check", content=b"\xff\xfe", headers=headers).json()
        assert not bad["valid"]
        assert bad["findings"]
        first = browser.client.post(f"{API}{TASK}/submissions?check=true", content=b"\xff\xfe", headers=headers)
        assert first.status_code == 422
        assert first.json()["findings"]
        assert browser.client.get(f"{API}/submissions", headers=headers).json() == []


def test_the_rules_refuse_with_their_codes(platform: Platform, app: ASGIApp, clock: MovableClock):
    person = enter(platform)
    headers = token(platform, person)
    test = platform.campaign.phase("test")
    with browsing(app) as browser:

        def sent(place: str = TEST) -> tuple[int, str]:
            answer = browser.client.post(f"{API}{place}/submissions", content=b"words", headers=headers)
            return answer.status_code, answer.json().get("error", "")

        assert sent() == (409, "CB302")
        clock.set(test.opens)
        assert sent() == (409, "CB304")
        browser.client.post(f"{API}{TEST}/downloads", headers=headers)
        assert [sent() for _ in range(3)] == [(201, ""), (201, ""), (409, "CB305")]
        place = browser.client.get(f"{API}{TEST}", headers=headers).json()
        assert place["left"] == {"total": 1, "day": 0}
        clock.forward(hours=48)
        assert sent() == (409, "CB304")
        clock.set(test.closes)
        assert sent() == (409, "CB303")
        assert sent("/phases/test/tasks/none") == (404, "CB003")


def test_too_much_is_refused_before_it_is_kept(platform: Platform, app: ASGIApp, tmp_path):
    from corefbench.campaign.views.app import create_app
    from corefbench.campaign.views.state import Limits

    person = enter(platform)
    headers = token(platform, person)
    small = create_app(platform, worker=0, limits=Limits(upload=1000))
    with browsing(small) as browser:
        answer = browser.client.post(f"{API}{TASK}/submissions", content=b"x" * 2_000_000, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (413, "CB309")
        assert list(platform.files.all()) == []
        assert list(platform.files.list_incoming()) == []
        long = browser.client.post(f"{API}/receipts/check", content=b" " * 300_000)
        assert (long.status_code, long.json()["error"]) == (413, "CB309")


def test_a_token_is_shown_once_and_can_be_revoked(platform: Platform, app: ASGIApp):
    enter(platform)
    with browsing(app, "a-team@example.org") as browser:
        page = browser.post("/tokens", {"label": "laptop"})
        clear = page.text.split('id="secret">')[1].split("<")[0]
        headers = {"authorization": f"Bearer {clear}"}
        with browsing(app) as program:
            assert program.get(f"{API}/me", headers=headers).json()["team_name"] == "A-Team"
            page = browser.get("/tokens")
            assert clear not in page.text
            number = page.text.split('action="/tokens/')[1].split("/")[0]
            assert browser.post(f"/tokens/{number}/revoke").status_code == 303
            assert program.get(f"{API}/me", headers=headers).status_code == 401
