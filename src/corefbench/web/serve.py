"""Serves the workbench on this machine until it is stopped."""

import socket
import webbrowser
from collections.abc import Callable
from threading import Timer

import uvicorn

from corefbench.errors import UsageError
from corefbench.web.app import make_app
from corefbench.web.workbench import Workbench

_HOST = "127.0.0.1"


def serve(
    workbench: Workbench, *, port: int, start: str, browser: bool, say: Callable[[str], None]
) -> None:
    """Listen on the loopback address only; ``start`` is the page to open."""
    listening = _listen(port)
    where = f"http://{_HOST}:{listening.getsockname()[1]}{start}"
    say(f"corefbench is at {where} (Ctrl+C stops it; runs are kept in {workbench.folder})")
    if browser:
        Timer(0.3, webbrowser.open, [where]).start()
    config = uvicorn.Config(
        make_app(workbench), log_level="warning", access_log=False, server_header=False, ws="none"
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((_HOST, port))
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"port {port} cannot be used", found=str(error), remedy="give another with --port, or 0"
        ) from error
    made.listen(128)
    return made
