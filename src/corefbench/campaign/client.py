"""HTTP client of a campaign server.

A submission carries an id that the client chooses: if the connection breaks and it is sent again,
the server recognises it and answers the same, so that nothing is submitted twice.
"""

import http.client
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from corefbench.campaign.domain.submissions import Receipt
from corefbench.campaign.views.schemas import CheckResult, DownloadInfo, ErrorBody, ReceiptCheck, SubmissionAccepted
from corefbench.diagnostics import Finding
from corefbench.errors import CorefbenchError, DataError, UsageError
from corefbench.records import Record
from corefbench.scoring.measures.tally import Score

_TIMEOUT_SECONDS = 120.0
_MAX_RESPONSE_SIZE = 1 << 30
_MAX_ATTEMPTS = 6
_RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
_Kind = TypeVar("_Kind")


class Request(Record, frozen=True):
    """An HTTP request."""

    server: str
    method: str
    path: str
    query: Mapping[str, str] = {}
    token: str = ""
    body: bytes | Path | None = None
    """A file is sent as a stream."""


class Response(Record, frozen=True):
    """An HTTP response."""

    status: int
    body: bytes
    retry_after: float = 0


class ReleasedScores(Record, frozen=True):
    """Scores that are released to the team."""

    ranking: str
    headline: float
    share: str
    covered: int
    documents: int
    scores: dict[str, Score] = {}  # noqa: RUF012


class SubmissionStatus(Record, frozen=True):
    """Status of a submission, as the server reports it."""

    id: str
    phase: str
    task: str
    state: str
    received: str
    label: str = ""
    file_name: str = ""
    message: str = ""
    queue_position: int | None = None
    attempts: int = 0
    result: ReleasedScores | None = None
    """None until the scores are released."""

    @property
    def is_over(self) -> bool:
        """Return whether the submission is neither queued nor being scored."""
        return self.state not in ("queued", "scoring")


class Refused(CorefbenchError):
    """The server refused a request; ``findings`` are those of its check of the answers."""

    exit_code = 3
    findings: tuple[Finding, ...] = ()


def send_request(request: Request) -> Response:
    """Send a request once; connection problems are raised as ``OSError``."""
    parts = urlsplit(request.server)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("this is not the address of a server", found=request.server, expected="https://example.org")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with closing(kind(parts.hostname, parts.port, timeout=_TIMEOUT_SECONDS)) as connection:
        try:
            return _exchange(connection, request, parts.path.rstrip("/"))
        except http.client.HTTPException as error:
            raise ConnectionError(f"{type(error).__name__} {error}".strip()) from error


def _exchange(connection: http.client.HTTPConnection, request: Request, prefix: str) -> Response:
    query = urlencode({name: value for name, value in request.query.items() if value})
    target = prefix + request.path + (f"?{query}" if query else "")
    headers = {"Accept": "application/json", "User-Agent": "corefbench"}
    if request.token:
        headers["Authorization"] = f"Bearer {request.token}"
    if isinstance(request.body, Path):
        with request.body.open("rb") as stream:
            headers["Content-Length"] = str(request.body.stat().st_size)
            headers["Content-Type"] = "application/octet-stream"
            return _read_response(connection, request.method, target, stream, headers)
    if request.body is not None:
        headers["Content-Type"] = "application/json"
    return _read_response(connection, request.method, target, request.body, headers)


def _read_response(
    connection: http.client.HTTPConnection,
    method: str,
    target: str,
    body: BinaryIO | bytes | None,
    headers: Mapping[str, str],
) -> Response:
    # A server that refuses early may have responded before it closed the connection.
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.request(method, target, body, dict(headers))
    response = connection.getresponse()
    content = response.read(_MAX_RESPONSE_SIZE + 1)
    if len(content) > _MAX_RESPONSE_SIZE:
        raise ConnectionError("the response is too large")
    return Response(
        status=response.status, body=content, retry_after=_parse_retry_after(response.getheader("Retry-After"))
    )


def _parse_retry_after(header: str | None) -> float:
    return float(header) if header and header.isdigit() else 0


class Client(msgspec.Struct, frozen=True):
    """A campaign server, and a token to authenticate with."""

    server: str
    token: str = ""
    attempts: int = _MAX_ATTEMPTS
    sleep: Callable[[float], None] = time.sleep
    send: Callable[[Request], Response] = send_request

    def submit(
        self, phase: str, task: str, answers: Path, *, label: str = "", check: bool = True, request: str = ""
    ) -> Receipt:
        """Submit answers, with retries, and return the receipt."""
        sent = self._make_request(
            "POST",
            f"/phases/{phase}/tasks/{task}/submissions",
            file_name=answers.name,
            label=label,
            request=request or secrets.token_hex(16),
            check="true" if check else "false",
        )
        return self._fetch(msgspec.structs.replace(sent, body=answers), SubmissionAccepted).receipt

    def check(self, phase: str, task: str, answers: Path) -> CheckResult:
        """Let the server check answers; nothing is submitted."""
        request = self._make_request("POST", f"/phases/{phase}/tasks/{task}/check", file_name=answers.name)
        return self._fetch(msgspec.structs.replace(request, body=answers), CheckResult)

    def download(self, phase: str, task: str, out: Path) -> Receipt:
        """Download the data of a task; the first time opens the team's window."""
        info = self._fetch(self._make_request("POST", f"/phases/{phase}/tasks/{task}/downloads"), DownloadInfo)
        request = self._make_request("GET", f"/downloads/{info.download}/file")
        out.write_bytes(self._send_with_retries(request).body)
        return info.receipt

    def status(self, submission: str) -> SubmissionStatus:
        """Return the status of a submission."""
        return self._fetch(self._make_request("GET", f"/submissions/{submission}"), SubmissionStatus)

    def submissions(self) -> list[SubmissionStatus]:
        """Return all submissions of the team, in order of arrival."""
        return self._fetch(self._make_request("GET", "/submissions"), list[SubmissionStatus])

    def withdraw(self, submission: str) -> SubmissionStatus:
        """Withdraw a submission, for good."""
        return self._fetch(self._make_request("POST", f"/submissions/{submission}/withdraw"), SubmissionStatus)

    def wait(self, submission: str, *, seconds: float, every: float = 2.0) -> SubmissionStatus:
        """Wait until the submission is scored, or for so many seconds; return its status."""
        waited = 0.0
        while True:
            status = self.status(submission)
            if status.is_over or waited >= seconds:
                return status
            self.sleep(every)
            waited += every

    def is_genuine(self, receipt: Receipt) -> bool:
        """Ask the server whether it issued a receipt."""
        request = self._make_request("POST", "/receipts/check")
        body = msgspec.json.encode(receipt)
        return self._fetch(msgspec.structs.replace(request, body=body), ReceiptCheck).genuine

    def _make_request(self, method: str, path: str, **query: str) -> Request:
        return Request(server=self.server, token=self.token, method=method, path=f"/api/v1{path}", query=query)

    def _fetch(self, request: Request, kind: type[_Kind]) -> _Kind:
        response = self._send_with_retries(request)
        try:
            return msgspec.json.decode(response.body, type=kind)
        except msgspec.DecodeError as error:
            raise DataError(
                "the response of the server cannot be decoded",
                code="CB314",
                found=str(error),
                remedy="check that it is a campaign server of this version of corefbench",
            ) from error

    def _send_with_retries(self, request: Request) -> Response:
        """Send a request until it succeeds or is refused, a little later each time."""
        for attempt in range(self.attempts):
            is_last = attempt == self.attempts - 1
            try:
                response = self.send(request)
            except OSError as error:
                if is_last:
                    raise _make_connection_error(self.server, str(error)) from error
            else:
                if response.status < 400:
                    return response
                if is_last or response.status not in _RETRIED_STATUSES:
                    raise _make_refusal(response)
                if response.retry_after:  # the server knows better than the client
                    self.sleep(min(response.retry_after, 60.0))
                    continue
            self.sleep(min(0.5 * 2**attempt, 10.0))
        raise _make_connection_error(self.server, "no attempts")


def _make_refusal(response: Response) -> Refused:
    try:
        body = msgspec.json.decode(response.body, type=ErrorBody)
    except msgspec.DecodeError:
        body = ErrorBody(error="CB314", message=f"the server answered with status {response.status}")
    error = Refused(body.message, code=body.error, found=body.found, expected=body.expected, remedy=body.remedy)
    error.findings = body.findings
    return error


def _make_connection_error(server: str, found: str) -> DataError:
    return DataError(
        "the server cannot be reached",
        code="CB314",
        found=f"{server}: {found}",
        remedy="nothing was charged; send it again with the same --request",
    )
