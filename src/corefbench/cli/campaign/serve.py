"""``corefbench campaign serve``: the server of a campaign."""

import signal
import sys
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, opened
from corefbench.cli.options import HOW


def serve(
    folder: Folder,
    host: Annotated[
        str, typer.Option(help="The address to listen on.", rich_help_panel=HOW)
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port; 0 takes any that is free.", rich_help_panel=HOW)
    ] = 8767,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            help="A name that it answers to, such as campaign.example.org. May be repeated.",
            rich_help_panel=HOW,
        ),
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            help="A proxy on this machine does HTTPS: believe what it says of visitors.",
            rich_help_panel=HOW,
        ),
    ] = False,
    workers: Annotated[
        int,
        typer.Option(
            min=0, help="Scorers in the server; 0 where others work.", rich_help_panel=HOW
        ),
    ] = 1,
    state: State = None,
    database: Database = "",
) -> None:
    """Serve a campaign until stopped: pages, the JSON interface, scoring, metrics.

    It listens on this machine only unless told otherwise; let a web server do HTTPS before it. The
    log on standard error is JSON, a line an event. Told to stop, it ends what it has begun.

    Example: corefbench campaign serve exercise --name campaign.example.org --behind-proxy
    """
    with opened(folder, state, database) as platform:
        from corefbench.campaign.folder import require_files
        from corefbench.campaign.logs import logging_to
        from corefbench.campaign.serve import serve as run

        require_files(folder, platform.campaign)
        # The server raises it again once it has stopped: then what is below is still closed.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with logging_to(sys.stderr):
            run(
                platform,
                host=host,
                port=port,
                names=name or [],
                behind_proxy=behind_proxy,
                workers=workers,
                say=lambda line: typer.echo(line, err=True),
            )
