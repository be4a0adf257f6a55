"""Serves the workbench on this machine until it is stopped."""

import gc
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Timer

import uvicorn

from corefbench.errors import UsageError
from corefbench.web.app import make_app
from corefbench.web.warming import start_warming
from corefbench.web.workbench import Workbench

_HOST = "127.0.0.1"


def serve(
    workbench: Workbench, *, port: int, start: str, browser: bool, say: Callable[[str], None]
) -> None:
    """Listen on the loopback address only; ``start`` is the page to open."""
    listening = listen(port)
    where = f"http://{_HOST}:{listening.getsockname()[1]}{start}"
    config = uvicorn.Config(
        make_app(workbench),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    # What is there now stays: long pages are made faster if it is not looked through each time.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    # Threads that make pages give way sooner than is usual, so that nothing waits for them long.
    sys.setswitchinterval(0.001)
    say(f"corefbench is at {where} (Ctrl+C stops it; runs are kept in {workbench.folder})")
    if browser:
        Timer(0.1, _open, [where]).start()
    start_warming(workbench)
    try:
        with suppress(KeyboardInterrupt):  # raised again by the server once it has stopped
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        workbench.jobs.close()


def listen(port: int) -> socket.socket:
    """A socket of the loopback address, which answers from now on."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere this would share a port that is in use
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((_HOST, port))
        made.listen(128)
    except (OSError, OverflowError) as error:
        made.close()
        raise UsageError(
            f"port {port} cannot be used",
            found=getattr(error, "strerror", None) or str(error),
            remedy="stop the other workbench, or give another port with --port; 0 takes any",
        ) from error
    return made


def _open(where: str) -> None:
    import webbrowser

    webbrowser.open(where)
