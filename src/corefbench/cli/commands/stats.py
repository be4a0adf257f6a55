"""``corefbench stats``: describe a corpus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import reading_bar
from corefbench.cli.output import draw_chart, print_findings, require_chart, write_output

if TYPE_CHECKING:
    from corefbench.diagnostics import Finding


def stats(
    corpus: Annotated[str, typer.Argument(help="A file, a folder, a pattern, or - for standard input.")],
    train: Annotated[str | None, typer.Option(help="The training corpus, for the OOV and low-frequency rates.")] = None,
    by: Annotated[
        str | None, typer.Option(help="genre, topic, subtopic, document, or another attribute of documents.")
    ] = None,
    scope: Annotated[
        str, typer.Option(help="Join chains by label within document, subtopic, topic or corpus.")
    ] = "document",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE,…",
            help="Count only such documents or mentions: topic=36,37, kind=event, document=@FILE. May be repeated.",
        ),
    ] = None,
    low_frequency: Annotated[
        int, typer.Option(min=1, help="Words with fewer occurrences count as low-frequency.")
    ] = 10,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    format: Annotated[str, options.output_option("table, json, markdown, latex or csv.", "--format", "-f")] = "table",
    chart: Annotated[Path | None, options.output_option("Draw the sizes of chains: FILE.svg, .png or .html.")] = None,
    output: options.Output = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: options.Quiet = False,
) -> None:
    """Describe a corpus: sizes, densities, overlap with training, pronouns and their distances.

    Example: corefbench stats test.conll --train train.conll --by genre
    """
    from corefbench.analysis.statistics import Selection, describe
    from corefbench.cli.validation import require_one_of, require_one_standard_input
    from corefbench.corpus.scope import SCOPES
    from corefbench.diagnostics import Strictness
    from corefbench.report.statistics import report_statistics, size_chart

    require_one_of(format, "table", "json", "markdown", "latex", "csv")
    require_one_of(scope, *SCOPES, name="scope")
    require_one_standard_input(corpus, train)
    require_chart(chart)
    findings: list[Finding] = []
    with reading_bar(corpus, *([train] if train else [])) as bar:
        description = describe(
            corpus,
            train=train,
            by=by or "",
            scope=cast("Any", scope),
            only=[Selection.parse(text) for text in only or ()],
            format=input_format,
            strictness=Strictness(lenient=lenient, report=findings.append),
            low_frequency=low_frequency,
            advance=bar.advance,
            engine=engine,
            jobs=jobs,
        )
    if not quiet:
        print_findings(findings)
    draw_chart(lambda: size_chart(description), chart, format)
    write_output(report_statistics(description, cast("Any", format)), output)
