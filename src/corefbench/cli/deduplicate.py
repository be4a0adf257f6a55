"""``corefbench deduplicate``: drop documents that nearly repeat another one."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli.drawing import draw, require_drawing
from corefbench.cli.options import (
    HOW,
    Chart,
    EngineName,
    Format,
    InputFormat,
    Jobs,
    Lenient,
    OutputFormat,
    Quiet,
    refuse_two_standard_inputs,
    report_format,
    say,
)

if TYPE_CHECKING:
    from corefbench.findings import Finding


def deduplicate(
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS", help="A file, a folder, a pattern, or - for standard input."
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Where the documents that are kept go; - prints them."),
    ] = None,
    between: Annotated[
        str | None,
        typer.Option(
            help="Drop what duplicates a document of this other corpus, such as the test set."
        ),
    ] = None,
    threshold: Annotated[
        str, typer.Option(help="Drop where more than this share is the same.", rich_help_panel=HOW)
    ] = "0.9",
    bag: Annotated[
        str,
        typer.Option(
            help="multiset: a word counts as often as it occurs. set: once.", rich_help_panel=HOW
        ),
    ] = "multiset",
    ignore_case: Annotated[
        bool, typer.Option("--ignore-case", help="The and the are one word.", rich_help_panel=HOW)
    ] = False,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    output_format: OutputFormat = None,
    format: Format = "table",
    chart: Chart = None,
    jobs: Jobs = 1,
    engine: EngineName = "",
    quiet: Quiet = False,
) -> None:
    """Drop documents of which more than nine tenths stand in a longer one, and say which and why.

    Example: corefbench deduplicate corpus/ -o kept.conll
    """
    from corefbench.analysis.deduplicate import deduplicate as find_duplicates
    from corefbench.cli.corpus import named
    from corefbench.cli.progress import document_progress
    from corefbench.cli.written import write_corpus
    from corefbench.findings import Strictness
    from corefbench.report.charts.deduplicate import deduplicate_chart
    from corefbench.report.deduplicate import report_deduplication

    shape = report_format(format)
    refuse_two_standard_inputs(corpus, *([between] if between else []))
    require_drawing(chart)
    heard: list[Finding] = []
    with document_progress() as (begin, advance):
        made = find_duplicates(
            named(corpus),
            between=None if between is None else named(between),
            threshold=threshold,
            bag=cast("Any", bag),
            ignore_case=ignore_case,
            format=input_format,
            strictness=Strictness(lenient=lenient, report=heard.append),
            begin=begin,
            advance=advance,
            engine=engine,
            jobs=jobs,
        )
    if not quiet:
        say(heard)
    drawn = draw(lambda: deduplicate_chart(made), chart, shape)
    if output is not None:
        write_corpus(made.corpus, output, output_format, quiet=quiet)
    typer.echo(report_deduplication(made, shape, more=drawn), err=output == "-")
