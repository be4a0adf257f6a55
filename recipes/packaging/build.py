"""Build wheel and sdist, check their contents, and install the wheel bare and with each extra.

Every Python that is installed is tried. Writes docs/results/packaging.md.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.data import ROOT
from benchmarks.page import RESULTS, markdown_table
from corefbench.records import Record
from recipes.packaging.environments import (
    ALSO,
    BARE,
    EXTRAS,
    LEFT_OUT,
    NEEDS_TORCH,
    TEXT,
    attempt,
    environment,
    heavy_torch,
    install,
    pythons,
)

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


def check_wheel(path: Path, source: Path) -> Archive:
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
    return Archive(name=path.name, bytes=path.stat().st_size, files=len(names), faults=tuple(faults))


def check_sdist(path: Path, source: Path) -> Archive:
    """An sdist: the sources with tests, documentation and what is needed to run them."""
    with tarfile.open(path) as archive:
        names = {str(PurePosixPath(*PurePosixPath(member.name).parts[1:])) for member in archive if member.isfile()}
    expected = {name for top in TOP for name in tree(source, top)} | {*ALONE}
    faults = [f"missing: {name}" for name in sorted(expected - names)]
    faults += [f"stray: {name}" for name in sorted(names) if is_stray(name)]
    return Archive(name=path.name, bytes=path.stat().st_size, files=len(names), faults=tuple(faults))


_HEAD = """# Packaging

Written by `make package`: wheel and sdist are built and held against the source tree, and the
wheel is installed in an environment of its own on every Python that is there, bare and with each
extra; then what the extra is for is tried. Without an extra the commands that need it must end with
exit code 4 and name it."""


class Seen(Record, frozen=True):
    """What came of one extra on one Python."""

    python: str
    extra: str
    trials: int = 0
    faults: tuple[str, ...] = ()
    left_out: str = ""

    def row(self) -> list[str]:
        """As a row of the table."""
        said = f"left out: {self.left_out}" if self.left_out else "; ".join(self.faults) or "passes"
        return [self.python, self.extra, str(self.trials) if self.trials else "–", said]


def few(faults: Sequence[str]) -> str:
    """The first faults, and how many more there are.

    >>> few(["a", "b", "c", "d"])
    'a; b; c; and 1 more'
    """
    rest = [f"and {len(faults) - 3} more"] if len(faults) > 3 else []
    return "; ".join([*faults[:3], *rest])


def page(archives: Sequence[Archive], seen: Sequence[Seen]) -> str:
    """The page."""
    made = [
        [one.name + note, f"{one.bytes / 1e6:.1f} MB", f"{one.files:,}", few(one.faults) or "none"]
        for one, note in zip(archives, ("", "", ", built from the sdist"), strict=True)
    ]
    others = "\n".join(f"- `{name}`: {why}." for name, why in LEFT_OUT.items())
    rows = [one.row() for one in seen]
    return (
        "\n\n".join(
            [
                _HEAD,
                markdown_table(["file", "size", "files", "missing or stray"], made),
                markdown_table(["Python", "extra", "commands", "result"], rows),
                f"Extras that are not tried:\n\n{others}",
            ]
        )
        + "\n"
    )


CONSTRAINTS = ROOT / "constraints.txt"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pythons", help="Versions, such as 3.11,3.12, or none; else all that are there.")
    parser.add_argument("--extras", help="Extras, such as charts,dask, or bare; else all.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="Where the files go.")
    parser.add_argument("--built", action="store_true", help="They are there already.")
    asked = parser.parse_args(arguments)
    if not asked.built:
        build(ROOT, asked.dist)
    wheel, source = newest(asked.dist, "*.whl"), newest(asked.dist, "*.tar.gz")
    archives = [check_wheel(wheel, ROOT), check_sdist(source, ROOT), again(source)]
    for archive in archives:
        print(archive.name, f"{archive.bytes:,} bytes,", archive.files, "files", *archive.faults)
    there = pythons()
    wanted = asked.pythons.split(",") if asked.pythons else list(there)
    extras = asked.extras.split(",") if asked.extras else ["bare", *EXTRAS]
    faulty = any(archive.faults for archive in archives)
    show(archives, known(wheel))
    for version in filter(there.__contains__, wanted):
        for extra in extras:
            one = tried(version, there[version], extra, wheel)
            print(*one.row(), flush=True)
            faulty |= bool(one.faults)
            show(archives, remember(one, wheel))
    return int(faulty)


def show(archives: list[Archive], seen: list[Seen]) -> None:
    """Write the page."""
    (RESULTS / "packaging.md").write_text(page(archives, seen), encoding="utf-8")


def known(wheel: Path) -> list[Seen]:
    """What was seen of this wheel before, so that extras may be tried one by one."""
    kept = wheel.with_suffix(".json")
    if not kept.is_file() or kept.stat().st_mtime < wheel.stat().st_mtime:
        return []
    return msgspec.json.decode(kept.read_bytes(), type=list[Seen])


def remember(one: Seen, wheel: Path) -> list[Seen]:
    """All that was seen of this wheel."""
    again = (one.python, one.extra)
    others = [each for each in known(wheel) if (each.python, each.extra) != again]
    order = ["bare", *EXTRAS]
    seen = sorted([*others, one], key=lambda each: (each.python, order.index(each.extra)))
    wheel.with_suffix(".json").write_bytes(msgspec.json.encode(seen))
    return seen


def build(source: Path, dist: Path) -> None:
    """Wheel and sdist, by the tools that are installed here."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(source)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def newest(dist: Path, pattern: str) -> Path:
    """The file that was made last."""
    return max(dist.glob(pattern), key=lambda path: path.stat().st_mtime)


def again(source: Path) -> Archive:
    """The wheel that is built from the sdist, which must be the same."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = folder.iterdir()
        command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", name]
        subprocess.run([*command, str(unpacked)], check=True, stdout=subprocess.DEVNULL)
        return check_wheel(newest(folder, "*.whl"), ROOT)


def tried(version: str, interpreter: str, extra: str, wheel: Path) -> Seen:
    """One extra, in an environment of its own."""
    trials = BARE if extra == "bare" else EXTRAS[extra]
    names = ",".join(filter(None, (extra, ALSO.get(extra)))) if extra != "bare" else ""
    with environment(interpreter) as python, TemporaryDirectory() as name:
        folder = Path(name)
        furnish(folder)
        if extra in NEEDS_TORCH and (why := heavy_torch(python, CONSTRAINTS)):
            return Seen(python=version, extra=extra, left_out=why)
        wrong = install(python, wheel, names, CONSTRAINTS)
        if wrong:
            return Seen(python=version, extra=extra, faults=(f"not installed: {wrong}",))
        found = tuple(filter(None, (attempt(python, one, folder) for one in trials)))
        return Seen(python=version, extra=extra, trials=len(trials), faults=found)


def furnish(folder: Path) -> None:
    """What the commands look for."""
    for part in ("examples", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("_build"))
    shutil.copy(Path(__file__).with_name("visit.py"), folder)
    for alone in ("README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / alone, folder)
    (folder / "story.txt").write_text(TEXT, encoding="utf-8")
