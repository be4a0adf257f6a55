"""Options and output that several commands share, worded once."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast

import typer

if TYPE_CHECKING:
    from corefbench.findings import Finding
    from corefbench.report import ReportFormat

HOW = "How"
INPUT = "Input"
OUTPUT = "Output"

Key: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="KEY", help="The key: a file, a folder, a pattern, or - for standard input."
    ),
]
Profile: TypeAlias = Annotated[
    str, typer.Option("--profile", "-p", help="How to score; see `corefbench profiles`.")
]
InputFormat: TypeAlias = Annotated[
    str | None,
    typer.Option(help="The format of all inputs; else recognised.", rich_help_panel=INPUT),
]
Lenient: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--lenient", help="Repair what can be repaired and report it.", rich_help_panel=INPUT
    ),
]
Format: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format", "-f", help="table, json, markdown, latex, csv or html.", rich_help_panel=OUTPUT
    ),
]
Output: TypeAlias = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to a file.", rich_help_panel=OUTPUT)
]
OutputFormat: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="The format to write; else by the name of the output.", rich_help_panel=OUTPUT
    ),
]
Chart: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Draw a chart: FILE.svg, .png or .html.", rich_help_panel=OUTPUT),
]
RunFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--run",
        help="Keep everything in a run file, to show, compare and verify later.",
        rich_help_panel=OUTPUT,
    ),
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="No warnings.", rich_help_panel=OUTPUT)
]
Jobs: TypeAlias = Annotated[
    int, typer.Option("--jobs", "-j", min=1, help="Workers.", rich_help_panel=HOW)
]
EngineName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--engine",
        help="serial, processes, dask, or dask:ADDRESS of a scheduler; else processes if there "
        "are several jobs.",
        rich_help_panel=HOW,
    ),
]

Preprocess: TypeAlias = Annotated[
    str,
    typer.Option(
        help="en-accurate (for raw text, unless named otherwise), en, en-words, spacy:NAME, "
        "stanza, conllu, workbench, parse.",
        rich_help_panel=HOW,
    ),
]

CHOICES = "Choices (each replaces the profile's own)"


def _choice(values: str) -> Any:
    """An option that replaces a choice of the profile."""
    return typer.Option(help=values, rich_help_panel=CHOICES)


Match: TypeAlias = Annotated[
    str | None,
    _choice("exact, head, partial, minimum, craft, mina, semeval; head-linear and the like."),
]
Singletons: TypeAlias = Annotated[str | None, _choice("keep, strip, strip-response, strip-key.")]
Repeats: TypeAlias = Annotated[str | None, _choice("drop, keep, last, last-opened, distinct.")]
Twinless: TypeAlias = Annotated[
    str | None, _choice("none, conll-2011, cai-strube, drop-singletons.")
]
Zeros: TypeAlias = Annotated[str | None, _choice("keep, drop.")]
Scope: TypeAlias = Annotated[str | None, _choice("document, subtopic, topic, corpus.")]
ClusteringScope: TypeAlias = Annotated[
    str | None, _choice("How far chains of the response reach: labels, or as for scope.")
]
Average: TypeAlias = Annotated[str | None, _choice("micro, macro.")]
Measures: TypeAlias = Annotated[
    str | None, _choice("Comma-separated, such as muc,lea,blanc(edge=both).")
]
RepeatLimit: TypeAlias = Annotated[str | None, _choice("none, per-run, perl-global.")]


def report_format(name: str) -> "ReportFormat":
    """The output format of that name."""
    from corefbench.cli.choice import one_of

    one_of(name, "table", "json", "markdown", "latex", "csv", "html")
    return cast("ReportFormat", name)


def refuse_two_standard_inputs(*inputs: str) -> None:
    """Standard input can be read by one of the inputs only."""
    from corefbench.errors import UsageError

    if inputs.count("-") > 1:
        raise UsageError("standard input can be read only once", found="- given twice")


def short_names(paths: Iterable[str]) -> list[str]:
    """What each input is called: its file name where that keeps them apart, else its path.

    >>> short_names(["a/one.conll", "b/two.conll"]), short_names(["a/x.conll", "b/x.conll"])
    (['one.conll', 'two.conll'], ['a/x.conll', 'b/x.conll'])
    """
    given = list(paths)
    short = [Path(path).name or path for path in given]
    return short if len(set(short)) == len(short) else given


def emit(text: str, output: Path | None) -> None:
    """Print, or write to a file whose folder is made where it is missing."""
    if output is None:
        typer.echo(text)
        return
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text + "\n", encoding="utf-8")


def say(findings: "Iterable[Finding]") -> None:
    """Warnings go to standard error, each once."""
    for finding in dict.fromkeys(map(str, findings)):
        typer.echo(finding, err=True)
