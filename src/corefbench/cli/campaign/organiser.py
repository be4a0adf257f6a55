"""``corefbench campaign organiser``: an account for someone who runs the campaign."""

from typing import Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, opened
from corefbench.cli.campaign.password import asked


def organiser(
    folder: Folder,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="What to sign in with.")],
    name: Annotated[str, typer.Option(help="The name of the person; else the address.")] = "",
    state: State = None,
    database: Database = "",
) -> None:
    """Make an organiser, who approves teams, watches, rescores, disqualifies and publishes.

    The password is asked for, or read from standard input where that is no terminal.

    Example: corefbench campaign organiser exercise you@example.org
    """
    from corefbench.errors import UsageError

    if not 3 <= len(email) <= 254 or "@" not in email or email != email.strip():
        raise UsageError("that is no e-mail address", found=email)
    with opened(folder, state, database) as platform:
        from corefbench.campaign.storage.people import make_organiser
        from corefbench.campaign.views.passwords import hashed

        kept = hashed(asked())
        with platform.database.write() as connection:
            made = make_organiser(
                connection,
                email=email,
                name=name or email,
                password_hash=kept,
                now=platform.clock(),
            )
    typer.echo(f"{made.email} is an organiser")
