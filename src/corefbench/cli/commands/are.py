"""``corefbench are``: the Anaphora Resolution Exercise."""

from pathlib import Path
from typing import Annotated, Any, TypeAlias, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import load_corpus, require_one_standard_input, split_names
from corefbench.cli.output import ReportWriter
from corefbench.progress import ProgressBar

Task: TypeAlias = Annotated[
    int,
    typer.Argument(
        min=1, max=4, metavar="TASK", help="1: pronouns, 2: chains, entities given; 3: pronouns, 4: chains, raw text."
    ),
]
Average: TypeAlias = Annotated[str, options.method_option("macro: mean over documents. micro: sums over documents.")]
Weighting: TypeAlias = Annotated[
    str, options.method_option("Tasks 3 and 4: weight overlaps by mean or min, or count them from a threshold of ½.")
]


def make(
    corpus: options.NamedCorpus,
    folder: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    format: options.Format = "table",
) -> None:
    """Make the inputs and the keys of the four tasks from a coreference corpus.

    Writes OUT/inputs/task-1.xml … for participants and OUT/keys/task-1.xml … for the organiser.
    Uncertain links, and all but identity, synonymy, generalisation and specialisation between noun
    phrases, are dropped if the corpus distinguishes them.

    Example: corefbench are make np4e/peru exercise
    """
    from corefbench.report.are import report_tasks
    from corefbench.tasks.are.files import write_files
    from corefbench.tasks.are.make import make_tasks

    writer = ReportWriter(format)
    tasks = make_tasks(load_corpus(corpus, input_format, lenient=lenient))
    write_files(tasks, folder)
    writer.write(report_tasks(tasks, writer.format))


def score(
    task: Task,
    key: Annotated[str, typer.Argument(metavar="KEY", help="A key of `are make`, or any coreference corpus.")],
    answers: Annotated[str, typer.Argument(metavar="ANSWERS", help="The answers of a participant.")],
    average: Average = "macro",
    weighting: Weighting = "mean",
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    by: options.ByDocument = None,
    format: options.Format = "table",
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Score answers to a task of the exercise.

    Task 1: success rate, 0, ½ or 1 per pronoun. Task 2: MUC. Tasks 3 and 4: precision, recall and
    F1, weighted by the overlap of entities.

    Example: corefbench are score 1 exercise/keys/task-1.xml answers.xml
    """
    from corefbench.report.are import report_score
    from corefbench.tasks.are.score import score_task

    writer, by_document = ReportWriter(format, output, quiet=quiet), options.is_broken_down(by)
    require_one_standard_input(key, answers)
    result = score_task(
        task,
        key,
        answers,
        average=cast("Any", average),
        weighting=cast("Any", weighting),
        lenient=lenient,
        format=input_format,
    )
    writer.print_findings(result.findings)
    writer.write(report_score(result, writer.format, by_document=by_document))


def run(
    task: Task,
    corpus: Annotated[
        str | None,
        typer.Argument(
            metavar="[CORPUS]",
            help="A file, a folder, a pattern, or a name; by default np4e if it is available, else bundled.",
        ),
    ] = None,
    resolver: Annotated[
        list[str] | None,
        typer.Option(
            "--resolver", "-r", help="Comma-separated, such as kb,mars,random(seed=1); or all. May be repeated."
        ),
    ] = None,
    preprocess: options.Preprocess = "",
    average: Average = "macro",
    weighting: Weighting = "mean",
    cache: options.Cache = True,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    input_format: options.InputFormat = None,
    format: options.Format = "table",
    output: options.Output = None,
    answers: Annotated[
        Path | None, options.output_option("A folder for the answers of every resolver, as input of `are score`.")
    ] = None,
) -> None:
    """Run resolvers on a task and show them beside the participants of 2007.

    Tasks 1 and 2 give them the entities, tasks 3 and 4 raw text.

    Example: corefbench are run 3 np4e --resolver kb,mars,sieve
    """
    from corefbench.datasets.load import is_available
    from corefbench.report.are import report_exercise
    from corefbench.tasks.are.run import run_task

    writer = ReportWriter(format, output)
    name = corpus or ("np4e" if is_available("np4e") else "bundled")
    texts = load_corpus(name, input_format, quiet=True)
    with ProgressBar("documents") as bar:
        exercise = run_task(
            task,
            texts,
            [name for names in resolver or () for name in split_names(names)],
            preprocess=preprocess,
            average=cast("Any", average),
            weighting=cast("Any", weighting),
            cache=cache,
            engine=engine,
            jobs=jobs,
            begin=bar.begin,
            advance=bar.advance,
        )
    if answers is not None:
        from corefbench.tasks.are.files import write_answers
        from corefbench.tasks.are.make import make_task_corpus

        write_answers(exercise, make_task_corpus(texts, task), answers)
    writer.write(report_exercise(exercise, writer.format))


app = options.make_app("are", "The Anaphora Resolution Exercise: make, score and run its tasks.")
app.command("make")(make)
app.command("score")(score)
app.command("run")(run)
