"""``corefbench score``: one key, one or more responses."""

from typing import Annotated, Any

import typer

from corefbench.cli.options import (
    OUTPUT,
    Format,
    InputFormat,
    Key,
    Lenient,
    Output,
    Profile,
    Quiet,
    RunFile,
    emit,
    refuse_two_standard_inputs,
    report_format,
    say,
    short_names,
)

_CHOICES = "Choices (each replaces the profile's own)"


def _choice(values: str) -> Any:
    """An option that replaces a choice of the profile."""
    return typer.Option(help=values, rich_help_panel=_CHOICES)


def score(
    key: Key,
    responses: Annotated[
        list[str], typer.Argument(metavar="RESPONSE…", help="One or more responses to score.")
    ],
    profile: Profile = "conll-2012",
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
    clustering_scope: Annotated[
        str | None, _choice("How far chains of the response reach: labels, or as for scope.")
    ] = None,
    average: Annotated[str | None, _choice("micro, macro.")] = None,
    measures: Annotated[
        str | None, _choice("Comma-separated, such as muc,lea,blanc(edge=both).")
    ] = None,
    repeat_limit: Annotated[str | None, _choice("none, per-run, perl-global.")] = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    by: Annotated[
        str | None, typer.Option(help="`document`: a row a document.", rich_help_panel=OUTPUT)
    ] = None,
    format: Format = "table",
    output: Output = None,
    run: RunFile = None,
    quiet: Quiet = False,
) -> None:
    """Score responses against a key by a published protocol.

    Example: corefbench score gold.conll system.conll --profile conll-2012
    """
    from corefbench.cli.progress import reading_progress
    from corefbench.errors import UsageError
    from corefbench.report import report
    from corefbench.scoring.api import score_each
    from corefbench.scoring.choosing import customised

    shape = report_format(format)
    if by not in (None, "document"):
        raise UsageError(f"cannot report by {by!r}", expected="--by document")
    refuse_two_standard_inputs(key, *responses)
    choices = {
        "match": match,
        "singletons": singletons,
        "repeats": repeats,
        "twinless": twinless,
        "zeros": zeros,
        "scope": scope,
        "clustering_scope": clustering_scope,
        "average": average,
        "measures": measures,
        "repeat_limit": repeat_limit,
    }
    with reading_progress(key, *responses) as advance:
        named = dict(zip(short_names(responses), responses, strict=True))
        chosen = customised(profile, choices)
        if run is not None:
            from corefbench.cli.recording import command_line, now
            from corefbench.runs import save
            from corefbench.runs.record import record_scores

            made = record_scores(
                key,
                named,
                chosen,
                created=now(),
                command=command_line(),
                lenient=lenient,
                format=input_format,
                advance=advance,
            )
            save(made, run)
            results = made.results
        else:
            results = score_each(
                key, named, chosen, lenient=lenient, format=input_format, advance=advance
            )
    if not quiet:
        say(finding for result in results.values() for finding in result.findings)
    emit(report(results, shape, by_document=by == "document"), output)
