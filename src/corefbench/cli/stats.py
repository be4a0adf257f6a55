"""``corefbench stats``: what a corpus is like."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from corefbench.findings import Finding
    from corefbench.report import ReportFormat
    from corefbench.scope import Scope

_FORMATS = ("table", "json", "markdown", "latex", "csv")
_INPUT = "Input"
_OUTPUT = "Output"


def stats(
    corpus: Annotated[str, typer.Argument(help="A file, a folder, or - for standard input.")],
    train: Annotated[
        str | None, typer.Option(help="The training corpus, for the OOV and low-frequency rates.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(help="genre, topic, subtopic, document, or what else documents have."),
    ] = None,
    scope: Annotated[
        str, typer.Option(help="Join chains by label within document, subtopic, topic or corpus.")
    ] = "document",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE,…",
            help="Count only such documents or mentions: topic=36,37, kind=event, "
            "document=@FILE. May be repeated.",
        ),
    ] = None,
    low_frequency: Annotated[
        int, typer.Option(min=1, help="A word is of low frequency below so many occurrences.")
    ] = 10,
    input_format: Annotated[
        str | None,
        typer.Option(help="The format of all inputs; else recognised.", rich_help_panel=_INPUT),
    ] = None,
    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient", help="Repair what can be repaired and report it.", rich_help_panel=_INPUT
        ),
    ] = False,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", help="table, json, markdown, latex or csv.", rich_help_panel=_OUTPUT
        ),
    ] = "table",
    chart: Annotated[
        Path | None,
        typer.Option(
            help="Draw the sizes of chains: FILE.svg or FILE.png.", rich_help_panel=_OUTPUT
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to a file.", rich_help_panel=_OUTPUT),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No repairs.", rich_help_panel=_OUTPUT)
    ] = False,
) -> None:
    """Describe a corpus: sizes, densities, overlap with training, pronouns and their distances.

    Example: corefbench stats test.conll --train train.conll --by genre
    """
    from corefbench.cli.progress import reading_progress
    from corefbench.findings import Strictness
    from corefbench.report.statistics import report_statistics
    from corefbench.stats import Selection, describe

    _refuse_nonsense(corpus, train, scope, format)
    if chart is not None:
        from corefbench.report.chart import require_charts, write_chart

        require_charts(chart)
    inputs = (corpus, train) if train else (corpus,)
    heard: dict[str, None] = {}

    def hear(finding: "Finding") -> None:
        heard[str(finding)] = None

    with reading_progress(*inputs) as advance:
        description = describe(
            corpus,
            train=train,
            by=by or "",
            scope=cast("Scope", scope),
            only=[Selection.parse(text) for text in only or ()],
            format=input_format,
            strictness=Strictness(lenient=lenient, report=hear),
            low_frequency=low_frequency,
            advance=advance,
        )
    for said in () if quiet else heard:
        typer.echo(said, err=True)
    if chart is not None:
        write_chart(description, chart)
    text = report_statistics(description, cast("ReportFormat", format))
    if output is None:
        typer.echo(text)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text + "\n", encoding="utf-8")


def _refuse_nonsense(corpus: str, train: str | None, scope: str, format: str) -> None:
    from corefbench.errors import UsageError
    from corefbench.scope import SCOPES

    if format not in _FORMATS:
        raise UsageError(f"there is no output format {format!r}", expected=", ".join(_FORMATS))
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}", expected=", ".join(SCOPES))
    if corpus == train == "-":
        raise UsageError("standard input can be read only once", found="- given twice")
