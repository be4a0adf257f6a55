"""``corefbench show``, ``verify`` and ``bundle``: run files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options
from corefbench.cli.output import write_output

if TYPE_CHECKING:
    from corefbench.report.renderers import ReportFormat
    from corefbench.runs import Run


def show(
    run: options.RunPath,
    document: Annotated[
        str | None, typer.Option("--document", "-d", help="Show this document, its chains and errors.")
    ] = None,
    response: Annotated[
        str | None, typer.Option("--response", "-r", help="The response; by default the first.")
    ] = None,
    svg: Annotated[Path | None, options.output_option("Draw the document as in a terminal: FILE.svg.")] = None,
    format: options.Format = "table",
    output: options.Output = None,
) -> None:
    """Show a run: what was scored, when and how, and the scores; or one of its documents.

    Example: corefbench show system.corefrun --document bicycle_0
    """
    from corefbench.cli.validation import parse_report_format
    from corefbench.report.runs import report_run
    from corefbench.runs import open_run

    report_format = parse_report_format(format)
    opened = open_run(run)
    if document is None and response is None and svg is None:
        write_output(report_run(opened, report_format), output)
        return
    chosen = _choose_response(opened, response)
    if svg is not None and document is not None:
        from corefbench.report.runs import render_document, text_to_svg

        write_output(text_to_svg(render_document(opened.document(document), chosen), run.name), svg)
        return
    _show_document(opened, document, chosen, report_format, output)


def _choose_response(run: "Run", name: str | None) -> str:
    """Return the response of that name, by default the first."""
    from corefbench.errors import UnknownName, UsageError

    names = [result.name for result in run.header.results]
    if not names:
        raise UsageError("the run holds no documents", found=f"schema {run.header.schema}", remedy="make it again")
    if name is not None and name not in names:
        raise UnknownName("response", name, names)
    return names[0] if name is None else name


def _show_document(
    run: "Run", document: str | None, response: str, report_format: "ReportFormat", output: Path | None
) -> None:
    from corefbench.errors import UsageError
    from corefbench.report.renderers import render_json, render_table, render_tables
    from corefbench.report.runs import mention_table, render_document

    if document is None:
        raise UsageError(
            "a response is shown document by document",
            expected=f"--document NAME, such as {', '.join(run.documents[:3])}",
        )
    content = run.document(document)
    table = mention_table(content, response)
    if report_format == "json":
        write_output(render_json(content), output)
    elif report_format == "table" and output is None:
        from rich.console import Console

        Console(highlight=False).print(render_document(content, response), soft_wrap=True)
    elif report_format == "table":
        write_output(render_document(content, response).plain, output)
    elif report_format == "html":
        from html import escape

        more = f"<pre>{escape(render_document(content, response).plain)}</pre>"
        write_output(render_tables([table], report_format, more=more), output)
    else:
        write_output(render_table(table, report_format), output)


def verify(
    signature: Annotated[
        str, typer.Argument(metavar="SIGNATURE|RUN", help="The whole signature, in quotes; or a run file.")
    ],
    key: Annotated[str | None, typer.Argument(help="The key that was scored.")] = None,
    response: Annotated[str | None, typer.Argument(help="The response that was scored.")] = None,
    input_format: Annotated[str | None, typer.Option(help="The format of both inputs.")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Read leniently.")] = False,
) -> None:
    """Score again by the signature and compare data and scores, bit for bit.

    A run file holds all that this needs. Exit code 0: everything agrees. 1: something differs.

    Example: corefbench verify system.corefrun
    """
    from corefbench.errors import UsageError
    from corefbench.report.scores import report_scores
    from corefbench.scoring.api import verify as verify_signature

    if key is None and response is None and "|" not in signature:
        _verify_run(signature)
        return
    if key is None or response is None:
        raise UsageError(
            "a signature is verified with the data that was scored",
            expected="SIGNATURE KEY RESPONSE, or a run file alone",
        )
    result = verify_signature(signature, key, response, format=input_format, lenient=lenient)
    typer.echo(report_scores({response: result}))
    typer.echo("\nverified: data, choices and scores are those of the signature")


def _verify_run(path: str) -> None:
    from corefbench.runs import open_run
    from corefbench.runs.verify import verify_run

    counts = verify_run(open_run(path))
    typer.echo(
        f"verified: {counts.documents:,} documents scored again, {counts.results:,} results, "
        f"{counts.tallies:,} counts equal to the last bit"
    )


def bundle(
    run: options.RunPath,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write.")],
    force: Annotated[bool, options.output_option("Write into a folder that is not empty.", "--force")] = False,
) -> None:
    """Write a run as web pages that need no server: results, texts, comparisons, errors.

    Open FOLDER/index.html, or publish the folder as it is.

    Example: corefbench bundle system.corefrun pages
    """
    try:
        from corefbench.workbench.bundle import write_bundle
    except ImportError as error:
        from corefbench.errors import MissingExtra

        raise MissingExtra("litestar", "ui") from error
    from tempfile import TemporaryDirectory

    from corefbench.progress import ProgressBar
    from corefbench.runs import open_run
    from corefbench.workbench.storage import Workbench

    open_run(run)
    name = run.name.removesuffix(".corefrun")
    with TemporaryDirectory() as scratch, ProgressBar("pages") as bar:
        workbench = Workbench(Path(scratch), {name: run.resolve()})
        count = write_bundle(workbench, name, folder, force=force, progress=bar.step)
    typer.echo(f"{count} pages: {folder / 'index.html'}", err=True)
