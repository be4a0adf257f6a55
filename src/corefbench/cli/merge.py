"""``corefbench merge``: several annotations of the same texts become one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli.drawing import draw, require_drawing
from corefbench.cli.options import (
    HOW,
    Chart,
    Format,
    InputFormat,
    Lenient,
    OutputFormat,
    Quiet,
    refuse_two_standard_inputs,
    report_format,
    say,
    short_names,
)

if TYPE_CHECKING:
    pass

_PERSON = "A person's decisions"


def merge(
    annotations: Annotated[
        list[str],
        typer.Argument(metavar="A B [C …]", help="Two or more annotations of the same texts."),
    ],
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Where the merged annotation goes; - prints it."),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            help="vote (majorities; for three and more), union (what one says and none denies; "
            "for two), intersection.",
            rich_help_panel=HOW,
        ),
    ] = None,
    mentions: Annotated[
        str | None,
        typer.Option(help="Votes for a mention: any, majority, all, N.", rich_help_panel=HOW),
    ] = None,
    links: Annotated[
        str | None,
        typer.Option(help="Votes for a link: any, majority, all, N.", rich_help_panel=HOW),
    ] = None,
    ties: Annotated[
        str,
        typer.Option(help="split or join where as many are against.", rich_help_panel=HOW),
    ] = "split",
    scope: Annotated[
        str,
        typer.Option(
            help="Chains of one label are one within a document, subtopic, topic or corpus.",
            rich_help_panel=HOW,
        ),
    ] = "document",
    conflicts: Annotated[
        Path | None,
        typer.Option(help="Write the conflicts to a file to be answered.", rich_help_panel=_PERSON),
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="The answered file of conflicts.", rich_help_panel=_PERSON)
    ] = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    output_format: OutputFormat = None,
    format: Format = "table",
    chart: Chart = None,
    quiet: Quiet = False,
) -> None:
    """Merge annotations by votes and by a person's decisions, and account for all that was said.

    Example: corefbench merge a.conll b.conll -o merged.conll --conflicts conflicts.txt
    """
    from corefbench.analysis.annotation.merge import merge as merge_annotations
    from corefbench.cli.corpus import named
    from corefbench.cli.written import write_corpus
    from corefbench.report.charts.merge import merge_chart
    from corefbench.report.merge import report_merge

    shape = report_format(format)
    refuse_two_standard_inputs(*annotations)
    require_drawing(chart)
    names = short_names(annotations)
    made = merge_annotations(
        {name: named(where) for name, where in zip(names, annotations, strict=True)},
        rule=rule,
        mentions=mentions,
        links=links,
        ties=cast("Any", ties),
        decisions=decisions,
        scope=cast("Any", scope),
        format=input_format,
        lenient=lenient,
    )
    if conflicts is not None:
        made.write_conflicts(conflicts)
    if not quiet:
        say(made.findings)
    drawn = draw(lambda: merge_chart(made), chart, shape)
    if output is not None:
        write_corpus(made.corpus, output, output_format, quiet=quiet)
    typer.echo(report_merge(made, shape, more=drawn), err=output == "-")
