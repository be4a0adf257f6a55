"""``corefbench ui``: the workbench in the browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import HOW

if TYPE_CHECKING:
    from corefbench.web.workbench import Workbench


def ui(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[RUN|CORPUS]", help="A run file to open, or a corpus to work on."),
    ] = None,
    port: Annotated[
        int, typer.Option(help="The port; 0 takes any that is free.", rich_help_panel=HOW)
    ] = 8765,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Where runs are kept; else COREFBENCH_HOME or your data folder.",
            rich_help_panel=HOW,
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser.", rich_help_panel=HOW)
    ] = True,
) -> None:
    """Open the workbench in the browser: prepare runs, read texts, compare, find errors.

    It listens on this machine only, needs no network, and keeps every run as a file.

    Example: corefbench ui system.corefrun
    """
    try:
        from corefbench.web.serve import serve
    except ImportError as error:
        from corefbench.errors import MissingExtra

        raise MissingExtra("litestar", "ui") from error
    from corefbench.web.workbench import Workbench, default_folder

    workbench = Workbench(folder or default_folder())
    serve(workbench, port=port, start=_start(workbench, what), browser=browser, say=_say)


def _start(workbench: "Workbench", what: str | None) -> str:
    """The address to begin at."""
    from corefbench.runs import is_run, open_run
    from corefbench.web.routes import address

    if what is None:
        return address("home")
    path = Path(what).resolve()
    if is_run(path) or (path.is_file() and path.suffix == ".corefrun"):
        open_run(path)  # a file that is damaged is said to be so before a browser opens
        name = path.name.removesuffix(".corefrun")
        if path != (workbench.folder / "runs" / path.name).resolve():
            workbench.further[name] = path
        return address("results", run=name)
    return address("prepare", corpus=_corpus(what))


def _corpus(what: str) -> str:
    """A path that is there, made absolute, or the name of a corpus."""
    if Path(what).exists():
        return str(Path(what).resolve())
    from corefbench.datasets import CATALOGUE
    from corefbench.errors import UnknownName

    if what == "bundled" or what.partition("/")[0] in CATALOGUE:
        return what
    raise UnknownName("run, file or data set", what, ["bundled", *CATALOGUE])


def _say(line: str) -> None:
    typer.echo(line, err=True)
