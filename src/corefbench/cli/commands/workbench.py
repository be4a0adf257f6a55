"""``corefbench ui`` and ``bundle``: the workbench in the browser, and as a folder of pages."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options
from corefbench.progress import ProgressBar

if TYPE_CHECKING:
    from corefbench.workbench.storage import Workbench


def ui(
    what: Annotated[
        str | None, typer.Argument(metavar="[RUN|CORPUS]", help="A run file to open, or a corpus to work on.")
    ] = None,
    port: Annotated[int, options.method_option("The port; 0 takes a free one.")] = 8765,
    folder: Annotated[
        Path | None, options.method_option("The folder for runs; by default COREFBENCH_HOME or your data folder.")
    ] = None,
    browser: Annotated[bool, options.method_option("Open the browser.", "--browser/--no-browser")] = True,
) -> None:
    """Open the workbench in the browser: prepare runs, read texts, compare, find errors.

    It listens on this machine only, needs no network, and saves every run as a file.

    Example: corefbench ui system.corefrun
    """
    with options.name_missing_extra("ui"):
        from corefbench.workbench.serve import serve
    from corefbench.workbench.storage import Workbench, default_folder

    workbench = Workbench(folder or default_folder())
    start = _start_page(workbench, what)
    serve(workbench, port=port, start=start, browser=browser, say=partial(typer.echo, err=True))


def _start_page(workbench: "Workbench", what: str | None) -> str:
    """Return the URL of the page to open."""
    from corefbench.runs import is_run, open_run
    from corefbench.workbench.routes import url_for

    if what is None:
        return url_for("home")
    path = Path(what).resolve()
    if is_run(path) or (path.is_file() and path.suffix == ".corefrun"):
        open_run(path)  # report a damaged file before a browser opens
        name = path.name.removesuffix(".corefrun")
        if path != (workbench.folder / "runs" / path.name).resolve():
            workbench.external_runs[name] = path
        return url_for("results", run=name)
    return url_for("prepare", corpus=_corpus_argument(what))


def _corpus_argument(what: str) -> str:
    """Return an existing path made absolute, or the name of a corpus."""
    if Path(what).exists():
        return str(Path(what).resolve())
    from corefbench.datasets import CATALOGUE
    from corefbench.errors import UnknownName

    if what == "bundled" or what.partition("/")[0] in CATALOGUE:
        return what
    raise UnknownName("run, file or data set", what, ["bundled", *CATALOGUE])


def bundle(
    run: options.RunPath,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write.")],
    force: Annotated[bool, options.output_option("Write into a folder that is not empty.", "--force")] = False,
) -> None:
    """Write a run as web pages that need no server: results, texts, comparisons, errors.

    Open FOLDER/index.html, or publish the folder as it is.

    Example: corefbench bundle system.corefrun pages
    """
    from tempfile import TemporaryDirectory

    with options.name_missing_extra("ui"):
        from corefbench.workbench.bundle import write_bundle
    from corefbench.runs import open_run
    from corefbench.workbench.storage import Workbench

    open_run(run)
    name = run.name.removesuffix(".corefrun")
    with TemporaryDirectory() as scratch, ProgressBar("pages") as bar:
        workbench = Workbench(Path(scratch), {name: run.resolve()})
        count = write_bundle(workbench, name, folder, force=force, progress=bar.step)
    typer.echo(f"{count} pages: {folder / 'index.html'}", err=True)
