"""``corefbench check`` and ``corefbench convert``: files and formats."""

from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options
from corefbench.cli.inputs import reading_bar
from corefbench.cli.output import standard_output

if TYPE_CHECKING:
    from corefbench.diagnostics import Finding
    from corefbench.formats.convert import ConversionReport, CorpusSize


_UNREADABLE_CODES = frozenset({"CB006", "CB101", "CB118"})


def check(
    inputs: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="Files, folders, patterns, or - for standard input.")
    ],
    input_format: Annotated[str | None, typer.Option(help="The format of all inputs; detected by default.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of findings per rule.")] = 100,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    format: Annotated[str, typer.Option("--format", "-f", help="text or json.")] = "text",
) -> None:
    """Check files: list every problem with its location, severity, code and remedy.

    Exit code 0: no errors. 1: errors. 3: a file cannot be read at all.

    Example: corefbench check system.conll
    """
    from corefbench.cli.validation import require_one_of
    from corefbench.formats.check import check as check_source

    require_one_of(format, "text", "json")
    findings: list[Finding] = []
    with reading_bar(*inputs) as bar:
        for source in inputs:
            findings += check_source(source, input_format, limit=limit, advance=bar.advance, engine=engine, jobs=jobs)
    if format == "json":
        from corefbench.report.renderers import render_json

        typer.echo(render_json({**_severity_counts(findings), "findings": findings}))
    else:
        typer.echo(_findings_to_text(findings, len(inputs)))
    errors = [finding for finding in findings if finding.severity == "error"]
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
    input_format: Annotated[str | None, typer.Option(help="The format of the input; detected by default.")] = None,
    output_format: Annotated[
        str | None, typer.Option(help="The format to write; by default from the extension of OUT.")
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Repair what can be repaired and report it.")] = False,
    fail_on_loss: Annotated[
        bool, typer.Option("--fail-on-loss", help="Write nothing and exit with 1 unless everything is kept.")
    ] = False,
    shard_size: Annotated[
        int | None, typer.Option(min=1, help="With a folder as OUT: documents per numbered file.")
    ] = None,
    format: Annotated[str, typer.Option("--format", "-f", help="Print the report as text or json.")] = "text",
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no report.")] = False,
) -> None:
    """Convert a file or a whole corpus, and report what the output format cannot hold.

    A folder or a quoted pattern becomes a folder, file by file, or one file; a file becomes a file,
    or a folder with a file for each document. A name that ends in .gz is compressed.

    Example: corefbench convert gold.conllu gold.conll
    """
    from corefbench.cli.validation import require_one_of
    from corefbench.diagnostics import Finding, Strictness
    from corefbench.formats.convert import convert as convert_source

    require_one_of(format, "text", "json")

    def print_finding(finding: Finding) -> None:
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
            advance=bar.advance,
            engine=engine,
            jobs=jobs,
        )
    if quiet:
        return
    if format == "json":
        import msgspec

        from corefbench.report.renderers import render_json

        text = render_json({**msgspec.to_builtins(report), "lossless": report.is_lossless})
    else:
        text = _report_to_text(report)
    typer.echo(text, err=output == "-")


def _report_to_text(report: "ConversionReport") -> str:
    files = len(report.files)
    wrote = f"{files} files in {report.output_format}" if files > 1 else report.output_format
    return "\n".join(
        [f"wrote {wrote}: {_format_size(report.written)}", *report.lines()]
        + (["nothing is lost"] if report.is_lossless else [])
    )


def _format_size(size: "CorpusSize") -> str:
    import msgspec

    return ", ".join(f"{count:,} {name}" for name, count in msgspec.to_builtins(size).items())
