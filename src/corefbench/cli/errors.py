"""``corefbench errors``: what went wrong in a response."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli.options import (
    HOW,
    OUTPUT,
    Chart,
    Format,
    InputFormat,
    Key,
    Lenient,
    Match,
    Measures,
    Output,
    Profile,
    Quiet,
    Scope,
    Singletons,
    Zeros,
    emit,
    refuse_two_standard_inputs,
    report_format,
    say,
)

if TYPE_CHECKING:
    from corefbench.analysis.errors import ErrorAnalysis


def errors(
    key: Key,
    response: Annotated[str, typer.Argument(metavar="RESPONSE", help="The response to look at.")],
    taxonomy: Annotated[
        str, typer.Option("--taxonomy", "-t", help="decisions, operations, links or all.")
    ] = "all",
    by: Annotated[
        str | None,
        typer.Option(
            help="Break down by type, pronoun, gender, sentences (or distance), mentions, genre, "
            "document, length or size."
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--class", help="Only this class, such as false-link.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STRATUM=VALUE,…",
            help="Only errors of such mentions: type=pronoun, distance=0,1. May be repeated.",
        ),
    ] = None,
    examples: Annotated[
        int, typer.Option("--examples", "-n", min=0, help="So many examples of each class.")
    ] = 0,
    width: Annotated[
        int, typer.Option(min=0, help="Words shown around a mention.", rich_help_panel=OUTPUT)
    ] = 8,
    train: Annotated[
        str | None, typer.Option(help="The training corpus, for the share of low-frequency words.")
    ] = None,
    low_frequency: Annotated[
        int,
        typer.Option(
            min=1,
            help="A word is of low frequency below so many occurrences.",
            rich_help_panel=HOW,
        ),
    ] = 10,
    antecedents: Annotated[
        str,
        typer.Option(help="closest or type: the antecedents of links.", rich_help_panel=HOW),
    ] = "closest",
    profile: Profile = "conll-2012",
    match: Match = None,
    singletons: Singletons = None,
    zeros: Zeros = None,
    scope: Scope = None,
    measures: Measures = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    format: Format = "table",
    chart: Chart = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Count and show the errors of a response, and what it would score without them.

    Example: corefbench errors gold.conll system.conll --by type --examples 2
    """
    from pathlib import Path

    from corefbench.analysis.errors import error_analysis
    from corefbench.analysis.errors.naming import only_such, taxonomies_of
    from corefbench.cli.corpus import named
    from corefbench.cli.progress import reading_progress
    from corefbench.report.errors import ErrorReport, report_errors

    shape = report_format(format)
    refuse_two_standard_inputs(key, response, train or "")
    shown = ErrorReport(
        name=Path(response).name or response,
        taxonomies=taxonomies_of(taxonomy, kind),
        by=by or "",
        examples=examples,
        width=width,
    )
    if chart is not None:
        from corefbench.report.charts import require_charts

        require_charts(chart)
    wanted = only_such(kind, only or (), by)
    with reading_progress(key, response) as advance, _working(advance is None):
        analysis = error_analysis(
            named(key),
            named(response),
            profile,
            train=None if train is None else named(train),
            low_frequency=low_frequency,
            antecedents=cast("Any", antecedents),
            format=input_format,
            lenient=lenient,
            advance=advance,
            match=match,
            singletons=singletons,
            zeros=zeros,
            scope=scope,
            measures=measures,
        )
    if not quiet:
        say(analysis.findings)
    if chart is not None:
        from corefbench.report.charts import write_chart
        from corefbench.report.charts.strata import strata_chart

        write_chart(strata_chart(analysis, by or "type", shown.name), chart)
    drawn = _inline(analysis, by or "type", shown.name) if shape == "html" else ""
    with _working():
        text = report_errors(analysis.filter(**wanted), shown, shape, more=drawn)
    emit(text, output)


@contextmanager
def _working(shown: bool = True) -> Iterator[None]:
    """A sign on standard error that something is done, where somebody looks."""
    if not shown or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status("looking for errors"):
        yield


def _inline(analysis: "ErrorAnalysis", by: str, name: str) -> str:
    """The chart for a page; none where it cannot be drawn."""
    from corefbench.report.charts.inline import can_draw, inline_svg
    from corefbench.report.charts.strata import MOST, strata_chart

    if not can_draw() or len(analysis.scores(by)) > MOST:
        return ""
    return inline_svg(strata_chart(analysis, by, name))
