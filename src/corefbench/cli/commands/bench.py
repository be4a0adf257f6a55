"""``corefbench bench``: compare resolvers on one corpus."""

from pathlib import Path
from typing import Annotated

from corefbench.cli import options
from corefbench.cli.inputs import resolve_corpus, split_names
from corefbench.cli.output import print_findings, write_output


def bench(
    corpus: options.NamedCorpus,
    resolvers: options.Resolvers = None,
    mode: Annotated[
        str, options.method_option("automatic: raw text. annotated: the key's tokens, mentions and syntax.")
    ] = "automatic",
    preprocess: options.Preprocess = "",
    mentions: Annotated[str, options.method_option("gold or predicted; by default by mode.")] = "",
    match: Annotated[str, options.method_option("How phrases match mentions of the key: head or exact.")] = "head",
    cataphora: Annotated[bool, options.method_option("Count pronouns that begin their chain.", "--cataphora")] = False,
    profile: Annotated[str, options.method_option("The protocol of the coreference scores.")] = "conll-2012",
    cache: options.Cache = True,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    input_format: options.InputFormat = None,
    format: options.Format = "table",
    brief: options.Brief = False,
    output: options.Output = None,
    run: options.RunFile = None,
    report: Annotated[Path | None, options.output_option("Write an HTML report.")] = None,
) -> None:
    """Compare resolvers on the same pre-processing and the same data.

    Prints success rates and related measures, the tables of Barbu & Mitkov (2001), and tests of the
    differences.

    Example: corefbench bench corpus.conllu --resolvers kb,cogniac,mitkov --mode annotated
    """
    from corefbench.bench.plan import PRONOUN_RESOLVERS, Plan
    from corefbench.bench.run import run_bench
    from corefbench.cli.run_metadata import Stopwatch, command_line, current_time
    from corefbench.cli.validation import parse_report_format
    from corefbench.progress import ProgressBar
    from corefbench.report.bench import report_bench

    report_format = parse_report_format(format)
    plan = Plan(
        resolvers=split_names(resolvers) if resolvers else PRONOUN_RESOLVERS,
        mode=mode,  # type: ignore[arg-type]
        preprocess=preprocess,
        mentions=mentions,  # type: ignore[arg-type]
        match=match,  # type: ignore[arg-type]
        cataphora=cataphora,
        profile=profile,
        cache=cache,
    )
    source, stopwatch = resolve_corpus(corpus), Stopwatch()
    with ProgressBar("documents") as bar:
        result = run_bench(
            source, plan, format=input_format, engine=engine, jobs=jobs, begin=bar.begin, advance=bar.advance
        )
    if run is not None:
        from corefbench.runs import write_run
        from corefbench.runs.record import record_bench

        recorded = record_bench(
            result,
            created=current_time(),
            command=command_line(),
            timing=stopwatch.timing(),
            source=source if isinstance(source, str) else None,
            format=input_format,
        )
        write_run(recorded, run)
    write_output(report_bench(result, report_format, tables=not brief), output)
    print_findings(finding for performance in result.performances for finding in performance.findings)
    if report is not None:
        write_output(report_bench(result, "html"), report)
