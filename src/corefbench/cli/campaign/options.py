"""Arguments and options that the commands of campaigns share, worded once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from corefbench.cli.options import HOW, OUTPUT

if TYPE_CHECKING:
    from corefbench.campaign.client import Client
    from corefbench.campaign.platform import Platform

SERVER = "Server"

Folder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The folder that has campaign.toml.")
]
State: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Where the server keeps things; else FOLDER/state.", rich_help_panel=HOW),
]
Database: TypeAlias = Annotated[
    str,
    typer.Option(
        envvar="COREFBENCH_DATABASE",
        help="postgresql+psycopg://user@host/name; else SQLite in the state.",
        rich_help_panel=HOW,
    ),
]
Format: TypeAlias = Annotated[
    str, typer.Option("--format", "-f", help="table or json.", rich_help_panel=OUTPUT)
]
Server: TypeAlias = Annotated[
    str,
    typer.Option(
        envvar="COREFBENCH_SERVER",
        help="The address of the campaign, such as https://example.org.",
        rich_help_panel=SERVER,
    ),
]
Token: TypeAlias = Annotated[
    str,
    typer.Option(
        envvar="COREFBENCH_TOKEN",
        help="Your token; better given as COREFBENCH_TOKEN, which others do not see.",
        rich_help_panel=SERVER,
    ),
]
Phase: TypeAlias = Annotated[str, typer.Argument(metavar="PHASE", help="The name of the phase.")]
Task: TypeAlias = Annotated[str, typer.Argument(metavar="TASK", help="The name of the task.")]


@contextmanager
def opened(folder: Path, state: Path | None, database: str) -> "Iterator[Platform]":
    """The campaign of a folder, closed at the end."""
    with missing_extra():
        from corefbench.campaign.platform import open_platform

        platform = open_platform(folder, state=state, database=database)
    try:
        yield platform
    finally:
        platform.close()


@contextmanager
def missing_extra() -> Iterator[None]:
    """Packages that are not there are named with the extra that brings them."""
    try:
        yield
    except ImportError as error:
        from corefbench.errors import MissingExtra

        missing = (error.name or "sqlalchemy").partition(".")[0]
        extra = "postgresql" if missing == "psycopg" else "campaign"
        raise MissingExtra(missing, extra) from error


def client_of(server: str, token: str) -> "Client":
    """The client of a server that was named."""
    from corefbench.campaign.client import Client
    from corefbench.errors import UsageError

    if not server:
        raise UsageError(
            "no server is named", expected="--server https://…, or the variable COREFBENCH_SERVER"
        )
    return Client(server=server, token=token)


def shape_of(format: str) -> bool:
    """Whether JSON is asked for."""
    from corefbench.cli.choice import one_of

    one_of(format, "table", "json")
    return format == "json"


def as_json(made: object) -> str:
    """Records as JSON that people can read."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()
