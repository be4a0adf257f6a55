"""``corefbench campaign worker``: scores what is in the queue."""

import signal
import sys
from threading import Event
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, opened


def worker(
    folder: Folder,
    state: State = None,
    database: Database = "",
    name: Annotated[
        str, typer.Option(help="What it is called in the log; else machine and number.")
    ] = "",
) -> None:
    """Score submissions until stopped, beside a server or on another machine.

    Other machines need the folder, the same PostgreSQL, and the state on a shared disk. Told to
    stop, a worker gives back what it has begun.

    Example: corefbench campaign worker exercise --database postgresql+psycopg://host/campaign
    """
    import os
    import socket

    stop = Event()
    with opened(folder, state, database) as platform:
        from corefbench.campaign.folder import require_files
        from corefbench.campaign.jobs.worker import work
        from corefbench.campaign.logs import logging_to

        require_files(folder, platform.campaign)
        for sent in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sent, lambda *_: stop.set())
        called = name or f"{socket.gethostname()}-{os.getpid()}"
        with logging_to(sys.stderr):
            work(platform, stop=stop, name=called[:64])
