"""``corefbench show``: what a run file holds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import OUTPUT, Format, Output, emit, report_format

if TYPE_CHECKING:
    from corefbench.report import ReportFormat
    from corefbench.runs import Run


def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A file written with --run.")],
    document: Annotated[
        str | None,
        typer.Option("--document", "-d", help="Show this document, its chains and mistakes."),
    ] = None,
    response: Annotated[
        str | None, typer.Option("--response", "-r", help="Of several responses, this one.")
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            help="Draw the document, as it looks in a terminal: FILE.svg.", rich_help_panel=OUTPUT
        ),
    ] = None,
    format: Format = "table",
    output: Output = None,
) -> None:
    """Show a run: what was scored, when and how, and the scores; or one of its documents.

    Example: corefbench show system.corefrun --document bicycle_0
    """
    from corefbench.report.runs import report_run
    from corefbench.runs import open_run

    shape = report_format(format)
    opened = open_run(run)
    if document is None and response is None and svg is None:
        emit(report_run(opened, shape), output)
        return
    chosen = _response(opened, response)
    if svg is not None and document is not None:
        from corefbench.report.drawing import as_svg
        from corefbench.report.reading import read_along

        emit(as_svg(read_along(opened.document(document), chosen), run.name), svg)
        return
    _show_document(opened, document, chosen, shape, output)


def _response(run: "Run", named: str | None) -> str:
    """The response of that name; the only one, or the first, where none is named."""
    from corefbench.errors import UnknownName, UsageError

    names = [result.name for result in run.header.results]
    if not names:
        raise UsageError(
            "the run holds no documents", found=f"schema {run.header.schema}", remedy="make it anew"
        )
    if named is not None and named not in names:
        raise UnknownName("response", named, names)
    return names[0] if named is None else named


def _show_document(
    run: "Run", document: str | None, response: str, shape: "ReportFormat", output: Path | None
) -> None:
    import msgspec

    from corefbench.errors import UsageError
    from corefbench.report import render_table, render_tables
    from corefbench.report.reading import mention_table, read_along

    if document is None:
        raise UsageError(
            "a response is shown document by document",
            expected=f"--document NAME, such as {', '.join(run.documents[:3])}",
        )
    found = run.document(document)
    if shape == "json":
        emit(msgspec.json.format(msgspec.json.encode(found), indent=2).decode(), output)
    elif shape == "table" and output is None:
        from rich.console import Console

        Console(highlight=False).print(read_along(found, response), soft_wrap=True)
    elif shape == "table":
        emit(read_along(found, response).plain, output)
    elif shape == "html":
        from html import escape

        more = f"<pre>{escape(read_along(found, response).plain)}</pre>"
        emit(render_tables([mention_table(found, response)], shape, more=more), output)
    else:
        emit(render_table(mention_table(found, response), shape), output)
