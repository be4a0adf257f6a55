"""``corefbench score``: score responses against a key."""

from typing import Any

from corefbench.cli import options
from corefbench.cli.inputs import reading_bar, require_one_standard_input, short_names
from corefbench.cli.output import ReportWriter


def score(
    key: options.Key,
    responses: options.Responses,
    profile: options.Profile = "conll-2012",
    match: options.Match = None,
    singletons: options.Singletons = None,
    repeats: options.Repeats = None,
    twinless: options.Twinless = None,
    zeros: options.Zeros = None,
    scope: options.Scope = None,
    clustering_scope: options.ClusteringScope = None,
    average: options.Average = None,
    measures: options.Measures = None,
    repeat_limit: options.RepeatLimit = None,
    only: options.Only = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    by: options.ByDocument = None,
    format: options.Format = "table",
    output: options.Output = None,
    run: options.RunFile = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: options.Quiet = False,
) -> None:
    """Score responses against a key by a published protocol.

    Example: corefbench score gold.conll system.conll --profile conll-2012
    """
    _start_workers_early(engine, jobs)
    from corefbench.corpus.selection import join_selections
    from corefbench.report.scores import report_scores
    from corefbench.scoring.api import score_each
    from corefbench.scoring.overrides import customise_profile

    writer, by_document = ReportWriter(format, output, quiet=quiet), options.is_broken_down(by)
    require_one_standard_input(key, *responses)
    customised = customise_profile(
        profile,
        {
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
            "only": join_selections(only or ()),
        },
    )
    named_responses = dict(zip(short_names(responses), responses, strict=True))
    with reading_bar(key, *responses) as bar:
        reading: dict[str, Any] = {
            "lenient": lenient,
            "format": input_format,
            "advance": bar.advance,
            "engine": engine,
            "jobs": jobs,
        }
        if run is None:
            results = score_each(key, named_responses, customised, **reading)
        else:
            from corefbench.cli.run_metadata import command_line, current_time
            from corefbench.runs import write_run
            from corefbench.runs.record import record_scores

            recorded = record_scores(
                key, named_responses, customised, created=current_time(), command=command_line(), **reading
            )
            write_run(recorded, run)
            results = recorded.results
    writer.print_findings(finding for result in results.values() for finding in result.findings)
    writer.write(report_scores(results, writer.format, by_document=by_document))


def _start_workers_early(engine: str, jobs: int) -> None:
    """Let the fork server import the scorer while this process still does so itself."""
    if jobs > 1 and engine in ("", "processes"):
        from multiprocessing import forkserver

        forkserver.set_forkserver_preload(["corefbench.scoring.sharding"])
        forkserver.ensure_running()
