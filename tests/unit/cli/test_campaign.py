"""``corefbench campaign``: what organisers and participants type."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from corefbench.campaign.config_file import CONFIG_NAME, read_campaign
from corefbench.campaign.platform import open_platform
from corefbench.campaign.storage.audit import list_audit_entries
from corefbench.campaign.storage.credentials import create_session, create_token, get_session_identity, verify_password
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.submissions import get_submission
from corefbench.campaign.storage.users import get_password_hash, get_user_by_email
from corefbench.cli.main import app
from corefbench.errors import CorefbenchError
from tests.campaign import answers, enter, write_campaign
from tests.campaign_play import score_all, send


def run(*arguments: object, typed: str = "", code: int = 0) -> Result:
    done = CliRunner().invoke(app, ["campaign", *map(str, arguments)], input=typed)
    if isinstance(done.exception, CorefbenchError):
        assert done.exception.exit_code == code, done.exception
    else:
        assert done.exit_code == code, done.output
    return done


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_campaign(tmp_path / "tiny")


@pytest.fixture
def lived(tiny: Path) -> Path:
    """A campaign in which two teams have taken part, and which is published."""
    campaign = read_campaign(tiny)
    test = campaign.phase("test")
    platform = open_platform(tiny, clock=lambda: test.opens + timedelta(hours=1))
    for name, quality in (("Zebra", "good"), ("Ant", "poor")):
        send(platform, enter(platform, name), answers(quality))
    assert score_all(platform) == 2
    with platform.database.write() as connection:
        publish(connection, test, person=None, now=test.closes)
    platform.close()
    return tiny


def test_a_new_folder_is_in_order(tmp_path: Path) -> None:
    said = run("init", tmp_path / "c", "--title", "Exercise", "--contact", "a@example.org")
    assert "Exercise (task-1, task-2, task-3, task-4; training, test)" in said.stdout
    assert read_campaign(tmp_path / "c").contact == "a@example.org"
    assert run("validate", tmp_path / "c").stdout.strip().endswith("no problems found")


def test_problems_are_listed_with_their_lines(tiny: Path) -> None:
    text = (tiny / CONFIG_NAME).read_text("utf-8")
    (tiny / CONFIG_NAME).write_text(text.replace('rank = "lea"', 'rank = "leaf"'), "utf-8")
    said = run("validate", tiny, code=3).stdout
    assert re.search(r"campaign\.toml:\d+: error CB308 there is no such score to rank by", said)
    told = json.loads(run("validate", tiny, "--format", "json", code=3).stdout)
    assert told["findings"][0]["place"]["line"] > 1


def test_an_organiser_is_made_with_a_password_from_standard_input(tiny: Path) -> None:
    run("organiser", tiny, "o@example.org", typed="correct horse battery\n")
    platform = open_platform(tiny)
    with platform.database.read() as connection:
        made = get_user_by_email(connection, "o@example.org")
    platform.close()
    assert made is not None
    assert made.organiser
    run("organiser", tiny, "p@example.org", typed="short\n", code=2)
    run("organiser", tiny, "nobody", typed="correct horse battery\n", code=2)


def test_a_password_is_given_anew_and_all_sessions_end(tiny: Path) -> None:
    run("organiser", tiny, "o@example.org", typed="correct horse battery\n")
    platform = open_platform(tiny)
    now = platform.clock()
    try:
        with platform.database.write() as connection:
            made = get_user_by_email(connection, "o@example.org")
            assert made is not None
            asked = {"csrf": "", "now": now, "expires": now + timedelta(days=1)}
            create_session(connection, digest="d", person=made.id, **asked)
        drawn = run("password", tiny, "O@example.org").stdout.strip()
        with platform.database.read() as connection:
            assert get_session_identity(connection, "d", now) is None
            assert verify_password(drawn, get_password_hash(connection, made.id))
            assert not verify_password("correct horse battery", get_password_hash(connection, made.id))
            entry = list_audit_entries(connection)[0]
            assert (entry.action, entry.subject) == ("password reset", made.id)
        said = run("password", tiny, "o@example.org", "--ask", typed="battery staple horse\n").stdout
        assert "battery" not in said
        with platform.database.read() as connection:
            assert verify_password("battery staple horse", get_password_hash(connection, made.id))
    finally:
        platform.close()
    run("password", tiny, "o@example.org", "--ask", typed="short\n", code=2)
    run("password", tiny, "nobody@example.org", code=2)


def test_boards_are_printed_in_four_formats_as_visitors_see_them(lived: Path) -> None:
    said = run("export", lived, "--task", "coreference").stdout
    assert [line.split(",")[1] for line in said.splitlines()[1:3]] == ["Zebra", "Ant"]
    assert "tabular" in run("export", lived, "--format", "latex").stdout
    assert "| Zebra" in run("export", lived, "--format", "markdown").stdout
    board = json.loads(run("export", lived, "--task", "coreference", "-f", "json").stdout)
    assert [line["team"] for line in board["lines"]] == ["Zebra", "Ant"]
    run("export", lived, "--phase", "training", code=2)
    run("export", lived, "--phase", "training", "--organiser")


def test_a_campaign_goes_into_a_backup_and_comes_back_with_its_site(lived: Path, tmp_path: Path) -> None:
    assert "4 files" in run("backup", lived, tmp_path / "b.tar").stdout
    run("restore", lived, tmp_path / "b.tar", code=2)  # there is a campaign in its state
    run("restore", lived, tmp_path / "b.tar", "--state", tmp_path / "new")
    for state, site in ((lived / "state", "one"), (tmp_path / "new", "two")):
        run("export", lived, tmp_path / site, "--state", state)
    pages = [p for p in (tmp_path / "one").rglob("*") if p.is_file()]
    assert len(pages) > 5
    for page in pages:
        other = tmp_path / "two" / page.relative_to(tmp_path / "one")
        assert page.read_bytes() == other.read_bytes()
    run("export", lived, tmp_path / "one", code=2)  # the folder is not empty


def test_a_backup_of_another_campaign_is_refused(lived: Path, tmp_path: Path) -> None:
    run("backup", lived, tmp_path / "b.tar")
    text = (lived / CONFIG_NAME).read_text("utf-8").replace('name = "tiny"', 'name = "other"')
    (lived / CONFIG_NAME).write_text(text, "utf-8")
    run("restore", lived, tmp_path / "b.tar", "--state", tmp_path / "new", code=3)


@contextmanager
def _running(command: list[str]) -> "Iterator[subprocess.Popen[str]]":
    """A process that does not outlive a test that fails."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8") as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def test_a_worker_scores_what_waits_and_ends_when_it_is_told_to(tiny: Path) -> None:
    training = read_campaign(tiny).phase("training")
    platform = open_platform(tiny, clock=lambda: training.opens)
    waiting = send(platform, enter(platform), answers("good", "training"), phase="training")
    command = [sys.executable, "-m", "corefbench", "campaign", "worker", str(tiny), "--name", "w"]
    with _running(command) as worker:
        assert worker.stderr is not None
        events = (json.loads(line) for line in worker.stderr)
        ended = next(event for event in events if event["event"] == "scoring finished")
        os.kill(worker.pid, signal.SIGTERM)
        last = list(events)[-1]
    assert worker.returncode == 0
    assert (ended["submission"], ended["state"], ended["worker"]) == (waiting.id, "scored", "w")
    assert last["event"] == "worker stopped"
    with platform.database.read() as connection:
        assert get_submission(connection, waiting.id).state == "scored"
    platform.close()


def test_without_a_server_nothing_is_sent(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    run("submit", "test", "coreference", tmp_path / "a", code=2)
    run("status", code=2)


@pytest.fixture
def served(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of its own process, in which a team is approved; the token is in the environment."""
    text = (tiny / CONFIG_NAME).read_text("utf-8")
    text = text.replace("2026-03-01T00:00:00Z", "2020-01-01T00:00:00Z")
    text = text.replace("2026-03-15T00:00:00Z", "2999-01-01T00:00:00Z")
    (tiny / CONFIG_NAME).write_text(text.replace("2026-03-22T00:00:00Z", "2999-02-01T00:00:00Z"), "utf-8")
    platform = open_platform(tiny)
    person = enter(platform)
    with platform.database.write() as connection:
        token = create_token(connection, person.id, "tests", platform.clock())
    platform.close()
    command = [sys.executable, "-m", "corefbench", "campaign", "serve", str(tiny), "--port", "0"]
    with _running(command) as server:
        assert server.stderr is not None
        lines = (re.search(r" is at (http://\S+)", line) for line in server.stderr)
        address = next(found[1] for found in lines if found)
        monkeypatch.setenv("COREFBENCH_TOKEN", token)
        monkeypatch.setenv("COREFBENCH_SERVER", address)
        yield address
        os.kill(server.pid, signal.SIGTERM)
        log = server.stderr.read()
    assert server.returncode == 0, log
    assert "Traceback" not in log


def test_answers_are_sent_scored_and_proved_over_a_real_server(served: str, tmp_path: Path) -> None:
    place = ("training", "coreference")
    got, sent = tmp_path / "input.conll", tmp_path / "answers.conll"
    assert json.loads(run("download", *place, got, "--yes").stdout)["what"] == "download"
    assert got.read_bytes() == answers("none", "training")
    sent.write_bytes(answers("good", "training"))
    assert run("submit", *place, sent, "--only-check").stdout == "can be submitted\n"
    told = run("submit", *place, sent, "--label", "first", "--request", "r1").stdout
    receipt = json.loads(told)
    again = json.loads(run("submit", *place, sent, "--request", "r1").stdout)
    assert again == receipt
    (tmp_path / "receipt.json").write_text(told, "utf-8")
    genuine = run("verify-receipt", tmp_path / "receipt.json", sent).stdout
    assert genuine.startswith(f"genuine: submission {receipt['number']}")
    (tmp_path / "receipt.json").write_text(told.replace("training", "trainings"), "utf-8")
    run("verify-receipt", tmp_path / "receipt.json", code=1)
    run("verify-receipt", tmp_path / "receipt.json", got, code=1)
    waited = run("submit", *place, sent, "--request", "r1", "--wait", "60").stdout
    assert '"state": "scored"' in waited
    assert re.search(rf"{receipt['number']} .* scored  conll \d+\.\d\d  first", run("status").stdout)
    shown = json.loads(run("status", receipt["number"], "--format", "json").stdout)
    assert 0 < shown["result"]["headline"] <= 1
    sent.write_bytes(b"#begin document (x);\nAnn (1\n\n#end document\n")
    run("submit", *place, sent, "--only-check", code=3)
    run("submit", *place, sent, code=3)
    run("submit", "test", "coreference", sent, "--no-check", code=3)


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_without_a_sandbox_that_is_required_nothing_starts(tiny: Path, monkeypatch, command: str) -> None:
    monkeypatch.setattr("corefbench.campaign.jobs.sandbox._probe", frozenset)
    done = run(command, tiny, "--require-sandbox", code=2)
    assert "CB319" in str(done.exception)
    assert "not active: no network" in str(done.exception)
