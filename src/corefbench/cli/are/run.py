"""``corefbench are run``: resolvers as participants."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from corefbench.cli.are.options import Average, Task, Weighting
from corefbench.cli.options import (
    HOW,
    OUTPUT,
    EngineName,
    Format,
    InputFormat,
    Jobs,
    Output,
    Preprocess,
    emit,
    report_format,
)

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus


def run(
    task: Task,
    corpus: Annotated[
        str | None,
        typer.Argument(
            metavar="[CORPUS]",
            help="A file, a folder, a pattern, or a name. If not given: np4e where it is, "
            "else bundled.",
        ),
    ] = None,
    resolver: Annotated[
        list[str] | None,
        typer.Option(
            "--resolver",
            "-r",
            help="Comma-separated, such as kb,mars,random(seed=1); or all. May be repeated.",
        ),
    ] = None,
    preprocess: Preprocess = "",
    average: Average = "macro",
    weighting: Weighting = "mean",
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
    output: Output = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            help="A folder for what every resolver answers, to be scored by `are score`.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
) -> None:
    """Let resolvers take part in a task, and show them beside the participants of 2007.

    Tasks 1 and 2 give them the entities, tasks 3 and 4 raw text.

    Example: corefbench are run 3 np4e --resolver kb,mars,sieve
    """
    from corefbench.are.make import task_corpus
    from corefbench.are.overlap import Weighting as Known
    from corefbench.are.result import Mean
    from corefbench.are.run import run_task
    from corefbench.cli.bench import split
    from corefbench.cli.progress import document_progress
    from corefbench.report.are import report_exercise

    shape = report_format(format)
    names = [name for given in resolver or () for name in split(given)]
    where = _corpus(corpus, input_format)
    with document_progress() as (begin, advance):
        made = run_task(
            task,
            where,
            names,
            preprocess=preprocess,
            average=cast("Mean", average),
            weighting=cast("Known", weighting),
            cache=cache,
            engine=engine,
            jobs=jobs,
            begin=begin,
            advance=advance,
        )
    if answers is not None:
        from corefbench.are.files import write_answers

        write_answers(made, task_corpus(where, task), answers)
    emit(report_exercise(made, shape), output)


def _corpus(name: str | None, format: str | None) -> "Corpus":
    from corefbench.cli.corpus import named
    from corefbench.datasets.load import is_here
    from corefbench.formats.load import load

    found = named(name or ("np4e" if is_here("np4e") else "bundled"))
    return load(found, format=format) if isinstance(found, str) else found
