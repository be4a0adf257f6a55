"""``corefbench bench``: resolvers compared on one corpus."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from corefbench.report import ReportFormat

_HOW = "How"
_OUTPUT = "Output"


def bench(
    corpus: Annotated[
        str,
        typer.Argument(metavar="CORPUS", help="A file, a folder, or a name: bundled, gum/dev …"),
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
            rich_help_panel=_HOW,
        ),
    ] = "automatic",
    preprocess: Annotated[
        str,
        typer.Option(
            help="en, spacy:NAME, stanza, conllu, workbench, parse.", rich_help_panel=_HOW
        ),
    ] = "",
    mentions: Annotated[
        str,
        typer.Option(help="gold or predicted, whatever the mode.", rich_help_panel=_HOW),
    ] = "",
    match: Annotated[
        str,
        typer.Option(
            help="How a phrase is a mention of the key: head or exact.", rich_help_panel=_HOW
        ),
    ] = "head",
    cataphora: Annotated[
        bool,
        typer.Option(
            "--cataphora", help="Count pronouns that begin their chain.", rich_help_panel=_HOW
        ),
    ] = False,
    profile: Annotated[
        str, typer.Option(help="The protocol of the coreference scores.", rich_help_panel=_HOW)
    ] = "conll-2012",
    cache: Annotated[
        bool,
        typer.Option(
            "--cache/--no-cache", help="Keep analyses of texts on disk.", rich_help_panel=_HOW
        ),
    ] = True,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Processes.", rich_help_panel=_HOW)
    ] = 1,
    input_format: Annotated[
        str | None, typer.Option(help="The format of the corpus; else recognised.")
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
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Only the comparison, no tables.", rich_help_panel=_OUTPUT),
    ] = False,
    run: Annotated[
        Path | None,
        typer.Option(help="Keep all decisions in a run file.", rich_help_panel=_OUTPUT),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write an HTML report.", rich_help_panel=_OUTPUT)
    ] = None,
) -> None:
    """Compare resolvers on the same pre-processing and the same data.

    Prints success rates and their relatives, the tables of Barbu & Mitkov (2001), and whether the
    resolvers differ.

    Example: corefbench bench corpus.conllu --resolvers kb,cogniac,mitkov --mode annotated
    """
    from corefbench.bench.plan import PRONOUN_RESOLVERS, Plan
    from corefbench.bench.run import run_bench
    from corefbench.bench.store import save
    from corefbench.cli.choice import one_of
    from corefbench.cli.corpus import named
    from corefbench.report.bench import report_bench

    one_of(format, "table", "json", "markdown", "latex", "csv", "html")
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
    with document_progress() as (begin, advance):
        result = run_bench(
            named(corpus), plan, format=input_format, jobs=jobs, begin=begin, advance=advance
        )
    typer.echo(report_bench(result, cast("ReportFormat", format), tables=not brief))
    if run is not None:
        save(result, run)
    if report is not None:
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(report_bench(result, "html"), encoding="utf-8")


def split(names: str) -> tuple[str, ...]:
    """Comma-separated names; commas inside brackets belong to parameters.

    >>> split("kb, random(seed=1,window=2),mitkov")
    ('kb', 'random(seed=1,window=2)', 'mitkov')
    """
    import re

    return tuple(name.strip() for name in re.split(r",(?![^()]*\))", names) if name.strip())


@contextmanager
def document_progress() -> Iterator[tuple[Callable[[int], None], Callable[[int], None]]]:
    """A bar that is told how many documents there are, and then of each that is done."""
    import sys

    if not sys.stderr.isatty():
        yield (lambda total: None), (lambda count: None)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("documents"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("documents", total=None)
        yield (
            lambda total: progress.update(task, total=total),
            lambda count: progress.update(task, advance=count),
        )
