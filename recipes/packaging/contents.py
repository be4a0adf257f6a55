"""What is in the wheel and in the sdist, held against the source tree."""

import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from corefbench.record import Record

STRAY = ("__pycache__", ".pyc", ".orig", ".rej", ".swp", "~", ".DS_Store", ".so", ".log")
GENERATED = re.compile(r"__pycache__/|(^|docs/)_build/|docs/reference/|(^|/)\.(?!gitignore)")
LICENCES = 8
"""Our own, and those of the data and models that come along, with their notices."""
MOST = 64 << 20
"""Bytes of a wheel, packed."""
TOP = ("src", "tests", "docs", "examples", "benchmarks", "recipes")
ALONE = ("pyproject.toml", "Makefile", "constraints.txt", "README.md", "LICENSE", "CHANGELOG.md")


class Archive(Record, frozen=True):
    """A file that is to be published, and what is wrong with it."""

    name: str
    bytes: int
    files: int
    faults: tuple[str, ...]


def tree(source: Path, folder: str) -> set[str]:
    """The files of a folder that belong to it, relative to the source tree."""
    found = (path for path in (source / folder).rglob("*") if path.is_file())
    names = {path.relative_to(source).as_posix() for path in found}
    return {name for name in names if not is_stray(name)}


def is_stray(name: str) -> bool:
    """Whether a file was left behind by a tool.

    >>> is_stray("a/__pycache__/b.pyc"), is_stray("a/b.py")
    (True, False)
    """
    return GENERATED.search(name) is not None or name.endswith(STRAY)


def wheel(path: Path, source: Path) -> Archive:
    """A wheel: the package with all its data, its licences, and nothing else."""
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    info = {name for name in names if ".dist-info/" in name}
    package = names - info
    expected = {name.removeprefix("src/") for name in tree(source, "src/corefbench")}
    licences = [name for name in info if "/licenses/" in name]
    faults = [f"missing: {name}" for name in sorted(expected - package)]
    faults += [f"stray: {name}" for name in sorted(package - expected)]
    faults += [] if "corefbench/py.typed" in package else ["no py.typed"]
    faults += [] if len(licences) == LICENCES else [f"{len(licences)} licences, not {LICENCES}"]
    faults += [] if path.stat().st_size < MOST else [f"{path.stat().st_size >> 20} MB"]
    return Archive(
        name=path.name, bytes=path.stat().st_size, files=len(names), faults=tuple(faults)
    )


def sdist(path: Path, source: Path) -> Archive:
    """An sdist: the sources with tests, documentation and what is needed to run them."""
    with tarfile.open(path) as archive:
        names = {
            str(PurePosixPath(*PurePosixPath(member.name).parts[1:]))
            for member in archive
            if member.isfile()
        }
    expected = {name for top in TOP for name in tree(source, top)} | {*ALONE}
    faults = [f"missing: {name}" for name in sorted(expected - names)]
    faults += [f"stray: {name}" for name in sorted(names) if is_stray(name)]
    return Archive(
        name=path.name, bytes=path.stat().st_size, files=len(names), faults=tuple(faults)
    )
