"""``corefbench deduplicate``: drop near-duplicates of other documents."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import resolve_corpus
from corefbench.cli.output import draw_chart, print_findings, require_chart, write_corpus

if TYPE_CHECKING:
    from corefbench.diagnostics import Finding


def deduplicate(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="A file, a folder, a pattern, or - for standard input.")
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Where the documents that are kept go; - prints them.")
    ] = None,
    between: Annotated[
        str | None, typer.Option(help="Drop what duplicates a document of this other corpus, such as the test set.")
    ] = None,
    threshold: Annotated[str, options.method_option("Drop from this share of words on, exclusive.")] = "0.9",
    bag: Annotated[str, options.method_option("multiset: count every occurrence of a word. set: once.")] = "multiset",
    ignore_case: Annotated[bool, options.method_option("Ignore case.", "--ignore-case")] = False,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    output_format: options.OutputFormat = None,
    format: options.Format = "table",
    chart: options.Chart = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: options.Quiet = False,
) -> None:
    """Drop documents that share more than nine tenths of their words with a longer one.

    Example: corefbench deduplicate corpus/ -o kept.conll
    """
    from corefbench.analysis.deduplicate import deduplicate as find_duplicates
    from corefbench.cli.validation import parse_report_format, require_one_standard_input
    from corefbench.diagnostics import Strictness
    from corefbench.progress import ProgressBar
    from corefbench.report.deduplicate import deduplicate_chart, report_deduplication

    report_format = parse_report_format(format)
    require_one_standard_input(corpus, between)
    require_chart(chart)
    findings: list[Finding] = []
    with ProgressBar("documents") as bar:
        result = find_duplicates(
            resolve_corpus(corpus),
            between=None if between is None else resolve_corpus(between),
            threshold=threshold,
            bag=cast("Any", bag),
            ignore_case=ignore_case,
            format=input_format,
            strictness=Strictness(lenient=lenient, report=findings.append),
            begin=bar.begin,
            advance=bar.advance,
            engine=engine,
            jobs=jobs,
        )
    if not quiet:
        print_findings(findings)
    drawing = draw_chart(lambda: deduplicate_chart(result), chart, report_format)
    if output is not None:
        write_corpus(result.corpus, output, output_format, quiet=quiet)
    typer.echo(report_deduplication(result, report_format, more=drawing), err=output == "-")
