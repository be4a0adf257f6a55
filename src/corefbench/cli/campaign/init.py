"""``corefbench campaign init``: a folder that can be served as it is."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.options import HOW, InputFormat


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder, made if need be.")],
    corpus: Annotated[
        str,
        typer.Option(help="A file, a folder, or a name: bundled, np4e …", rich_help_panel=HOW),
    ] = "bundled",
    task: Annotated[
        str,
        typer.Option(
            help="are: the four tasks of the exercise; or a profile such as conll-2012.",
            rich_help_panel=HOW,
        ),
    ] = "are",
    title: Annotated[
        str, typer.Option(help="What the campaign is called.", rich_help_panel=HOW)
    ] = "",
    contact: Annotated[
        str, typer.Option(help="Where participants write to.", rich_help_panel=HOW)
    ] = "",
    input_format: InputFormat = None,
) -> None:
    """Make the folder of a campaign: its definition, inputs and keys, made from a corpus.

    A third of the documents are for training, the others for a blind test with a window of 48
    hours. Dates, quotas and words are in FOLDER/campaign.toml, to be changed.

    Example: corefbench campaign init exercise --corpus np4e
    """
    from corefbench.campaign.starting import init as make
    from corefbench.cli.corpus import named
    from corefbench.formats.load import load

    found = named(corpus)
    made = make(
        folder,
        now=datetime.now(UTC),
        corpus=load(found, format=input_format) if isinstance(found, str) else found,
        profile=task,
        title=title,
        contact=contact,
    )
    phases = ", ".join(phase.name for phase in made.phases)
    tasks = ", ".join(task.name for task in made.tasks)
    typer.echo(f"{folder / 'campaign.toml'}: {made.title} ({tasks}; {phases})")
    typer.echo(
        f"next: corefbench campaign dry-run {folder}, "
        f"corefbench campaign organiser {folder} EMAIL, corefbench campaign serve {folder}",
        err=True,
    )
