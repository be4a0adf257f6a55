"""What the server is for those who watch it, and what it says when something is wrong."""

import errno
import io
import json
import logging
import shutil

import msgspec
import pytest
from litestar.types import ASGIApp
from sqlalchemy.exc import OperationalError

from corefbench.campaign.logs import log_to
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.database import Database
from corefbench.campaign.views.api_docs import openapi_document
from corefbench.campaign.views.app import create_app
from corefbench.campaign.views.routes import ROUTES
from corefbench.errors import CODES, CorefbenchError
from tests.campaign import answers, enter, submit
from tests.campaign_visits import TASK, browsing, organiser, token

PART = b"--b\r\nContent-Disposition: form-data; "
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""Where the database makes no difference."""


@SQLITE
def test_it_is_alive_and_ready(platform: Platform, app: ASGIApp):
    with browsing(app) as browser:
        assert browser.get("/health/live").text == "alive\n"
        assert browser.get("/health/ready").text == "ready\n"


@SQLITE
def test_its_health_includes_the_protections_of_scoring_processes(platform: Platform, app: ASGIApp, monkeypatch):
    monkeypatch.setattr("corefbench.campaign.jobs.sandbox._probe", lambda: frozenset({"limits"}))
    with browsing(app) as browser:
        assert browser.get("/health").json() == {
            "ready": True,
            "missing": "",
            "sandbox": {"network": False, "limits": True, "privileges": False, "audit-hook": False},
        }


@SQLITE
def test_it_is_alive_but_not_ready_without_its_database(platform: Platform, tmp_path):
    gone = Database(f"sqlite:///{tmp_path}/no/such/folder/campaign.db")
    with browsing(create_app(msgspec.structs.replace(platform, database=gone), worker=0)) as browser:
        assert browser.get("/health/live").status_code == 200
        ready = browser.get("/health/ready")
        assert (ready.status_code, "database" in ready.text) == (503, True)
        busy = browser.get("/api/v1/campaign")
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "2")
    gone.close()


def test_metrics_count_requests_and_submissions(platform: Platform, app: ASGIApp):
    person = enter(platform, "Secretive")
    submit(platform, person, label="hidden-label")
    headers = token(platform, organiser(platform))
    with browsing(app) as browser:
        browser.get("/api/v1/me")
        text = browser.get("/metrics", headers=headers).text
    assert 'corefbench_requests_total{route="api-me",status="200"}' in text
    counted = 'corefbench_submissions{phase="training",state="queued",task="coreference"} 1.0'
    assert counted in text
    assert "corefbench_queue 1.0" in text
    assert "Secretive" not in text
    assert "hidden-label" not in text


@SQLITE
def test_every_answer_has_the_headers_that_keep_it_to_itself(platform: Platform, app: ASGIApp):
    with browsing(app) as browser:
        for path in ("/", "/nothing", "/api/v1/me", "/static/campaign.css", "/health/live"):
            headers = browser.get(path).headers
            assert headers["content-security-policy"].startswith("default-src 'none'"), path
            assert headers["x-content-type-options"] == "nosniff"
        assert browser.get("/").headers["cache-control"] == "no-store"


@SQLITE
def test_foreign_hosts_and_origins_are_refused(platform: Platform):
    app = create_app(platform, hosts={"campaign.example.org"}, worker=0)
    with browsing(app) as browser:
        host = {"host": "campaign.example.org"}
        assert browser.get("/", headers=host).status_code == 200
        assert browser.get("/", headers={"host": "evil.example"}).status_code == 403
        foreign = {**host, "origin": "http://evil.example"}
        answer = browser.client.post("/api/v1/receipts/check", json={}, headers=foreign)
        assert answer.status_code == 403


@SQLITE
@pytest.mark.parametrize("path", ["/nothing", "/submissions/none", "/phases/none/tasks/none"])
def test_what_is_not_there_is_said_to_people_and_to_programs(platform: Platform, app: ASGIApp, path: str):
    headers = token(platform, enter(platform))
    with browsing(app) as browser:
        page = browser.get(path, headers=headers)
        assert (page.status_code, "<code>CB003</code>" in page.text) == (404, True)
        told = browser.get(f"/api/v1{path}", headers=headers)
        assert (told.status_code, told.json()["error"]) == (404, "CB003")


@SQLITE
def test_a_fault_of_the_platform_is_logged_and_tells_nothing(platform: Platform, app: ASGIApp, monkeypatch, caplog):
    def broken(*_: object) -> None:
        raise RuntimeError("a secret word")

    monkeypatch.setattr("corefbench.campaign.views.account.api_me", broken)
    with caplog.at_level(logging.ERROR), browsing(app) as browser:
        answer = browser.get("/api/v1/me")
    assert (answer.status_code, answer.json()["error"]) == (500, "CB001")
    assert "secret" not in answer.text
    assert "a secret word" in caplog.text


@SQLITE
def test_every_500_leaves_a_traceback_in_the_log_of_the_server(platform: Platform, app: ASGIApp, monkeypatch):
    def fail(*_: object) -> None:
        raise CorefbenchError("scoring failed", code="CB311")  # a coded error, and yet the platform's fault

    monkeypatch.setattr("corefbench.campaign.views.account.api_me", fail)
    stream = io.StringIO()
    with log_to(stream), browsing(app) as browser:
        assert browser.get("/api/v1/me").status_code == 500
    (line,) = [line for line in map(json.loads, stream.getvalue().splitlines()) if line["event"] == "request failed"]
    assert line["path"] == "/api/v1/me"
    assert "Traceback" in line["exception"]
    assert "in fail" in line["exception"]


@SQLITE
def test_a_full_disk_is_503_for_uploads_and_not_ready(platform: Platform, app: ASGIApp, monkeypatch):
    headers = token(platform, enter(platform))

    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with browsing(app) as browser:
        with monkeypatch.context() as patch:
            patch.setattr("corefbench.campaign.storage.files.os.fsync", refuse)
            url = f"/api/v1{TASK}/submissions?check=false"
            answer = browser.client.post(url, content=answers(), headers=headers)
            assert (answer.status_code, answer.json()["error"]) == (503, "CB320")
            assert answer.headers["retry-after"]
        assert list(platform.files.list_incoming()) == []
        full = shutil.disk_usage(platform.files.folder)._replace(free=1 << 20)
        monkeypatch.setattr("corefbench.campaign.views.health.shutil.disk_usage", lambda _: full)
        ready = browser.get("/health/ready")
        assert (ready.status_code, "the disk is full" in ready.text) == (503, True)
        assert browser.get("/health").json()["ready"] is False


@SQLITE
def test_a_database_without_space_is_503(platform: Platform, app: ASGIApp, monkeypatch):
    def fail(*_: object) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr("corefbench.campaign.views.account.api_me", fail)
    with browsing(app) as browser:
        answer = browser.get("/api/v1/me")
    assert (answer.status_code, answer.json()["error"]) == (503, "CB320")


@SQLITE
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--b\r\n",
        b"--b\r\nContent-Disposition: form-data; name=file\r\n\r\nno file\r\n--b--\r\n",
        b'--b\r\nContent-Disposition: form-data; name=f; filename=""\r\n\r\n\r\n--b--\r\n',
        b"--b\r\n" + b"x: y\r\n" * 5000,
        b"--b\r\nContent-Disposition: form-data; name=label\r\n\r\n" + b"x" * 9000 + b"\r\n--b--\r\n",
        b"--b\r\nContent-Disposition: form-data; name=f; filename=a\r\n\r\nx\r\n" * 2 + b"--b--\r\n",
    ],
)
def test_forms_that_are_none_are_refused(platform: Platform, app: ASGIApp, body: bytes):
    headers = token(platform, enter(platform))
    headers["content-type"] = "multipart/form-data; boundary=b"
    with browsing(app) as browser:
        answer = browser.client.post(f"/api/v1{TASK}/submissions", content=body, headers=headers)
        assert 400 <= answer.status_code < 500
        assert answer.json()["error"] in CODES
        assert list(platform.files.list_incoming()) == []


def test_the_document_of_the_interface_has_every_route_of_it():
    described = openapi_document()
    found = {(method.upper(), path) for path, one in described["paths"].items() for method in one}
    assert found == {(r.method, r.path) for r in ROUTES.values() if r.is_api}
    assert "CampaignInfo" in described["components"]["schemas"]
    assert not any("." in name for name in described["components"]["schemas"] if "errors" not in name)


def test_every_route_has_its_module():
    for route in ROUTES.values():
        assert callable(ROUTES.load_view(route.name)), route.name
        if route.page:
            assert ROUTES[route.page].kind == "page"


@SQLITE
def test_an_upload_that_breaks_off_leaves_nothing(platform: Platform, app: ASGIApp, caplog):
    import asyncio

    headers = token(platform, enter(platform))
    came = [{"type": "http.request", "body": b"#begin document", "more_body": True}, {"type": "http.disconnect"}]

    async def receive():
        return came.pop(0) if len(came) > 1 else came[0]

    async def send(message):
        pass

    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": f"/api/v1{TASK}/submissions",
        "raw_path": f"/api/v1{TASK}/submissions".encode(),
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), *((name.encode(), value.encode()) for name, value in headers.items())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "root_path": "",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "extensions": {},
    }
    with caplog.at_level(logging.ERROR):
        asyncio.run(app(scope, receive, send))
    assert list(platform.files.all()) == []
    assert list(platform.files.list_incoming()) == []
    assert not caplog.records
