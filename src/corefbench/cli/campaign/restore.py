"""``corefbench campaign restore``: a backup brought back."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, missing_extra


def restore(
    folder: Folder,
    archive: Annotated[Path, typer.Argument(metavar="BACKUP", help="What `backup` wrote.")],
    state: State = None,
    database: Database = "",
) -> None:
    """Bring a backup back into an empty state, into SQLite or PostgreSQL.

    Every part is checked; all of it is restored, or nothing.

    Example: corefbench campaign restore exercise backup.tar --state new-state
    """
    from corefbench.campaign.folder import read_campaign
    from corefbench.errors import MismatchError

    with missing_extra():
        from corefbench.campaign.restore import read_manifest
        from corefbench.campaign.restore import restore as bring_back

    campaign = read_campaign(folder).name
    saved = read_manifest(archive).campaign
    if saved != campaign:
        raise MismatchError(
            "the backup is of another campaign", code="CB330", found=saved, expected=campaign
        )
    made = bring_back(archive, state or folder / "state", database)
    rows = sum(table.rows for table in made.tables)
    typer.echo(f"{made.campaign} as of {made.made}: {rows} rows, {len(made.files)} files")
