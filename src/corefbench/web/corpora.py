"""Corpora that a page is asked for: by name, by path, or as an upload that is kept."""

from pathlib import Path
from typing import TYPE_CHECKING

from corefbench.errors import DataError, Place
from corefbench.record import Record
from corefbench.web.intake import absolute
from corefbench.web.offers import corpora as catalogue
from corefbench.web.workbench import Workbench

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus

UPLOAD = "upload:"


class Choice(Record, frozen=True):
    """A corpus that can be chosen."""

    name: str
    title: str
    group: str


def choices(workbench: Workbench) -> tuple[Choice, ...]:
    """What is on this machine: the bundled corpus, data sets with their parts, uploads."""
    made = [Choice(name="bundled", title="The corpus that comes with corefbench", group="Bundled")]
    for entry in catalogue():
        if entry.here:
            made.append(Choice(name=entry.name, title=entry.title, group="Data sets"))
            made += [
                Choice(
                    name=f"{entry.name}/{part}", title=f"{entry.title}, {part}", group="Data sets"
                )
                for part in entry.parts[:8]
            ]
    for path in sorted((workbench.folder / "uploads").glob("*/*")):
        if not path.name.startswith("."):
            name = workbench.upload_name(path)
            made.append(Choice(name=f"{UPLOAD}{name}", title=path.name, group="Uploads"))
    return tuple(made)


def chosen(workbench: Workbench, text: str) -> "str | Corpus":
    """The corpus: a path that is there, or what a name stands for."""
    from corefbench.bundled import bundled
    from corefbench.datasets import CATALOGUE, load_dataset

    if text == "bundled":
        return bundled()
    if text.startswith(UPLOAD):
        return str(workbench.upload(text.removeprefix(UPLOAD)))
    path = Path(absolute(text))
    if not path.exists() and text.partition("/")[0] in CATALOGUE:
        return load_dataset(text)
    if not path.is_file() and not path.is_dir():
        found = "neither a file nor a folder" if path.exists() else "no such file or folder"
        raise DataError(
            "the corpus cannot be read",
            place=Place(source=str(path)),
            found=found,
            remedy="check the path; it is that of the machine that corefbench runs on",
        )
    return str(path)


def stamp(workbench: Workbench, text: str) -> int:
    """Changes when the file of a corpus does; 0 for what has a name."""
    if text.startswith(UPLOAD) or text == "bundled":
        return 0
    path = Path(absolute(text))
    return path.stat().st_mtime_ns if path.exists() else 0
