"""Run the HTTP server of a campaign."""

from asyncio import TimerHandle, Transport
from collections.abc import Callable, Iterable
from contextlib import suppress

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from corefbench.campaign.jobs.sandbox import report_sandbox, start_fork_server
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.app import create_app
from corefbench.web.security import LOOPBACK_HOSTS
from corefbench.web.server import bind_socket

MAX_HEAD_SIZE = 1 << 20
"""Bytes of a request line and headers: more than any real ones, and than one read."""
HEAD_SECONDS = 20.0
"""Time for the head of a request to arrive."""
_ANY_HOST = frozenset({"", "0.0.0.0", "::"})
_SHUTDOWN_SECONDS = 30
"""Seconds that requests may still take when the server is stopped."""


def serve(
    platform: Platform,
    *,
    host: str = "127.0.0.1",
    port: int = 8767,
    names: Iterable[str] = (),
    behind_proxy: bool = False,
    workers: int = 1,
    require_sandbox: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Serve until stopped, under the names of this machine, ``host`` and ``names``."""
    report_sandbox(required=require_sandbox, say=say)
    listener = bind_socket(host, port, backlog=2048)
    hosts = {*LOOPBACK_HOSTS, *names, *({host} - _ANY_HOST)}
    config = uvicorn.Config(
        create_app(platform, hosts=hosts, worker=workers),
        log_level="warning",
        access_log=False,
        server_header=False,
        http=BoundedHttpProtocol,
        ws="none",
        proxy_headers=behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    # Before any other thread starts, so that the first check need not wait for the libraries.
    start_fork_server()
    address, bound_port = listener.getsockname()[:2]
    url = f"http://{_format_host(address)}:{bound_port}"
    say(f"{platform.campaign.title} is at {url} (Ctrl+C stops it)")
    try:
        with suppress(KeyboardInterrupt):  # raised again by the server once it has stopped
            uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()


def _format_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class BoundedHttpProtocol(HttpToolsProtocol):
    """uvicorn's quick HTTP protocol, with the limits on headers that it lacks.

    Without them, a request whose headers do not end would fill the memory, and connections that
    send a byte now and then, or none, would stay open and use up the server's sockets.
    """

    _in_head = False
    _received = 0
    _head_timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_head_timer()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Start counting the bytes and the seconds of a request."""
        self._in_head, self._received = True, 0
        if self._head_timer is None:
            self._start_head_timer()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop counting: the body has limits of its own."""
        self._in_head = False
        self._stop_head_timer()
        super().on_headers_complete()

    def _start_head_timer(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up_head)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up_head(self) -> None:
        self._head_timer = None
        if not self.transport.is_closing():
            self.send_400_response("The head of the request did not arrive in time.")

    def data_received(self, data: bytes) -> None:
        """Refuse the request if its headers are too large."""
        super().data_received(data)
        self._received += len(data)
        if self._in_head and self._received > MAX_HEAD_SIZE and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")
