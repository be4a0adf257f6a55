"""Many people who send answers over the network, from one process."""

import asyncio
import json
import time
from datetime import UTC, datetime
from typing import Any, NamedTuple

PATH = "/api/v1/phases/training/tasks/coreference/submissions"


class Answered(NamedTuple):
    """What the server said to one upload."""

    status: int
    body: dict[str, Any]
    seconds: float
    """From the last byte that was sent to the last byte of the answer."""
    sent: datetime
    """When the last byte was sent …"""
    answered: datetime
    """… and the answer was there."""


async def send(port: int, token: str, content: bytes, *, request: str = "", last_byte: float = 0) -> Answered:
    """Send answers; the last byte not before ``last_byte`` on the clock."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = (
            f"POST {PATH}?file_name=run.conll&request={request} HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: application/octet-stream\r\nConnection: close\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content[:-1])
        await writer.drain()
        await asyncio.sleep(max(last_byte - time.time(), 0))
        sent, begun = datetime.now(UTC), time.perf_counter()
        writer.write(content[-1:])
        answer = await reader.read()
        seconds = time.perf_counter() - begun
    finally:
        writer.close()
    lines, _, body = answer.partition(b"\r\n\r\n")
    return Answered(int(lines.split()[1]), _decoded(lines, body), seconds, sent, datetime.now(UTC))


def _decoded(head: bytes, body: bytes) -> dict[str, Any]:
    if b"transfer-encoding: chunked" in head.lower():
        whole = b""
        while body:
            size, _, body = body.partition(b"\r\n")
            length = int(size, 16)
            whole, body = whole + body[:length], body[length + 2 :]
        body = whole
    found: dict[str, Any] = json.loads(body)
    return found


def percentile(values: list[float], share: float) -> float:
    """The value that this share of all does not exceed."""
    return sorted(values)[max(int(share * len(values)) - 1, 0)]
