"""Serves a campaign until it is told to stop."""

import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Thread

import uvicorn

from corefbench.campaign.bounded_http import BoundedHttp
from corefbench.campaign.jobs.run import cool_down, warm_up
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.app import make_app
from corefbench.errors import UsageError
from corefbench.web.security import LOCAL

_ANY = frozenset({"", "0.0.0.0", "::"})
_PATIENCE = 30
"""Seconds that requests may still take once the server is told to stop."""


def serve(
    platform: Platform,
    *,
    host: str = "127.0.0.1",
    port: int = 8767,
    names: Iterable[str] = (),
    behind_proxy: bool = False,
    workers: int = 1,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Listen, and answer to the name of this machine, ``host`` and ``names``."""
    listening = listen(host, port)
    hosts = {*LOCAL, *names, *({host} - _ANY)}
    config = uvicorn.Config(
        make_app(platform, hosts=hosts, worker=workers),
        log_level="warning",
        access_log=False,
        server_header=False,
        http=BoundedHttp,
        ws="none",
        proxy_headers=behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_PATIENCE,
    )
    # The first check or scoring would else wait until all libraries are loaded.
    Thread(target=warm_up, daemon=True).start()
    where = f"http://{_in_address(listening.getsockname()[0])}:{listening.getsockname()[1]}"
    say(f"{platform.campaign.title} is at {where} (Ctrl+C stops it)")
    try:
        with suppress(KeyboardInterrupt):  # raised again by the server once it has stopped
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()
        cool_down()


def listen(host: str, port: int) -> socket.socket:
    """A socket that answers from now on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(2048)
    except (OSError, OverflowError) as error:
        made.close()
        raise UsageError(
            f"{host}, port {port}, cannot be used",
            found=getattr(error, "strerror", None) or str(error),
            remedy="stop the other server, or give another port with --port; 0 takes any",
        ) from error
    return made


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
