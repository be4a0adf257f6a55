"""``corefbench agreement``: how far annotators agree, and how good they are."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

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
    from corefbench.analysis.annotation.agreement import Agreement


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

    shape = report_format(format)
    if by not in (None, "document"):
        raise UsageError(f"cannot report by {by!r}", expected="--by document")
    refuse_two_standard_inputs(*annotations, *([key] if key else []))
    if chart is not None:
        from corefbench.report.charts import require_charts

        require_charts(chart)
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
    if chart is not None:
        from corefbench.report.charts import write_chart
        from corefbench.report.charts.agreement import agreement_chart

        write_chart(agreement_chart(made), chart)
    more = _inline(made) if shape == "html" else ""
    emit(report_agreement(made, shape, by_document=by == "document", more=more), output)


def _inline(made: "Agreement") -> str:
    """The chart for a page; none where it cannot be drawn."""
    from corefbench.report.charts.agreement import agreement_chart
    from corefbench.report.charts.inline import can_draw, inline_svg

    return inline_svg(agreement_chart(made)) if can_draw() else ""
