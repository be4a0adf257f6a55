"""``corefbench bench``: resolvers compared on one corpus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import (
    HOW,
    OUTPUT,
    EngineName,
    Format,
    InputFormat,
    Jobs,
    Output,
    Preprocess,
    RunFile,
    emit,
    report_format,
    say,
)

if TYPE_CHECKING:
    from corefbench.bench.result import Bench
    from corefbench.cli.recording import Stopwatch


def bench(
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS", help="A file, a folder, a pattern, or a name: bundled, gum/dev …"
        ),
    ],
    resolvers: Annotated[
        str | None,
        typer.Option(
            "--resolvers", "-r", help="Comma-separated, such as kb,mitkov,random(seed=1)."
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            help="automatic: raw text. annotated: the key's tokens, mentions and syntax.",
            rich_help_panel=HOW,
        ),
    ] = "automatic",
    preprocess: Preprocess = "",
    mentions: Annotated[
        str,
        typer.Option(help="gold or predicted, whatever the mode.", rich_help_panel=HOW),
    ] = "",
    match: Annotated[
        str,
        typer.Option(
            help="How a phrase is a mention of the key: head or exact.", rich_help_panel=HOW
        ),
    ] = "head",
    cataphora: Annotated[
        bool,
        typer.Option(
            "--cataphora", help="Count pronouns that begin their chain.", rich_help_panel=HOW
        ),
    ] = False,
    profile: Annotated[
        str, typer.Option(help="The protocol of the coreference scores.", rich_help_panel=HOW)
    ] = "conll-2012",
    cache: Annotated[
        bool,
        typer.Option(
            "--cache/--no-cache", help="Keep analyses of texts on disk.", rich_help_panel=HOW
        ),
    ] = True,
    jobs: Jobs = 1,
    engine: EngineName = "",
    input_format: InputFormat = None,
    format: Format = "table",
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Only the comparison, no tables.", rich_help_panel=OUTPUT),
    ] = False,
    output: Output = None,
    run: RunFile = None,
    report: Annotated[
        Path | None, typer.Option(help="Write an HTML report.", rich_help_panel=OUTPUT)
    ] = None,
) -> None:
    """Compare resolvers on the same pre-processing and the same data.

    Prints success rates and their relatives, the tables of Barbu & Mitkov (2001), and whether the
    resolvers differ.

    Example: corefbench bench corpus.conllu --resolvers kb,cogniac,mitkov --mode annotated
    """
    from corefbench.bench.plan import PRONOUN_RESOLVERS, Plan
    from corefbench.bench.run import run_bench
    from corefbench.cli.corpus import named
    from corefbench.cli.progress import document_progress
    from corefbench.cli.recording import Stopwatch
    from corefbench.report.bench import report_bench

    shape = report_format(format)
    plan = Plan(
        resolvers=split(resolvers) if resolvers else PRONOUN_RESOLVERS,
        mode=mode,  # type: ignore[arg-type]
        preprocess=preprocess,
        mentions=mentions,  # type: ignore[arg-type]
        match=match,  # type: ignore[arg-type]
        cataphora=cataphora,
        profile=profile,
        cache=cache,
    )
    where, watch = named(corpus), Stopwatch()
    with document_progress() as (begin, advance):
        result = run_bench(
            where,
            plan,
            format=input_format,
            engine=engine,
            jobs=jobs,
            begin=begin,
            advance=advance,
        )
    if run is not None:
        source = where if isinstance(where, str) else None
        _keep(result, run, watch, source, input_format)
    emit(report_bench(result, shape, tables=not brief), output)
    say(finding for performance in result.performances for finding in performance.findings)
    if report is not None:
        emit(report_bench(result, "html"), report)


def _keep(
    result: "Bench", path: Path, watch: "Stopwatch", source: str | None, format: str | None
) -> None:
    from corefbench.cli.recording import command_line, now
    from corefbench.runs import save
    from corefbench.runs.record import record_bench

    made = record_bench(
        result,
        created=now(),
        command=command_line(),
        timing=watch.timing(),
        source=source,
        format=format,
    )
    save(made, path)


def split(names: str) -> tuple[str, ...]:
    """Comma-separated names; commas inside brackets belong to parameters.

    >>> split("kb, random(seed=1,window=2),mitkov")
    ('kb', 'random(seed=1,window=2)', 'mitkov')
    """
    import re

    return tuple(name.strip() for name in re.split(r",(?![^()]*\))", names) if name.strip())
