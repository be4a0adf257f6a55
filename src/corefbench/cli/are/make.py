"""``corefbench are make``: the inputs and keys of the four tasks."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.options import Format, InputFormat, Lenient, emit, report_format, say


def make(
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS", help="A file, a folder, a pattern, or a name: bundled, np4e …"
        ),
    ],
    folder: Annotated[Path, typer.Argument(metavar="OUT", help="A folder, made if need be.")],
    input_format: InputFormat = None,
    lenient: Lenient = False,
    format: Format = "table",
) -> None:
    """Make the inputs and the keys of the four tasks from a coreference corpus.

    Writes OUT/inputs/task-1.xml … for participants and OUT/keys/task-1.xml … for the organiser.
    Uncertain links, and all but identity, synonymy, generalisation and specialisation between noun
    phrases, are dropped where the corpus tells them apart.

    Example: corefbench are make np4e/peru exercise
    """
    from corefbench.are.files import write_files
    from corefbench.are.make import make as make_tasks
    from corefbench.cli.corpus import named
    from corefbench.findings import Finding, Strictness
    from corefbench.formats.load import load
    from corefbench.report.are import report_made

    shape = report_format(format)
    heard: list[Finding] = []
    where = named(corpus)
    if isinstance(where, str):
        strictness = Strictness(lenient=lenient, report=heard.append)
        where = load(where, format=input_format, strictness=strictness)
    made = make_tasks(where)
    write_files(made, folder)
    say(heard)
    emit(report_made(made, shape), None)
