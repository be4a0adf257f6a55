"""``corefbench score``: one key, one or more responses."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

if TYPE_CHECKING:
    from corefbench.report import ReportFormat
    from corefbench.scoring.result import Result

_CHOICES = "Choices (each replaces the profile's own)"
_OUTPUT = "Output"
_INPUT = "Input"


def _choice(values: str) -> Any:
    """An option that replaces a choice of the profile."""
    return typer.Option(help=values, rich_help_panel=_CHOICES)


def score(
    key: Annotated[
        str,
        typer.Argument(metavar="KEY", help="The key: a file, a folder, or - for standard input."),
    ],
    responses: Annotated[
        list[str], typer.Argument(metavar="RESPONSE…", help="One or more responses to score.")
    ],
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="How to score; see `corefbench profiles`.")
    ] = "conll-2012",
    match: Annotated[
        str | None,
        _choice("exact, head, partial, minimum, craft, mina, semeval; head-linear and the like."),
    ] = None,
    singletons: Annotated[str | None, _choice("keep, strip, strip-response, strip-key.")] = None,
    repeats: Annotated[str | None, _choice("drop, keep, last, last-opened, distinct.")] = None,
    twinless: Annotated[
        str | None, _choice("none, conll-2011, cai-strube, drop-singletons.")
    ] = None,
    zeros: Annotated[str | None, _choice("keep, drop.")] = None,
    scope: Annotated[str | None, _choice("document, subtopic, topic, corpus.")] = None,
    average: Annotated[str | None, _choice("micro, macro.")] = None,
    measures: Annotated[
        str | None, _choice("Comma-separated, such as muc,lea,blanc(edge=both).")
    ] = None,
    repeat_limit: Annotated[str | None, _choice("none, per-run, perl-global.")] = None,
    input_format: Annotated[
        str | None,
        typer.Option(help="The format of all inputs; else recognised.", rich_help_panel=_INPUT),
    ] = None,
    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient", help="Repair what can be repaired and report it.", rich_help_panel=_INPUT
        ),
    ] = False,
    by: Annotated[
        str | None, typer.Option(help="`document`: a row a document.", rich_help_panel=_OUTPUT)
    ] = None,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            help="table, json, markdown, latex, csv or html.",
            rich_help_panel=_OUTPUT,
        ),
    ] = "table",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to a file.", rich_help_panel=_OUTPUT),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No warnings.", rich_help_panel=_OUTPUT)
    ] = False,
) -> None:
    """Score responses against a key by a published protocol.

    Example: corefbench score gold.conll system.conll --profile conll-2012
    """
    from corefbench.cli.progress import reading_progress
    from corefbench.errors import UsageError
    from corefbench.report import ReportFormat, report
    from corefbench.scoring.api import score_each

    if format not in get_args(ReportFormat):
        raise UsageError(
            f"there is no output format {format!r}", expected=str(get_args(ReportFormat))
        )
    if by not in (None, "document"):
        raise UsageError(f"cannot report by {by!r}", expected="--by document")
    if [key, *responses].count("-") > 1:
        raise UsageError("standard input can be read only once", found="- given twice")
    choices = {
        "match": match,
        "singletons": singletons,
        "repeats": repeats,
        "twinless": twinless,
        "zeros": zeros,
        "scope": scope,
        "average": average,
        "measures": measures,
        "repeat_limit": repeat_limit,
    }
    with reading_progress(key, *responses) as advance:
        results = score_each(
            key,
            dict(zip(_names(responses), responses, strict=True)),
            profile,
            lenient=lenient,
            format=input_format,
            advance=advance,
            **choices,
        )
    if not quiet:
        _say(results)
    text = report(results, cast("ReportFormat", format), by_document=by == "document")
    if output is None:
        typer.echo(text)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text + "\n", encoding="utf-8")


def _names(responses: list[str]) -> list[str]:
    """What each response is called: its path, as short as keeps them apart."""
    short = [Path(response).name or response for response in responses]
    return short if len(set(short)) == len(short) else responses


def _say(results: "dict[str, Result]") -> None:
    """Warnings go to standard error, each once."""
    said = dict.fromkeys(str(f) for result in results.values() for f in result.findings)
    for finding in said:
        typer.echo(finding, err=True)
