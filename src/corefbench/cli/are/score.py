"""``corefbench are score``: answers to a task against its key."""

from typing import Annotated, cast

import typer

from corefbench.cli.are.options import Average, Task, Weighting
from corefbench.cli.options import (
    OUTPUT,
    Format,
    InputFormat,
    Lenient,
    Output,
    Quiet,
    emit,
    refuse_two_standard_inputs,
    report_format,
    say,
)


def score(
    task: Task,
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="A key of `are make`, or any coreference corpus.")
    ],
    answers: Annotated[
        str, typer.Argument(metavar="ANSWERS", help="What a participant handed in.")
    ],
    average: Average = "macro",
    weighting: Weighting = "mean",
    input_format: InputFormat = None,
    lenient: Lenient = False,
    by: Annotated[
        str | None, typer.Option(help="`document`: a row a document.", rich_help_panel=OUTPUT)
    ] = None,
    format: Format = "table",
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Score answers to a task of the exercise.

    Task 1: success rate, 0, ½ or 1 a pronoun. Task 2: MUC. Tasks 3 and 4: precision, recall and
    F1, weighted by the overlap of entities.

    Example: corefbench are score 1 exercise/keys/task-1.xml answers.xml
    """
    from corefbench.are.overlap import Weighting as Known
    from corefbench.are.result import Mean
    from corefbench.are.score import score_task
    from corefbench.errors import UsageError
    from corefbench.report.are import report_score

    shape = report_format(format)
    if by not in (None, "document"):
        raise UsageError(f"cannot report by {by!r}", expected="--by document")
    refuse_two_standard_inputs(key, answers)
    result = score_task(
        task,
        key,
        answers,
        average=cast("Mean", average),
        weighting=cast("Known", weighting),
        lenient=lenient,
        format=input_format,
    )
    if not quiet:
        say(result.findings)
    emit(report_score(result, shape, by_document=by == "document"), output)
