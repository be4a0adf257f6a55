"""``corefbench bundle``: a run as a folder of pages."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.options import OUTPUT


def bundle(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A file written with --run.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the pages go.")],
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Write into a folder that is not empty.", rich_help_panel=OUTPUT
        ),
    ] = False,
) -> None:
    """Write a run as web pages that need no server: results, texts, comparisons, errors.

    Open FOLDER/index.html, or publish the folder as it is.

    Example: corefbench bundle system.corefrun pages
    """
    try:
        from corefbench.web.bundle import write_bundle
    except ImportError as error:
        from corefbench.errors import MissingExtra

        raise MissingExtra("litestar", "ui") from error
    from tempfile import TemporaryDirectory

    from corefbench.cli.progress import counted_progress
    from corefbench.runs import open_run
    from corefbench.web.workbench import Workbench

    open_run(run)
    name = run.name.removesuffix(".corefrun")
    with TemporaryDirectory() as scratch, counted_progress("pages") as progress:
        workbench = Workbench(Path(scratch), {name: run.resolve()})
        count = write_bundle(workbench, name, folder, force=force, progress=progress)
    typer.echo(f"{count} pages: {folder / 'index.html'}", err=True)
