"""``corefbench campaign export``: boards as tables, or all as a static site."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, State, opened
from corefbench.cli.options import OUTPUT

if TYPE_CHECKING:
    from corefbench.campaign.platform import Platform

_KINDS = {"latex": "tex", "csv": "csv", "markdown": "md", "json": "json"}


def export(
    folder: Folder,
    site: Annotated[
        Path | None,
        typer.Argument(metavar="[SITE]", help="A new folder for pages that need no server."),
    ] = None,
    phase: Annotated[str, typer.Option(help="The board of this phase; else of all.")] = "",
    task: Annotated[str, typer.Option(help="The board of this task; else of all.")] = "",
    organiser: Annotated[
        bool,
        typer.Option("--organiser", help="As organisers see it: before publication, with names."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that is not empty.")
    ] = False,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", help="latex, csv, markdown or json.", rich_help_panel=OUTPUT
        ),
    ] = "csv",
    state: State = None,
    database: Database = "",
) -> None:
    """Print boards, or write what is published as a static site.

    Example: corefbench campaign export exercise site
    """
    from corefbench.cli.choice import one_of

    one_of(format, *_KINDS)
    with opened(folder, state, database) as platform:
        if site is not None:
            from corefbench.campaign.site import write_site

            pages = write_site(platform, site, force=force)
            typer.echo(f"{site / 'index.html'}: {pages} pages")
        else:
            for text in _boards(platform, phase, task, _KINDS[format], organiser):
                typer.echo(text.rstrip("\n"))


def _boards(platform: "Platform", phase: str, task: str, kind: str, organiser: bool) -> "list[str]":
    from corefbench.campaign.domain.visibility import Role
    from corefbench.campaign.exports import export as written
    from corefbench.campaign.standings import standings
    from corefbench.campaign.storage.settings import is_published

    role: Role = "organiser" if organiser else "visitor"
    with platform.database.read() as connection:
        shown = [
            one
            for one in platform.campaign.phases
            if organiser or phase or is_published(connection, one.name)
        ]
    chosen = [platform.campaign.phase(phase)] if phase else shown
    return [
        written(standings(platform, one.name, data.task, role=role), kind)
        for one in chosen
        for data in one.data
        if task in ("", data.task)
    ]
