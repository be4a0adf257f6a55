"""``corefbench show`` and ``verify``: run files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options
from corefbench.cli.output import ReportWriter, write_output

if TYPE_CHECKING:
    from corefbench.report.renderers import ReportFormat
    from corefbench.runs import Run
    from corefbench.runs.schema import RunDocument


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
    from corefbench.errors import UsageError
    from corefbench.report.runs import render_document, report_run, text_to_svg
    from corefbench.runs import open_run

    writer = ReportWriter(format, output)
    opened = open_run(run)
    if document is None and response is None and svg is None:
        writer.write(report_run(opened, writer.format))
        return
    chosen = _choose_response(opened, response)
    if document is None:
        raise UsageError(
            "a response is shown document by document",
            expected=f"--document NAME, such as {', '.join(opened.documents[:3])}",
        )
    content = opened.document(document)
    if svg is not None:
        write_output(text_to_svg(render_document(content, chosen), run.name), svg)
    elif format == "table" and output is None:
        from rich.console import Console

        Console(highlight=False).print(render_document(content, chosen), soft_wrap=True)
    else:
        writer.write(_document_to_text(content, chosen, writer.format))


def _choose_response(run: "Run", name: str | None) -> str:
    """Return the response of that name, by default the first."""
    from corefbench.errors import UnknownName, UsageError

    names = [result.name for result in run.header.results]
    if not names:
        raise UsageError("the run holds no documents", found=f"schema {run.header.schema}", remedy="make it again")
    if name is not None and name not in names:
        raise UnknownName("response", name, names)
    return names[0] if name is None else name


def _document_to_text(document: "RunDocument", response: str, format: "ReportFormat") -> str:
    from html import escape

    from corefbench.report.renderers import render_json, render_table, render_tables
    from corefbench.report.runs import mention_table, render_document

    if format == "json":
        return render_json(document)
    if format == "table":
        return render_document(document, response).plain
    table = mention_table(document, response)
    if format != "html":
        return render_table(table, format)
    return render_tables([table], format, more=f"<pre>{escape(render_document(document, response).plain)}</pre>")


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
    from corefbench.runs import open_run
    from corefbench.runs.verify import verify_run
    from corefbench.scoring.api import verify as verify_signature

    if key is None and response is None and "|" not in signature:
        counts = verify_run(open_run(signature))
        typer.echo(
            f"verified: {counts.documents:,} documents scored again, {counts.results:,} results, "
            f"{counts.tallies:,} counts equal to the last bit"
        )
        return
    if key is None or response is None:
        raise UsageError(
            "a signature is verified with the data that was scored",
            expected="SIGNATURE KEY RESPONSE, or a run file alone",
        )
    result = verify_signature(signature, key, response, format=input_format, lenient=lenient)
    typer.echo(report_scores({response: result}))
    typer.echo("\nverified: data, choices and scores are those of the signature")
