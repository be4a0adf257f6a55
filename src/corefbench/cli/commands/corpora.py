"""``corefbench check``, ``convert``, ``stats`` and ``deduplicate``: files and corpora."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import corpus_source, reading_bar, require_one_standard_input
from corefbench.cli.output import ReportWriter, standard_output, write_corpus
from corefbench.progress import ProgressBar

if TYPE_CHECKING:
    from corefbench.diagnostics import Finding
    from corefbench.formats.convert import ConversionReport

_UNREADABLE_CODES = frozenset({"CB006", "CB101", "CB118"})


def check(
    inputs: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="Files, folders, patterns, or - for standard input.")
    ],
    input_format: options.InputFormat = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of findings per rule.")] = 100,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    format: options.TextFormat = "text",
) -> None:
    """Check files: list every problem with its location, severity, code and remedy.

    Exit code 0: no errors. 1: errors. 3: a file cannot be read at all.

    Example: corefbench check system.conll
    """
    from corefbench.formats.check import check as check_source

    as_json = options.is_json(format, "text")
    findings: list[Finding] = []
    with reading_bar(*inputs) as bar:
        for source in inputs:
            findings += check_source(source, input_format, limit=limit, advance=bar.advance, engine=engine, jobs=jobs)
    if as_json:
        from corefbench.report.renderers import render_json

        typer.echo(render_json({**_severity_counts(findings), "findings": findings}))
    else:
        typer.echo(_findings_to_text(findings, len(inputs)))
    errors = [finding for finding in findings if finding.severity == "error"]
    # A file that is no data at all is a worse result than data with errors.
    if any(error.code in _UNREADABLE_CODES for error in errors):
        raise typer.Exit(3)
    if errors:
        raise typer.Exit(1)


def _severity_counts(findings: "list[Finding]") -> dict[str, int]:
    kinds = ("error", "warning", "note")
    return {f"{kind}s": sum(f.severity == kind for f in findings) for kind in kinds}


def _findings_to_text(findings: "list[Finding]", inputs: int) -> str:
    counts = _severity_counts(findings)
    last = ", ".join(f"{n} {kind if n != 1 else kind[:-1]}" for kind, n in counts.items() if n)
    checked = f"{inputs} inputs checked" if inputs > 1 else "checked"
    return "\n".join([*map(str, findings), f"{checked}: {last or 'no problems found'}"])


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, a folder, a pattern, or - for standard input.")],
    output: Annotated[str, typer.Argument(metavar="OUT", help="A file, a folder (or a name that ends in /), or -.")],
    only: options.Only = None,
    input_format: options.InputFormat = None,
    output_format: options.OutputFormat = None,
    lenient: options.Lenient = False,
    fail_on_loss: Annotated[
        bool, typer.Option("--fail-on-loss", help="Write nothing and exit with 1 unless everything is kept.")
    ] = False,
    shard_size: Annotated[
        int | None, typer.Option(min=1, help="With a folder as OUT: documents per numbered file.")
    ] = None,
    format: options.TextFormat = "text",
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: Annotated[bool, options.output_option("No warnings and no report.", "--quiet", "-q")] = False,
) -> None:
    """Convert a file or a whole corpus, and report what the output format cannot hold.

    A folder or a quoted pattern becomes a folder, file by file, or one file; a file becomes a file,
    or a folder with a file for each document. A name that ends in .gz is compressed.

    Example: corefbench convert gold.conllu gold.conll
    """
    from corefbench.corpus.selection import join_selections
    from corefbench.diagnostics import Strictness
    from corefbench.formats.convert import convert as convert_source

    as_json = options.is_json(format, "text")

    def print_finding(finding: "Finding") -> None:
        if not quiet:
            typer.echo(str(finding), err=True)

    with reading_bar(source) as bar, standard_output(output) as path:
        report = convert_source(
            source,
            path,
            input_format=input_format,
            output_format=output_format,
            strictness=Strictness(lenient=lenient, report=print_finding),
            fail_on_loss=fail_on_loss,
            shard_size=shard_size,
            only=join_selections(only or ()),
            advance=bar.advance,
            engine=engine,
            jobs=jobs,
        )
    if quiet:
        return
    if as_json:
        import msgspec

        from corefbench.report.renderers import render_json

        text = render_json({**msgspec.to_builtins(report), "lossless": report.is_lossless})
    else:
        text = _report_to_text(report)
    typer.echo(text, err=output == "-")


def _report_to_text(report: "ConversionReport") -> str:
    from msgspec.structs import asdict

    files = len(report.files)
    format_name = f"{files} files in {report.output_format}" if files > 1 else report.output_format
    size = ", ".join(f"{count:,} {name}" for name, count in asdict(report.written).items())
    lossless = ["nothing is lost"] if report.is_lossless else []
    return "\n".join([f"wrote {format_name}: {size}", *report.lines(), *lossless])


def stats(
    corpus: Annotated[str, typer.Argument(help="A file, a folder, a pattern, or - for standard input.")],
    train: Annotated[str | None, typer.Option(help="The training corpus, for the OOV and low-frequency rates.")] = None,
    by: Annotated[
        str | None, typer.Option(help="genre, topic, subtopic, document, or another attribute of documents.")
    ] = None,
    scope: options.LabelScope = "document",
    only: options.Only = None,
    low_frequency: options.LowFrequency = 10,
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
    from corefbench.analysis.statistics import describe
    from corefbench.corpus.scope import SCOPES
    from corefbench.corpus.selection import Selection
    from corefbench.diagnostics import Strictness
    from corefbench.report.statistics import report_statistics, size_chart

    options.require_one_of(format, "table", "json", "markdown", "latex", "csv")
    options.require_one_of(scope, *SCOPES, name="scope")
    require_one_standard_input(corpus, train)
    writer = ReportWriter(format, output, chart=chart, quiet=quiet)
    findings: list[Finding] = []
    with reading_bar(corpus, *([train] if train else [])) as bar:
        description = describe(
            corpus_source(corpus),
            train=corpus_source(train) if train else None,
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
    writer.print_findings(findings)
    writer.draw(lambda: size_chart(description))
    writer.write(report_statistics(description, writer.format))


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
    from corefbench.diagnostics import Strictness
    from corefbench.report.deduplicate import deduplicate_chart, report_deduplication

    writer = ReportWriter(format, chart=chart, quiet=quiet)
    require_one_standard_input(corpus, between)
    findings: list[Finding] = []
    with ProgressBar("documents") as bar:
        result = find_duplicates(
            corpus_source(corpus),
            between=None if between is None else corpus_source(between),
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
    writer.print_findings(findings)
    drawing = writer.draw(lambda: deduplicate_chart(result))
    if output is not None:
        write_corpus(result.corpus, output, output_format, quiet=quiet)
    typer.echo(report_deduplication(result, writer.format, more=drawing), err=output == "-")
