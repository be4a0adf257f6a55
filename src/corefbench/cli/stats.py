"""``corefbench stats``: what a corpus is like."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from corefbench.cli.options import (
    OUTPUT,
    EngineName,
    InputFormat,
    Jobs,
    Lenient,
    Output,
    Quiet,
    emit,
    say,
)

if TYPE_CHECKING:
    from corefbench.findings import Finding
    from corefbench.report import ReportFormat
    from corefbench.scope import Scope

_FORMATS = ("table", "json", "markdown", "latex", "csv")


def stats(
    corpus: Annotated[
        str, typer.Argument(help="A file, a folder, a pattern, or - for standard input.")
    ],
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
    input_format: InputFormat = None,
    lenient: Lenient = False,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", help="table, json, markdown, latex or csv.", rich_help_panel=OUTPUT
        ),
    ] = "table",
    chart: Annotated[
        Path | None,
        typer.Option(
            help="Draw the sizes of chains: FILE.svg, .png or .html.", rich_help_panel=OUTPUT
        ),
    ] = None,
    output: Output = None,
    jobs: Jobs = 1,
    engine: EngineName = "",
    quiet: Quiet = False,
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
        from corefbench.report.charts import require_charts

        require_charts(chart)
    inputs = (corpus, train) if train else (corpus,)
    heard: list[Finding] = []
    with reading_progress(*inputs) as advance:
        description = describe(
            corpus,
            train=train,
            by=by or "",
            scope=cast("Scope", scope),
            only=[Selection.parse(text) for text in only or ()],
            format=input_format,
            strictness=Strictness(lenient=lenient, report=heard.append),
            low_frequency=low_frequency,
            advance=advance,
            engine=engine,
            jobs=jobs,
        )
    if not quiet:
        say(heard)
    if chart is not None:
        from corefbench.report.charts import write_chart
        from corefbench.report.charts.sizes import size_chart

        write_chart(size_chart(description), chart)
    emit(report_statistics(description, cast("ReportFormat", format)), output)


def _refuse_nonsense(corpus: str, train: str | None, scope: str, format: str) -> None:
    from corefbench.errors import UsageError
    from corefbench.scope import SCOPES

    if format not in _FORMATS:
        raise UsageError(f"there is no output format {format!r}", expected=", ".join(_FORMATS))
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}", expected=", ".join(SCOPES))
    if corpus == train == "-":
        raise UsageError("standard input can be read only once", found="- given twice")
