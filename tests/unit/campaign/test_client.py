"""The client: sends again what the line lost, and never submits twice."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corefbench.campaign.client import Client, Refused, Request, Response, send_request
from corefbench.campaign.domain.submissions import Receipt
from corefbench.errors import DataError, UsageError

RECEIPT = Receipt(
    what="submission",
    number="s1",
    team="t",
    phase="test",
    task="task-1",
    sha256="00",
    bytes=3,
    time="2026-03-01T00:00:00.000000Z",
    seal="ab",
)
TAKEN = msgspec.json.encode({"submission": "s1", "state": "queued", "receipt": RECEIPT})


class Line:
    """A line to a server: gives these answers, or breaks, in turn."""

    def __init__(self, *answers: Response | Exception) -> None:
        self.answers = list(answers)
        self.calls: list[Request] = []
        self.slept: list[float] = []

    def __call__(self, call: Request) -> Response:
        self.calls.append(call)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self) -> Client:
        return Client(server="http://example.org", token="cb_x", send=self, sleep=self.slept.append)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "a b&c.xml"
    path.write_bytes(b"<a>")
    return path


def test_what_is_sent_again_has_the_same_number(answers: Path) -> None:
    line = Line(
        ConnectionResetError("gone"),
        TimeoutError("late"),
        Response(status=503, body=b"{}"),
        Response(status=201, body=TAKEN),
    )
    assert line.client().submit("test", "task-1", answers, label="first") == RECEIPT
    assert len({call.query["request"] for call in line.calls}) == 1
    assert len(line.calls[0].query["request"]) == 32
    assert line.slept == sorted(line.slept)
    assert len(line.slept) == 3


def test_two_submissions_have_different_numbers(answers: Path) -> None:
    line = Line(Response(status=201, body=TAKEN), Response(status=201, body=TAKEN))
    for _ in range(2):
        line.client().submit("test", "task-1", answers)
    one, other = (call.query["request"] for call in line.calls)
    assert one != other


def test_a_server_that_says_when_to_come_back_is_asked_then(answers: Path) -> None:
    line = Line(Response(status=429, body=b"{}", retry_after=7), Response(status=201, body=TAKEN))
    line.client().submit("test", "task-1", answers)
    assert line.slept == [7]


def test_a_line_that_stays_broken_is_an_error_that_says_how_to_go_on(answers: Path) -> None:
    line = Line(*[ConnectionRefusedError("nobody")] * 6)
    with pytest.raises(DataError, match="CB314") as caught:
        line.client().submit("test", "task-1", answers)
    assert "--request" in caught.value.remedy
    assert len(line.calls) == 6


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422])
def test_a_refusal_is_told_at_once_with_its_code(answers: Path, status: int) -> None:
    said = {"error": "CB305", "message": "all 3 submissions of the phase are used", "remedy": "-"}
    line = Line(Response(status=status, body=json.dumps(said).encode()))
    with pytest.raises(Refused, match="CB305 all 3 submissions"):
        line.client().submit("test", "task-1", answers)
    assert not line.slept


def test_what_the_server_found_in_the_answers_is_passed_on(answers: Path) -> None:
    finding = {"code": "CB104", "severity": "error", "message": "a bracket"}
    said = {"error": "CB310", "message": "no", "findings": [finding]}
    with pytest.raises(Refused) as caught:
        Line(Response(status=422, body=json.dumps(said).encode())).client().submit("test", "task-1", answers)
    assert [one.code for one in caught.value.findings] == ["CB104"]


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"receipt": 1}'])
def test_an_answer_that_is_no_answer_is_an_error(answers: Path, body: bytes) -> None:
    with pytest.raises(DataError, match="CB314"):
        Line(Response(status=200, body=body)).client().submit("test", "task-1", answers)
    with pytest.raises(Refused, match="CB314"):
        Line(Response(status=404, body=b"<html>")).client().submit("test", "task-1", answers)


def test_waiting_ends_with_the_score_or_with_the_time() -> None:
    def status(state: str) -> Response:
        said = {"id": "s1", "phase": "p", "task": "t", "state": state, "received": "2026"}
        return Response(status=200, body=json.dumps(said).encode())

    line = Line(status("queued"), status("scoring"), status("scored"))
    assert line.client().wait("s1", seconds=60).state == "scored"
    line = Line(*[status("queued")] * 9)
    assert line.client().wait("s1", seconds=4).state == "queued"
    assert line.slept == [2, 2]


@pytest.mark.parametrize("server", ["", "example.org", "ftp://example.org", "http://"])
def test_what_is_no_address_is_refused(server: str) -> None:
    with pytest.raises(UsageError, match="not the address of a server"):
        send_request(Request(server=server, method="GET", path="/"))


class _Handler(BaseHTTPRequestHandler):
    """Breaks the line at the first request, takes the second."""

    def do_POST(self) -> None:
        seen: list[Any] = self.server.seen  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        seen.append((self.path, self.headers["Authorization"], body))
        if len(seen) == 1:
            self.connection.close()
            return
        self.send_response(201)
        self.end_headers()
        self.wfile.write(TAKEN)

    def log_message(self, *_: object) -> None:
        pass


def test_a_real_line_that_breaks_is_mended(answers: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), _Handler) as server:
        server.seen = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        client = Client(
            server=f"http://127.0.0.1:{server.server_port}/below/", token="cb_x", sleep=lambda seconds: None
        )
        assert client.submit("test", "task-1", answers) == RECEIPT
        server.shutdown()
        thread.join()
        (one, two) = server.seen  # type: ignore[attr-defined]
    assert one == two
    assert one[0].startswith("/below/api/v1/phases/test/tasks/task-1/submissions?file_name=a+b%26c")
    assert one[1:] == ("Bearer cb_x", b"<a>")
