"""``corefbench campaign submit``: send answers to a campaign."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Phase, Server, Task, Token, as_json, client_of
from corefbench.cli.options import HOW, say


def submit(
    phase: Phase,
    task: Task,
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS", exists=True, dir_okay=False, help="A file, plain, gzipped or zipped."
        ),
    ],
    server: Server = "",
    token: Token = "",
    label: Annotated[str, typer.Option(help="What you call it.", rich_help_panel=HOW)] = "",
    check: Annotated[
        bool,
        typer.Option(
            "--check/--no-check",
            help="Let the server check the file first; what it cannot read is not submitted.",
            rich_help_panel=HOW,
        ),
    ] = True,
    only_check: Annotated[
        bool,
        typer.Option("--only-check", help="Check the file, submit nothing.", rich_help_panel=HOW),
    ] = False,
    request: Annotated[
        str,
        typer.Option(
            help="A number of your own: sent again with it, nothing is submitted twice.",
            rich_help_panel=HOW,
        ),
    ] = "",
    wait: Annotated[
        float,
        typer.Option(help="Seconds to wait for the score.", min=0, rich_help_panel=HOW),
    ] = 0,
) -> None:
    """Submit answers, and print the receipt: keep it.

    If the line breaks they are sent again; the server takes them once. Exits with 3 where they are
    refused.

    Example: corefbench campaign submit test task-1 answers.xml --server https://example.org
    """
    from corefbench.campaign.client import Refused

    client = client_of(server, token)
    if only_check:
        checked = client.check(phase, task, answers)
        say(checked.findings)
        typer.echo("can be submitted" if checked.valid else "cannot be read")
        raise typer.Exit(0 if checked.valid else 3)
    number = request or secrets.token_hex(16)
    try:
        receipt = client.submit(phase, task, answers, label=label, check=check, request=number)
    except Refused as refused:
        say(refused.findings)
        raise
    typer.echo(as_json(receipt))
    if wait:
        typer.echo(as_json(client.wait(receipt.number, seconds=wait)))
