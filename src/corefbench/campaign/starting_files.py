"""The inputs and keys of a new campaign."""

from pathlib import Path

import numpy as np

from corefbench.campaign.domain.definition import Data, Task
from corefbench.model.corpus import Corpus

_FORMAT_OF = {"corefud": "corefud", "ua": "ua", "semeval-2010": "semeval"}
"""The formats that published protocols come with; the others' is CoNLL-2012's."""


def write_are(
    parts: dict[str, Corpus], folder: Path
) -> tuple[tuple[Task, ...], dict[str, tuple[Data, ...]]]:
    """The four tasks of the exercise, as ``corefbench are make`` writes them."""
    from corefbench.are.files import write_files
    from corefbench.are.make import make
    from corefbench.are.tasks import TASKS

    tasks = tuple(
        Task(
            name=f"task-{number}",
            title=f"Task {number}: {task.title}",
            scored=f"are-{number}",
        )
        for number, task in TASKS.items()
    )
    data: dict[str, tuple[Data, ...]] = {}
    for part, corpus in parts.items():
        write_files(make(corpus), folder / part)
        data[part] = tuple(_files(part, task.name, ".xml") for task in tasks)
    return tasks, data


def write_profile(
    parts: dict[str, Corpus], folder: Path, profile: str, format: str
) -> tuple[tuple[Task, ...], dict[str, tuple[Data, ...]]]:
    """One task by a profile: participants get the words, and mark mentions and chains."""
    from corefbench.formats import make
    from corefbench.formats.convert import convert
    from corefbench.model.assemble import keep_mentions
    from corefbench.profiles import profiles

    chosen = profiles[profile]
    named = format or _FORMAT_OF.get(chosen.name, "conll")
    extension = next(iter(make(named).card.extensions), "")
    data: dict[str, tuple[Data, ...]] = {}
    for part, corpus in parts.items():
        files = _files(part, "coreference", extension, named)
        bare = keep_mentions(corpus, np.zeros(len(corpus.mentions), np.bool_))
        for content, path in ((corpus, files.key), (bare, files.input)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            convert(content, folder / path, output_format=named)
        data[part] = (files,)
    task = Task(name="coreference", title="Coreference", scored=chosen.name)
    return (task,), data


def _files(part: str, task: str, extension: str, format: str = "") -> Data:
    return Data(
        task=task,
        key=f"{part}/keys/{task}{extension}",
        input=f"{part}/inputs/{task}{extension}",
        format=format,
    )
