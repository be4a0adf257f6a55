"""``corefbench campaign download``: the data of a task."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Phase, Server, Task, Token, as_json, client_of


def download(
    phase: Phase,
    task: Task,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A file for the data.")],
    server: Server = "",
    token: Token = "",
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask: a window may open.")
    ] = False,
) -> None:
    """Download the input of a task, and print the receipt.

    Where the phase has a window, the first download opens it: your team's answers are taken from
    then on for so many hours.

    Example: corefbench campaign download test task-1 task-1.xml --server https://example.org
    """
    client = client_of(server, token)
    if not yes:
        typer.confirm(
            "The first download may open your team's window. Go on?", abort=True, err=True
        )
    typer.echo(as_json(client.download(phase, task, out)))
