"""Create the folder of a new campaign from a corpus.

Every third document is for training, the others are for the blind test. The first phase opens
today; organisers edit dates, quotas and titles.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.campaign.config_file import CONFIG_NAME, to_toml
from corefbench.campaign.domain.config import Campaign, Data, Phase, Quota, Task
from corefbench.campaign.domain.times import start_of_day
from corefbench.corpus.combine import take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.errors import UsageError
from corefbench.records import Longs

_GITIGNORE = """\
# State of the server: accounts, submissions, scores. `corefbench campaign backup` saves it.
/state/
"""
_README = """\
# {title}

A corefbench campaign. `campaign.toml` defines its tasks, phases and visibility; the other files are
its data.

- `*/inputs/` are downloaded by participants
- `*/keys/` are secret: keep this repository private until the results are published
- `state/` is created by the server and is not under version control

| phase | opens (UTC) | closes (UTC) |
| --- | --- | --- |
{phases}

```sh
corefbench campaign validate .            # check the configuration and the data
corefbench campaign dry-run .             # rehearse it, with baselines as teams
corefbench campaign organiser . you@example.org
corefbench campaign serve .
corefbench campaign backup . backup.tar
corefbench campaign export . site         # what is published, as a static site
```
"""
_PROFILE_FORMATS = {"corefud": "corefud", "ua": "ua", "semeval-2010": "semeval"}
"""Formats that belong to a profile; all others use CoNLL-2012's."""
ARE = "are"
"""Instead of a profile: the four tasks of the Anaphora Resolution Exercise."""
_TRAINING_LENGTH = timedelta(days=28)
_TEST_LENGTH = timedelta(days=7)


def create_campaign(
    folder: Path,
    *,
    now: datetime,
    corpus: Corpus | None = None,
    profile: str = ARE,
    format: str = "",
    name: str = "",
    title: str = "",
    contact: str = "",
) -> Campaign:
    """Create the folder of a campaign with the four ARE tasks, or one task scored by a profile.

    The default corpus is the bundled one. Raise if the folder has a campaign already.
    """
    if (folder / CONFIG_NAME).exists():
        raise UsageError("the folder has a campaign already", code="CB331", found=str(folder / CONFIG_NAME))
    from corefbench.datasets.bundled import load_bundled
    from corefbench.scoring.profiles import profiles

    with suppress(FileExistsError):  # the permissions of an existing folder are for its owner to decide
        folder.mkdir(parents=True, mode=0o700)
    parts = split_corpus(load_bundled() if corpus is None else corpus)
    if profile == ARE:
        default_title = "Anaphora Resolution Exercise"
        tasks, data = _write_are_files(parts, folder)
    else:
        default_title = f"Coreference by {profiles[profile].title}"
        tasks, data = _write_profile_files(parts, folder, profiles[profile].name, format)
    campaign = Campaign(
        name=name or _slugify(folder.resolve().name),
        title=title or default_title,
        contact=contact,
        tasks=tasks,
        phases=tuple(_make_phases(data, start_of_day(now))),
    )
    _restrict_access(folder, [file for files in data.values() for each in files for file in (each.key, each.input)])
    (folder / CONFIG_NAME).write_text(to_toml(campaign), encoding="utf-8")
    (folder / "README.md").write_text(_format_readme(campaign), encoding="utf-8")
    (folder / ".gitignore").write_text(_GITIGNORE, encoding="utf-8")
    return campaign


def split_corpus(corpus: Corpus) -> dict[str, Corpus]:
    """Split off every third document for training; with fewer than three, all are for the test."""
    if len(corpus) < 3:
        return {"test": corpus}
    numbers = np.arange(len(corpus))
    return {
        "training": _take_part(corpus, numbers[numbers % 3 == 1], "training"),
        "test": _take_part(corpus, numbers[numbers % 3 != 1], "test"),
    }


def _take_part(corpus: Corpus, numbers: Longs, name: str) -> Corpus:
    documents = corpus.documents
    names = [(documents.names[n], int(documents.parts[n])) for n in numbers.tolist()]
    return replace(take_documents(corpus, numbers, names), name=f"{corpus.name}-{name}")


def _write_are_files(parts: dict[str, Corpus], folder: Path) -> tuple[tuple[Task, ...], dict[str, tuple[Data, ...]]]:
    """Write the four ARE tasks, as ``corefbench are make`` does."""
    from corefbench.tasks.are.files import write_files
    from corefbench.tasks.are.make import make_tasks
    from corefbench.tasks.are.result import TASKS

    tasks = tuple(
        Task(name=f"task-{number}", title=f"Task {number}: {task.title}", scored=f"are-{number}")
        for number, task in TASKS.items()
    )
    data: dict[str, tuple[Data, ...]] = {}
    for part, corpus in parts.items():
        write_files(make_tasks(corpus), folder / part)
        data[part] = tuple(_make_data(part, task.name, ".xml") for task in tasks)
    return tasks, data


def _write_profile_files(
    parts: dict[str, Corpus], folder: Path, profile: str, format: str
) -> tuple[tuple[Task, ...], dict[str, tuple[Data, ...]]]:
    """Write one task scored by a profile: participants get the words without mentions."""
    from corefbench.corpus.combine import keep_mentions
    from corefbench.formats import make
    from corefbench.formats.convert import convert

    format_name = format or _PROFILE_FORMATS.get(profile, "conll")
    extension = next(iter(make(format_name).card.extensions), "")
    data: dict[str, tuple[Data, ...]] = {}
    for part, corpus in parts.items():
        files = _make_data(part, "coreference", extension, format_name)
        words_only = keep_mentions(corpus, np.zeros(len(corpus.mentions), np.bool_))
        for content, path in ((corpus, files.key), (words_only, files.input)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            convert(content, folder / path, output_format=format_name)
        data[part] = (files,)
    task = Task(name="coreference", title="Coreference", scored=profile)
    return (task,), data


def _restrict_access(folder: Path, files: list[str]) -> None:
    """Keep keys and inputs from other users of the machine."""
    for file in files:
        (folder / file).chmod(0o600)
        for parent in Path(file).parents[:-1]:
            (folder / parent).chmod(0o700)


def _make_data(part: str, task: str, extension: str, format: str = "") -> Data:
    return Data(
        task=task, key=f"{part}/keys/{task}{extension}", input=f"{part}/inputs/{task}{extension}", format=format
    )


def _make_phases(data: dict[str, tuple[Data, ...]], start: datetime) -> Iterator[Phase]:
    if "training" in data:
        yield Phase(
            name="training",
            title="Training",
            opens=start,
            closes=start + _TRAINING_LENGTH,
            data=data["training"],
            quota=Quota(day=20),
            blind=False,
            scores="at-once",
        )
        start += _TRAINING_LENGTH
    yield Phase(
        name="test",
        title="Test",
        opens=start,
        closes=start + _TEST_LENGTH,
        data=data["test"],
        quota=Quota(total=3),
        window_hours=48,
    )


def _slugify(name: str) -> str:
    """Return a name that can be used in URLs.

    >>> _slugify("My Campaign 2027!")
    'my-campaign-2027'
    """
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())
    return "-".join(filter(None, kept.split("-")))[:48].strip("-") or "campaign"


def _format_readme(campaign: Campaign) -> str:
    rows = [
        f"| {phase.title} | {phase.opens:%Y-%m-%d %H:%M} | {phase.closes:%Y-%m-%d %H:%M} |" for phase in campaign.phases
    ]
    return _README.format(title=campaign.title, phases="\n".join(rows))
