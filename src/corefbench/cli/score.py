"""``corefbench score``: one key, one or more responses."""

from typing import Annotated

import typer

from corefbench.cli.options import (
    OUTPUT,
    Average,
    ClusteringScope,
    EngineName,
    Format,
    InputFormat,
    Jobs,
    Key,
    Lenient,
    Match,
    Measures,
    Output,
    Profile,
    Quiet,
    RepeatLimit,
    Repeats,
    RunFile,
    Scope,
    Singletons,
    Twinless,
    Zeros,
    emit,
    refuse_two_standard_inputs,
    report_format,
    say,
    short_names,
)
from corefbench.cli.workers import expect_workers


def score(
    key: Key,
    responses: Annotated[
        list[str], typer.Argument(metavar="RESPONSE…", help="One or more responses to score.")
    ],
    profile: Profile = "conll-2012",
    match: Match = None,
    singletons: Singletons = None,
    repeats: Repeats = None,
    twinless: Twinless = None,
    zeros: Zeros = None,
    scope: Scope = None,
    clustering_scope: ClusteringScope = None,
    average: Average = None,
    measures: Measures = None,
    repeat_limit: RepeatLimit = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    by: Annotated[
        str | None, typer.Option(help="`document`: a row a document.", rich_help_panel=OUTPUT)
    ] = None,
    format: Format = "table",
    output: Output = None,
    run: RunFile = None,
    jobs: Jobs = 1,
    engine: EngineName = "",
    quiet: Quiet = False,
) -> None:
    """Score responses against a key by a published protocol.

    Example: corefbench score gold.conll system.conll --profile conll-2012
    """
    expect_workers(engine, jobs, "corefbench.scoring.sharded")
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
                engine=engine,
                jobs=jobs,
            )
            save(made, run)
            results = made.results
        else:
            results = score_each(
                key,
                named,
                chosen,
                lenient=lenient,
                format=input_format,
                advance=advance,
                engine=engine,
                jobs=jobs,
            )
    if not quiet:
        say(finding for result in results.values() for finding in result.findings)
    emit(report(results, shape, by_document=by == "document"), output)
