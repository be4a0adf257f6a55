"""Lines to a server that stay open: cheap for who sends, so that the server is what is measured."""

import asyncio
import json
from time import perf_counter
from typing import Any, NamedTuple

from tests.load.people import PATH

_HEAD = b"\r\n\r\n"
_LENGTH = b"content-length: "


class Heard(NamedTuple):
    """What the server said."""

    status: int
    body: dict[str, Any]
    seconds: float
    """From the first byte that was sent to the last byte of the answer."""


class Line(asyncio.Protocol):
    """One connection; a request is sent after the answer to the one before."""

    _answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._arrived = b""

    async def ask(self, request: bytes) -> Heard:
        self._answer = asyncio.get_running_loop().create_future()
        begun = perf_counter()
        self._transport.write(request)
        answer = await self._answer
        seconds = self._ended - begun
        head, _, body = answer.partition(_HEAD)
        return Heard(int(head.split(None, 2)[1]), json.loads(body), seconds)

    def data_received(self, data: bytes) -> None:
        self._arrived += data
        end = self._arrived.find(_HEAD)
        if end < 0:
            return
        head = self._arrived[:end].lower()
        length = int(head.partition(_LENGTH)[2].partition(b"\r\n")[0])
        if len(self._arrived) >= end + len(_HEAD) + length:
            self._ended = perf_counter()
            answer, self._arrived = self._arrived, b""
            assert self._answer is not None
            self._answer.set_result(answer)

    def connection_lost(self, error: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error or ConnectionError("the line was closed"))

    def close(self) -> None:
        self._transport.close()


async def open_lines(port: int, count: int) -> list[Line]:
    """So many connections, all of them made before anything is sent."""
    loop = asyncio.get_running_loop()
    return [(await loop.create_connection(Line, "127.0.0.1", port))[1] for _ in range(count)]


def upload(port: int, token: str, content: bytes, request: str) -> bytes:
    """The bytes of a whole upload."""
    head = (
        f"POST {PATH}?file_name=run.conll&request={request} HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content
