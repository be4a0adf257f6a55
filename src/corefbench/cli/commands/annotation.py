"""``corefbench merge`` and ``corefbench agreement``: several annotations of one text."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import corpus_source, corpus_sources, require_one_standard_input
from corefbench.cli.output import ReportWriter, write_corpus

_PERSON = "A person's decisions"


def merge(
    annotations: options.Annotations,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="A file for the merged annotation; - prints it.")
    ] = None,
    rule: Annotated[
        str | None,
        options.method_option(
            "vote (majority; default for three and more), union (marked by one, denied "
            "by none; default for two), intersection."
        ),
    ] = None,
    mentions: Annotated[str | None, options.method_option("Votes for a mention: any, majority, all, N.")] = None,
    links: Annotated[str | None, options.method_option("Votes for a link: any, majority, all, N.")] = None,
    ties: Annotated[str, options.method_option("split or join where votes are tied.")] = "split",
    scope: options.LabelScope = "document",
    conflicts: Annotated[
        Path | None, typer.Option(help="Write the conflicts to a file to be answered.", rich_help_panel=_PERSON)
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(help="The answered file of conflicts.", rich_help_panel=_PERSON)
    ] = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    output_format: options.OutputFormat = None,
    format: options.Format = "table",
    chart: options.Chart = None,
    quiet: options.Quiet = False,
) -> None:
    """Merge annotations by votes and by a person's decisions, and report what became of each.

    Example: corefbench merge a.conll b.conll -o merged.conll --conflicts conflicts.txt
    """
    from corefbench.analysis.annotation.merge import merge as merge_annotations
    from corefbench.report.annotation import merge_chart, report_merge

    writer = ReportWriter(format, chart=chart, quiet=quiet)
    require_one_standard_input(*annotations)
    merged = merge_annotations(
        corpus_sources(annotations),
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
        merged.write_conflicts(conflicts)
    writer.print_findings(merged.findings)
    drawing = writer.draw(lambda: merge_chart(merged))
    if output is not None:
        write_corpus(merged.corpus, output, output_format, quiet=quiet)
    typer.echo(report_merge(merged, writer.format, more=drawing), err=output == "-")


def agreement(
    annotations: options.Annotations,
    key: Annotated[
        str | None, typer.Option(help="An adjudicated annotation: adds the quality of each and of merges.")
    ] = None,
    profile: options.Profile = "conll-2012",
    missing: Annotated[
        str, options.method_option("How α counts unmarked mentions: singleton or absent.")
    ] = "singleton",
    scope: options.LabelScope = "document",
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    by: options.ByDocument = None,
    format: options.Format = "table",
    chart: options.Chart = None,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Compare annotations of the same texts: F1 of every two, Krippendorff's α, quality.

    Example: corefbench agreement a.conll b.conll c.conll --key adjudicated.conll
    """
    from corefbench.analysis.annotation.agreement import agreement as measure_agreement
    from corefbench.report.annotation import agreement_chart, report_agreement

    writer = ReportWriter(format, output, chart=chart, quiet=quiet)
    by_document = options.is_broken_down(by)
    require_one_standard_input(*annotations, key)
    result = measure_agreement(
        corpus_sources(annotations),
        key=None if key is None else corpus_source(key),
        profile=profile,
        missing=cast("Any", missing),
        scope=cast("Any", scope),
        format=input_format,
        lenient=lenient,
    )
    writer.print_findings(result.findings)
    drawing = writer.draw(lambda: agreement_chart(result))
    writer.write(report_agreement(result, writer.format, by_document=by_document, more=drawing))
