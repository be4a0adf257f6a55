"""What is around corefbench: data sets, the cache, and other programs."""

import os
import shutil
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from corefbench.caches import cache_folder
from corefbench.datasets import CATALOGUE
from corefbench.datasets.load import VARIABLE
from corefbench.doctor.check import Check

_PROGRAMS = {
    "chromium": (
        ("chromium", "chromium-browser", "google-chrome"),
        "pictures of pages, and the tests of the workbench",
        "apt install chromium",
    ),
    "PostgreSQL": (
        ("postgres", "psql"),
        "a campaign on PostgreSQL",
        "apt install postgresql, or give the URL of a server",
    ),
    "TiMBL": (("timbl",), "checking ubiu's memory-based learner", "apt install timbl"),
}


def data(environment: Mapping[str, str]) -> Iterator[Check]:
    """The corpora of the catalogue that COREFBENCH_DATA holds; one line where it is not set."""
    given = environment.get(VARIABLE, "")
    if not given or not Path(given).is_dir():
        yield Check(
            name=VARIABLE,
            state="broken" if given else "missing",
            purpose="corpora by name, such as gum/dev",
            found=f"{given} is no folder" if given else "",
            remedy=f"set {VARIABLE} to the folder that holds the corpora",
        )
        return
    for entry in CATALOGUE.values():
        if entry.files and _some(Path(given), (entry.files, *entry.parts.values())):
            yield Check(name=entry.name, state="present", purpose=entry.title, found=entry.files)


def _some(base: Path, patterns: tuple[str, ...]) -> bool:
    """Whether anything lies where one of the patterns points; nothing more is looked at."""
    return any(next(base.glob(pattern), None) is not None for pattern in patterns if pattern)


def cache(most: int = 50_000) -> Check:
    """The folder of analyses and its size; so many files are counted at most."""
    folder = cache_folder("analyses")
    purpose = "analyses of pre-processors"
    if not folder.is_dir():
        return Check(name=str(folder), state="missing", purpose=purpose, found="nothing kept yet")
    sizes = [path.stat().st_size for path in islice(_files(folder), most)]
    more = "more than " if len(sizes) == most else ""
    writable = os.access(folder, os.W_OK)
    return Check(
        name=str(folder),
        state="present" if writable else "broken",
        version=f"{more}{sum(sizes) / 1e6:.1f} MB",
        purpose=purpose,
        found=f"{more}{len(sizes):,} entries" if writable else "cannot be written to",
        remedy="" if writable else "set COREFBENCH_CACHE to a folder of your own",
    )


def _files(folder: Path) -> Iterator[os.DirEntry[str]]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield entry


def programs() -> Iterator[Check]:
    """Programs that some features use where they are there; none is required."""
    for name, (commands, purpose, remedy) in _PROGRAMS.items():
        found = next(filter(None, map(shutil.which, commands)), None)
        yield Check(
            name=name,
            state="present" if found else "missing",
            purpose=purpose,
            found=found or "",
            remedy="" if found else remedy,
        )
