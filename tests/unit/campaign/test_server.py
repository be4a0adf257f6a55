import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
import uvicorn

from corefbench.campaign.server import MAX_HEAD_SIZE, BoundedHttpProtocol
from corefbench.web.server import bind_socket


async def told_how_much(scope: Any, receive: Any, send: Any) -> None:
    """An app that answers with the number of bytes it was sent."""
    count, more = 0, True
    while more:
        message = await receive()
        count, more = count + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d bytes" % count})


@contextmanager
def line() -> Iterator[socket.socket]:
    listening = bind_socket("127.0.0.1", 0)
    config = uvicorn.Config(told_how_much, http=BoundedHttpProtocol, lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        with socket.create_connection(listening.getsockname(), timeout=10) as made:
            yield made
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


def answered(line: socket.socket) -> bytes:
    said = b""
    while piece := line.recv(1 << 16):
        said += piece
    return said


def test_a_head_that_does_not_end_is_refused():
    with line() as made:
        made.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX: ")
        try:
            for _ in range(4 * MAX_HEAD_SIZE >> 16):
                made.sendall(b"x" * (1 << 16))
            said = answered(made)
        except ConnectionError:
            said = b"HTTP/1.1 400 "  # the line is closed while more is still sent
        assert said.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a\r\nX: "])
def test_a_head_that_takes_too_long_is_cut(monkeypatch, sent):
    monkeypatch.setattr("corefbench.campaign.server.HEAD_SECONDS", 0.3)
    with line() as made:
        made.sendall(sent)
        for _ in range(3):  # a byte now and then does not help
            time.sleep(0.05)
            made.sendall(b"x" if sent else b"")
        assert answered(made).startswith(b"HTTP/1.1 400 ")


def test_a_connection_that_is_kept_gets_new_time_for_every_head(monkeypatch):
    monkeypatch.setattr("corefbench.campaign.server.HEAD_SECONDS", 0.5)
    with line() as made:
        for _ in range(3):
            time.sleep(0.3)
            made.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert b"0 bytes" in made.recv(1 << 16)


def test_a_body_may_be_larger_than_a_head():
    size = 4 * MAX_HEAD_SIZE
    with line() as made:
        head = f"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {size}\r\n\r\n"
        made.sendall(head.encode() + b"x" * size)
        assert b"%d bytes" % size in answered(made)
