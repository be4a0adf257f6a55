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
    environment,
    find_pythons,
    find_torch_problem,
    install,
    run_trial,
)

STRAY = ("__pycache__", ".pyc", ".orig", ".rej", ".swp", "~", ".DS_Store", ".so", ".log")
GENERATED = re.compile(r"__pycache__/|(^|docs/)_build/|docs/reference/|(^|/)\.(?!gitignore)")
LICENCES = 8
"""Our own, and those of the data and models that come along, with their notices."""
MAX_WHEEL_SIZE = 64 << 20
"""Bytes of a wheel, packed."""
FOLDERS = ("src", "tests", "docs", "examples", "benchmarks", "recipes")
ROOT_FILES = ("pyproject.toml", "Makefile", "constraints.txt", "README.md", "LICENSE", "CHANGELOG.md")


class Archive(Record, frozen=True):
    """A file that is to be published, and what is wrong with it."""

    name: str
    bytes: int
    files: int
    faults: tuple[str, ...]


def list_files(source: Path, folder: str) -> set[str]:
    """The files of a folder that belong to it, relative to the source tree."""
    paths = (path for path in (source / folder).rglob("*") if path.is_file())
    names = {path.relative_to(source).as_posix() for path in paths}
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
    expected = {name.removeprefix("src/") for name in list_files(source, "src/corefbench")}
    licences = [name for name in info if "/licenses/" in name]
    faults = [f"missing: {name}" for name in sorted(expected - package)]
    faults += [f"stray: {name}" for name in sorted(package - expected)]
    faults += [] if "corefbench/py.typed" in package else ["no py.typed"]
    faults += [] if len(licences) == LICENCES else [f"{len(licences)} licences, not {LICENCES}"]
    faults += [] if path.stat().st_size < MAX_WHEEL_SIZE else [f"{path.stat().st_size >> 20} MB"]
    return Archive(name=path.name, bytes=path.stat().st_size, files=len(names), faults=tuple(faults))


def check_sdist(path: Path, source: Path) -> Archive:
    """An sdist: the sources with tests, documentation and what is needed to run them."""
    with tarfile.open(path) as archive:
        names = {str(PurePosixPath(*PurePosixPath(member.name).parts[1:])) for member in archive if member.isfile()}
    expected = {name for top in FOLDERS for name in list_files(source, top)} | {*ROOT_FILES}
    faults = [f"missing: {name}" for name in sorted(expected - names)]
    faults += [f"stray: {name}" for name in sorted(names) if is_stray(name)]
    return Archive(name=path.name, bytes=path.stat().st_size, files=len(names), faults=tuple(faults))


_HEAD = """# Packaging

Written by `make package`: wheel and sdist are built and held against the source tree, and the
wheel is installed in an environment of its own on every Python that is there, bare and with each
extra; then what the extra is for is tried. Without an extra the commands that need it must end with
exit code 4 and name it."""


class TrialResult(Record, frozen=True):
    """Result of trying one extra on one Python."""

    python: str
    extra: str
    trials: int = 0
    faults: tuple[str, ...] = ()
    left_out: str = ""

    def row(self) -> list[str]:
        """As a row of the table."""
        result = f"left out: {self.left_out}" if self.left_out else "; ".join(self.faults) or "passes"
        return [self.python, self.extra, str(self.trials) if self.trials else "–", result]


def format_faults(faults: Sequence[str]) -> str:
    """The first faults, and how many more there are.

    >>> few(["a", "b", "c", "d"])
    'a; b; c; and 1 more'
    """
    rest = [f"and {len(faults) - 3} more"] if len(faults) > 3 else []
    return "; ".join([*faults[:3], *rest])


def page(archives: Sequence[Archive], results: Sequence[TrialResult]) -> str:
    """Return the page of results."""
    files = [
        [
            archive.name + note,
            f"{archive.bytes / 1e6:.1f} MB",
            f"{archive.files:,}",
            format_faults(archive.faults) or "none",
        ]
        for archive, note in zip(archives, ("", "", ", built from the sdist"), strict=True)
    ]
    left_out = "\n".join(f"- `{name}`: {why}." for name, why in LEFT_OUT.items())
    rows = [result.row() for result in results]
    return (
        "\n\n".join(
            [
                _HEAD,
                markdown_table(["file", "size", "files", "missing or stray"], files),
                markdown_table(["Python", "extra", "commands", "result"], rows),
                f"Extras that are not tried:\n\n{left_out}",
            ]
        )
        + "\n"
    )


CONSTRAINTS = ROOT / "constraints.txt"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, check and try."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pythons", help="Versions, such as 3.11,3.12, or none; else all that are there.")
    parser.add_argument("--extras", help="Extras, such as charts,dask, or bare; else all.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="Where the files go.")
    parser.add_argument("--built", action="store_true", help="They are there already.")
    options = parser.parse_args(arguments)
    if not options.built:
        build(ROOT, options.dist)
    wheel, source = newest(options.dist, "*.whl"), newest(options.dist, "*.tar.gz")
    archives = [check_wheel(wheel, ROOT), check_sdist(source, ROOT), rebuild_from_sdist(source)]
    for archive in archives:
        print(archive.name, f"{archive.bytes:,} bytes,", archive.files, "files", *archive.faults)
    interpreters = find_pythons()
    versions = options.pythons.split(",") if options.pythons else list(interpreters)
    extras = options.extras.split(",") if options.extras else ["bare", *EXTRAS]
    has_faults = any(archive.faults for archive in archives)
    write_page(archives, load_results(wheel))
    for version in filter(interpreters.__contains__, versions):
        for extra in extras:
            result = try_extra(version, interpreters[version], extra, wheel)
            print(*result.row(), flush=True)
            has_faults |= bool(result.faults)
            write_page(archives, save_result(result, wheel))
    return int(has_faults)


def write_page(archives: list[Archive], results: list[TrialResult]) -> None:
    """Write the page."""
    (RESULTS / "packaging.md").write_text(page(archives, results), encoding="utf-8")


def load_results(wheel: Path) -> list[TrialResult]:
    """Return the stored results of this wheel, so that extras may be tried one by one."""
    path = wheel.with_suffix(".json")
    if not path.is_file() or path.stat().st_mtime < wheel.stat().st_mtime:
        return []
    return msgspec.json.decode(path.read_bytes(), type=list[TrialResult])


def save_result(result: TrialResult, wheel: Path) -> list[TrialResult]:
    """Store a result; return all results of this wheel."""
    identity = (result.python, result.extra)
    others = [other for other in load_results(wheel) if (other.python, other.extra) != identity]
    order = ["bare", *EXTRAS]
    results = sorted([*others, result], key=lambda other: (other.python, order.index(other.extra)))
    wheel.with_suffix(".json").write_bytes(msgspec.json.encode(results))
    return results


def build(source: Path, dist: Path) -> None:
    """Wheel and sdist, by the tools that are installed here."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(source)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def newest(dist: Path, pattern: str) -> Path:
    """Return the newest file."""
    return max(dist.glob(pattern), key=lambda path: path.stat().st_mtime)


def rebuild_from_sdist(source: Path) -> Archive:
    """Check the wheel that is built from the sdist, which must be the same."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = folder.iterdir()
        command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", name]
        subprocess.run([*command, str(unpacked)], check=True, stdout=subprocess.DEVNULL)
        return check_wheel(newest(folder, "*.whl"), ROOT)


def try_extra(version: str, interpreter: str, extra: str, wheel: Path) -> TrialResult:
    """Try one extra in an environment of its own."""
    trials = BARE if extra == "bare" else EXTRAS[extra]
    names = ",".join(filter(None, (extra, ALSO.get(extra)))) if extra != "bare" else ""
    with environment(interpreter) as python, TemporaryDirectory() as name:
        folder = Path(name)
        copy_inputs(folder)
        if extra in NEEDS_TORCH and (reason := find_torch_problem(python, CONSTRAINTS)):
            return TrialResult(python=version, extra=extra, left_out=reason)
        problem = install(python, wheel, names, CONSTRAINTS)
        if problem:
            return TrialResult(python=version, extra=extra, faults=(f"not installed: {problem}",))
        faults = tuple(filter(None, (run_trial(python, trial, folder) for trial in trials)))
        return TrialResult(python=version, extra=extra, trials=len(trials), faults=faults)


def copy_inputs(folder: Path) -> None:
    """Copy the files that the commands need."""
    for part in ("examples", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("_build"))
    shutil.copy(Path(__file__).with_name("visit.py"), folder)
    for name in ("README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder)
    (folder / "story.txt").write_text(TEXT, encoding="utf-8")
