"""``corefbench campaign password``: another password for somebody who has lost theirs."""

import sys
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, opened


def password(
    folder: Folder,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="What they sign in with.")],
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask for the new password, instead of drawing one.")
    ] = False,
    state: State = None,
    database: Database = "",
) -> None:
    """Give somebody a new password, which is drawn by lot and printed, or asked for.

    All their sessions end, and the audit log says so; their tokens go on. Asked for, it is read
    from standard input where that is no terminal.

    Example: corefbench campaign password exercise ada@example.org
    """
    with opened(folder, state, database) as platform:
        from secrets import token_urlsafe

        from corefbench.campaign.storage.resetting import reset_password
        from corefbench.campaign.views.passwords import hashed

        new = asked() if ask else token_urlsafe(15)
        kept = hashed(new)
        with platform.database.write() as connection:
            person = reset_password(connection, email, kept, platform.clock())
    typer.echo(f"{person.email} has a new password" if ask else new)


def asked() -> str:
    """A password that is typed, or read from standard input."""
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\n")
