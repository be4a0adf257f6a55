"""One request to a server, and its answer."""

import http.client
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlencode, urlsplit

from corefbench.errors import UsageError
from corefbench.record import Record

_SECONDS = 120.0
_LARGEST = 1 << 30


class Call(Record, frozen=True):
    """What is asked."""

    server: str
    method: str
    path: str
    query: Mapping[str, str] = {}
    token: str = ""
    body: bytes | Path | None = None
    """A path is sent as a stream."""


class Answer(Record, frozen=True):
    """What came back."""

    status: int
    body: bytes
    retry_after: float = 0


def send(call: Call) -> Answer:
    """Ask once; what goes wrong with the line is an ``OSError``."""
    parts = urlsplit(call.server)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("that is no server", found=call.server, expected="https://example.org")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with closing(kind(parts.hostname, parts.port, timeout=_SECONDS)) as connection:
        try:
            return _exchange(connection, call, parts.path.rstrip("/"))
        except http.client.HTTPException as error:
            raise ConnectionError(f"{type(error).__name__} {error}".strip()) from error


def _exchange(connection: http.client.HTTPConnection, call: Call, prefix: str) -> Answer:
    query = urlencode({name: value for name, value in call.query.items() if value})
    target = prefix + call.path + (f"?{query}" if query else "")
    headers = {"Accept": "application/json", "User-Agent": "corefbench"}
    if call.token:
        headers["Authorization"] = f"Bearer {call.token}"
    if isinstance(call.body, Path):
        with call.body.open("rb") as stream:
            headers["Content-Length"] = str(call.body.stat().st_size)
            headers["Content-Type"] = "application/octet-stream"
            return _answered(connection, call.method, target, stream, headers)
    if call.body is not None:
        headers["Content-Type"] = "application/json"
    return _answered(connection, call.method, target, call.body, headers)


def _answered(
    connection: http.client.HTTPConnection,
    method: str,
    target: str,
    body: BinaryIO | bytes | None,
    headers: Mapping[str, str],
) -> Answer:
    # A server that refuses early may have answered before it closed the line.
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.request(method, target, body, dict(headers))
    response = connection.getresponse()
    content = response.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ConnectionError("the answer is too large")
    return Answer(
        status=response.status,
        body=content,
        retry_after=_seconds(response.getheader("Retry-After")),
    )


def _seconds(said: str | None) -> float:
    return float(said) if said and said.isdigit() else 0
