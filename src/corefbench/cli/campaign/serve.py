"""``corefbench campaign serve`` and ``worker``: the processes of a campaign server."""

import signal
import sys
from threading import Event
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, opened_platform
from corefbench.cli.options import method_option


def serve(
    folder: Folder,
    host: Annotated[str, method_option("The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, method_option("The port; 0 for any free port.")] = 8767,
    name: Annotated[
        list[str] | None, method_option("A host name to accept, such as campaign.example.org. May be repeated.")
    ] = None,
    behind_proxy: Annotated[
        bool,
        method_option("Trust the forwarding headers of a proxy on this machine that does HTTPS.", "--behind-proxy"),
    ] = False,
    workers: Annotated[int, method_option("Scoring workers in the server; 0 if they run elsewhere.", min=0)] = 1,
    state: State = None,
    database: Database = "",
) -> None:
    """Serve a campaign until stopped: pages, JSON API, scoring, metrics.

    By default it listens on this machine only; put a web server that does HTTPS in front of it.
    The log on standard error has one JSON object per line. When stopped, it finishes the requests
    it has begun.

    Example: corefbench campaign serve exercise --name campaign.example.org --behind-proxy
    """
    with opened_platform(folder, state, database) as platform:
        from corefbench.campaign.config_file import require_files
        from corefbench.campaign.logs import log_to
        from corefbench.campaign.server import serve as run_server

        require_files(folder, platform.campaign)
        # uvicorn raises the signal again after it has stopped: as an exception, the platform
        # is still closed.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with log_to(sys.stderr):
            run_server(
                platform,
                host=host,
                port=port,
                names=name or [],
                behind_proxy=behind_proxy,
                workers=workers,
                say=lambda line: typer.echo(line, err=True),
            )


def worker(
    folder: Folder,
    state: State = None,
    database: Database = "",
    name: Annotated[str, typer.Option(help="Name in the log; default: host name and process id.")] = "",
) -> None:
    """Score submissions until stopped, beside a server or on another machine.

    Other machines need the folder, the same PostgreSQL database, and the state on a shared disk.
    When stopped, a worker returns its submission to the queue.

    Example: corefbench campaign worker exercise --database postgresql+psycopg://host/campaign
    """
    import os
    import socket

    stop = Event()
    with opened_platform(folder, state, database) as platform:
        from corefbench.campaign.config_file import require_files
        from corefbench.campaign.jobs.worker import run_worker
        from corefbench.campaign.logs import log_to

        require_files(folder, platform.campaign)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        worker_name = name or f"{socket.gethostname()}-{os.getpid()}"
        with log_to(sys.stderr):
            run_worker(platform, stop=stop, name=worker_name[:64])
