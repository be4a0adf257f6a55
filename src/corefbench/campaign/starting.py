"""A new campaign: a folder that can be served as it is, made from a coreference corpus.

The documents are divided: about a third, at even distances, are for training, the others are the
blind test. The first phase is open from the day on; dates, quotas and titles are there to be
changed.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.campaign.domain.definition import Campaign, Data, Phase, Quota, Task
from corefbench.campaign.domain.times import midnight
from corefbench.campaign.folder import NAME
from corefbench.campaign.starting_files import write_are, write_profile
from corefbench.campaign.starting_text import GITIGNORE, readme
from corefbench.campaign.toml_write import to_toml
from corefbench.errors import UsageError
from corefbench.model.assemble import take_documents
from corefbench.model.corpus import Corpus
from corefbench.record import Longs

ARE = "are"
"""In place of a profile: the four tasks of the Anaphora Resolution Exercise."""
_TRAINING = timedelta(days=28)
_TEST = timedelta(days=7)


def init(
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
    """Make the folder of a campaign: ``are`` for the exercise's four tasks, or a profile's name.

    Without a corpus it is the bundled one. A folder that has a campaign is left as it is.
    """
    if (folder / NAME).exists():
        raise UsageError(
            "the folder has a campaign already", code="CB331", found=str(folder / NAME)
        )
    parts = divided(_bundled() if corpus is None else corpus)
    tasks, data = _written(parts, folder, profile, format)
    campaign = Campaign(
        name=name or _slug(folder.resolve().name),
        title=title or _title(profile),
        contact=contact,
        tasks=tasks,
        phases=tuple(_phases(data, midnight(now))),
    )
    (folder / NAME).write_text(to_toml(campaign), encoding="utf-8")
    (folder / "README.md").write_text(readme(campaign), encoding="utf-8")
    (folder / ".gitignore").write_text(GITIGNORE, encoding="utf-8")
    return campaign


def divided(corpus: Corpus) -> dict[str, Corpus]:
    """Every third document for training, the others for the test; all where there are but two."""
    if len(corpus) < 3:
        return {"test": corpus}
    numbers = np.arange(len(corpus))
    return {
        "training": _part(corpus, numbers[numbers % 3 == 1], "training"),
        "test": _part(corpus, numbers[numbers % 3 != 1], "test"),
    }


def _part(corpus: Corpus, numbers: Longs, name: str) -> Corpus:
    documents = corpus.documents
    called = [(documents.names[n], int(documents.parts[n])) for n in numbers.tolist()]
    return replace(take_documents(corpus, numbers, called), name=f"{corpus.name}-{name}")


def _written(
    parts: dict[str, Corpus], folder: Path, profile: str, format: str
) -> tuple[tuple[Task, ...], dict[str, tuple[Data, ...]]]:
    """The tasks, and the files that were written for each part."""
    if profile == ARE:
        return write_are(parts, folder)
    return write_profile(parts, folder, profile, format)


def _phases(data: dict[str, tuple[Data, ...]], start: datetime) -> Iterator[Phase]:
    if "training" in data:
        yield Phase(
            name="training",
            title="Training",
            opens=start,
            closes=start + _TRAINING,
            data=data["training"],
            quota=Quota(day=20),
            blind=False,
            scores="at-once",
        )
        start += _TRAINING
    yield Phase(
        name="test",
        title="Test",
        opens=start,
        closes=start + _TEST,
        data=data["test"],
        quota=Quota(total=3),
        window_hours=48,
    )


def _bundled() -> Corpus:
    from corefbench.bundled import bundled

    return bundled()


def _title(profile: str) -> str:
    if profile == ARE:
        return "Anaphora Resolution Exercise"
    from corefbench.profiles import profiles

    return f"Coreference by {profiles[profile].title}"


def _slug(name: str) -> str:
    """A name that addresses can have.

    >>> _slug("My Campaign 2027!")
    'my-campaign-2027'
    """
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())
    return "-".join(filter(None, kept.split("-")))[:48].strip("-") or "campaign"
