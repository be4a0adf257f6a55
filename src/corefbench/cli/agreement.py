"""``corefbench agreement``: how far annotators agree, and how good they are."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli.drawing import draw, require_drawing
from corefbench.cli.options import (
    HOW,
    OUTPUT,
    Chart,
    Format,
    InputFormat,
    Lenient,
    Output,
    Profile,
    Quiet,
    emit,
    refuse_two_standard_inputs,
    report_format,
    say,
    short_names,
)

if TYPE_CHECKING:
    pass


def agreement(
    annotations: Annotated[
        list[str],
        typer.Argument(metavar="A B [C …]", help="Two or more annotations of the same texts."),
    ],
    key: Annotated[
        str | None,
        typer.Option(help="An adjudicated annotation: adds the quality of each and of merges."),
    ] = None,
    profile: Profile = "conll-2012",
    missing: Annotated[
        str,
        typer.Option(
            help="What an unmarked mention is in α: singleton, or absent.", rich_help_panel=HOW
        ),
    ] = "singleton",
    scope: Annotated[
        str,
        typer.Option(
            help="Chains of one label are one within a document, subtopic, topic or corpus.",
            rich_help_panel=HOW,
        ),
    ] = "document",
    input_format: InputFormat = None,
    lenient: Lenient = False,
    by: Annotated[
        str | None, typer.Option(help="`document`: α by document.", rich_help_panel=OUTPUT)
    ] = None,
    format: Format = "table",
    chart: Chart = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Compare annotations of the same texts: F1 of every two, Krippendorff's α, quality.

    Example: corefbench agreement a.conll b.conll c.conll --key adjudicated.conll
    """
    from corefbench.analysis.annotation.agreement import agreement as compare_annotations
    from corefbench.cli.corpus import named
    from corefbench.errors import UsageError
    from corefbench.report.agreement import report_agreement
    from corefbench.report.charts.agreement import agreement_chart

    shape = report_format(format)
    if by not in (None, "document"):
        raise UsageError(f"cannot report by {by!r}", expected="--by document")
    refuse_two_standard_inputs(*annotations, *([key] if key else []))
    require_drawing(chart)
    names = short_names(annotations)
    made = compare_annotations(
        {name: named(where) for name, where in zip(names, annotations, strict=True)},
        key=None if key is None else named(key),
        profile=profile,
        missing=cast("Any", missing),
        scope=cast("Any", scope),
        format=input_format,
        lenient=lenient,
    )
    if not quiet:
        say(made.findings)
    drawn = draw(lambda: agreement_chart(made), chart, shape)
    emit(report_agreement(made, shape, by_document=by == "document", more=drawn), output)
