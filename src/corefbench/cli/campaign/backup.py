"""``corefbench campaign backup``: all that a server keeps, in one file."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, opened


def backup(
    folder: Folder,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A file, such as backup.tar.")],
    state: State = None,
    database: Database = "",
) -> None:
    """Save accounts, submissions, scores and files; the server may go on meanwhile.

    The file holds what is secret: only you can read it. The folder itself belongs under version
    control.

    Example: corefbench campaign backup exercise backup.tar
    """
    with opened(folder, state, database) as platform:
        from corefbench.campaign.backup import backup as save

        made = save(platform, out)
    rows = sum(table.rows for table in made.tables)
    typer.echo(f"{out}: {rows} rows, {len(made.files)} files")
