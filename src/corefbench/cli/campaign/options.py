"""Arguments, options and helpers that the campaign commands share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from corefbench.cli.options import method_option, name_missing_extra

if TYPE_CHECKING:
    from corefbench.campaign.client import Client
    from corefbench.campaign.platform import Platform

_SERVER = "Server"

Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder that has campaign.toml.")]
State: TypeAlias = Annotated[Path | None, method_option("Folder of the server's state; default: FOLDER/state.")]
Database: TypeAlias = Annotated[
    str,
    method_option("postgresql+psycopg://user@host/name; default: SQLite in the state.", envvar="COREFBENCH_DATABASE"),
]
RequireSandbox: TypeAlias = Annotated[
    bool, method_option("Do not start unless scoring processes have all protections.", "--require-sandbox")
]
Server: TypeAlias = Annotated[
    str,
    typer.Option(
        envvar="COREFBENCH_SERVER",
        help="The address of the campaign, such as https://example.org.",
        rich_help_panel=_SERVER,
    ),
]
Token: TypeAlias = Annotated[
    str,
    typer.Option(
        envvar="COREFBENCH_TOKEN",
        help="Your token; safer in the variable COREFBENCH_TOKEN, which others do not see.",
        rich_help_panel=_SERVER,
    ),
]
Phase: TypeAlias = Annotated[str, typer.Argument(metavar="PHASE", help="The name of the phase.")]
Task: TypeAlias = Annotated[str, typer.Argument(metavar="TASK", help="The name of the task.")]


@contextmanager
def opened_platform(folder: Path, state: Path | None, database: str) -> "Iterator[Platform]":
    """Open the campaign of a folder; close it at the end."""
    with name_missing_extra("campaign"):
        from corefbench.campaign.platform import open_platform

        platform = open_platform(folder, state=state, database=database)
    try:
        yield platform
    finally:
        platform.close()


def make_client(server: str, token: str) -> "Client":
    """Return a client; raise if no server is given."""
    from corefbench.campaign.client import Client
    from corefbench.errors import UsageError

    if not server:
        raise UsageError("no server given", expected="--server https://…, or the variable COREFBENCH_SERVER")
    return Client(server=server, token=token)
