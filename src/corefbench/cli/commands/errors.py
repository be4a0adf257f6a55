"""``corefbench errors``: analyse the errors of a response."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import reading_bar, resolve_corpus
from corefbench.cli.output import draw_chart, print_findings, require_chart, write_output
from corefbench.progress import ProgressBar

if TYPE_CHECKING:
    from corefbench.analysis.errors import ErrorAnalysis


def errors(
    key: options.Key,
    response: Annotated[str, typer.Argument(metavar="RESPONSE", help="The response to analyse.")],
    taxonomy: Annotated[str, typer.Option("--taxonomy", "-t", help="decisions, operations, links or all.")] = "all",
    by: Annotated[
        str | None,
        typer.Option(
            help="Break down by type, pronoun, gender, sentences (or distance), mentions, "
            "genre, document, length or size."
        ),
    ] = None,
    kind: Annotated[str | None, typer.Option("--class", help="Only this class, such as false-link.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STRATUM=VALUE,…", help="Only errors of such mentions: type=pronoun, distance=0,1. May be repeated."
        ),
    ] = None,
    examples: Annotated[int, typer.Option("--examples", "-n", min=0, help="Number of examples of each class.")] = 0,
    width: Annotated[int, options.output_option("Words shown around a mention.", min=0)] = 8,
    train: Annotated[
        str | None, typer.Option(help="The training corpus, for the share of low-frequency words.")
    ] = None,
    low_frequency: Annotated[
        int, options.method_option("Words with fewer occurrences count as low-frequency.", min=1)
    ] = 10,
    antecedents: Annotated[str, options.method_option("How links choose antecedents: closest or type.")] = "closest",
    profile: options.Profile = "conll-2012",
    match: options.Match = None,
    singletons: options.Singletons = None,
    zeros: options.Zeros = None,
    scope: options.Scope = None,
    measures: options.Measures = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    format: options.Format = "table",
    chart: options.Chart = None,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Count and show the errors of a response, and what it would score without them.

    Example: corefbench errors gold.conll system.conll --by type --examples 2
    """
    from corefbench.analysis.errors import error_analysis
    from corefbench.analysis.errors.taxonomy import parse_filters, select_taxonomies
    from corefbench.cli.validation import parse_report_format, require_one_standard_input
    from corefbench.report.errors import ErrorReport, report_errors

    report_format = parse_report_format(format)
    require_one_standard_input(key, response, train)
    contents = ErrorReport(
        name=Path(response).name or response,
        taxonomies=select_taxonomies(taxonomy, kind),
        by=by or "",
        examples=examples,
        width=width,
    )
    require_chart(chart)
    filters = parse_filters(kind, only or (), by)
    with reading_bar(key, response) as bar:
        analysis = error_analysis(
            resolve_corpus(key),
            resolve_corpus(response),
            profile,
            train=None if train is None else resolve_corpus(train),
            low_frequency=low_frequency,
            antecedents=cast("Any", antecedents),
            format=input_format,
            lenient=lenient,
            advance=bar.advance,
            match=match,
            singletons=singletons,
            zeros=zeros,
            scope=scope,
            measures=measures,
        )
    if not quiet:
        print_findings(analysis.findings)
    drawing = _draw_strata(analysis, by or "type", contents.name, chart, report_format)
    with ProgressBar("repairing errors", delay=0):
        text = report_errors(analysis.filter(**filters), contents, report_format, more=drawing)
    write_output(text, output)


def _draw_strata(analysis: "ErrorAnalysis", by: str, name: str, chart: Path | None, report_format: str) -> str:
    from corefbench.report.errors import MAX_STRATA, strata_chart

    if chart is None and len(analysis.scores(by)) > MAX_STRATA:
        return ""  # a page goes without a chart that nobody could read
    return draw_chart(lambda: strata_chart(analysis, by, name), chart, report_format)
