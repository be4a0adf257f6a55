"""The input of a run: where it is, and what is wrong with it as ``corefbench check`` has it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from corefbench.errors import DataError, UsageError
from corefbench.findings import Finding
from corefbench.record import Record
from corefbench.web.form import Form

if TYPE_CHECKING:
    from corefbench.web.workbench import Workbench

LARGEST = 64 << 20
"""Bytes that are checked while somebody waits; more is checked when it is read."""
_FILES = 20_000
_LIMIT = 20
"""So many findings of one rule are shown."""
_LEFT_OUT = frozenset({"CB101", "CB102"})
"""Why a file of a folder is left out when the folder is read."""


class Examined(Record, frozen=True):
    """One input, checked."""

    role: str
    """``corpus``, ``key`` or ``response``."""
    name: str
    findings: tuple[Finding, ...] = ()
    bytes: int = 0
    unchecked: bool = False
    """Too large to be checked while somebody waits."""

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(finding.severity == "error" for finding in self.findings)


def corpus_of(workbench: "Workbench", form: Form) -> str:
    """The corpus or key: an absolute path, or a name."""
    if form.corpus == "upload":
        if not form.kept:
            raise UsageError("no file is chosen", expected="a file to upload")
        return str(workbench.upload(form.kept))
    if form.corpus == "path":
        return absolute(form.path)
    if form.corpus == "dataset":
        if not form.dataset:
            raise UsageError("no data set is chosen", expected="one that is on this machine")
        return form.dataset
    return "bundled"


def responses_of(workbench: "Workbench", form: Form) -> dict[str, str]:
    """The responses: absolute paths, by names that keep them apart."""
    paths = [str(workbench.upload(name)) for name in form.responses_kept]
    paths += [absolute(line) for line in form.responses_path.splitlines() if line.strip()]
    if not paths:
        raise UsageError("there is nothing to score", expected="at least one response")
    return named_apart(list(dict.fromkeys(paths)))


def named_apart(paths: list[str]) -> dict[str, str]:
    """The paths by their file names, numbered where two are the same.

    >>> named_apart(["/a/one.conll", "/b/one.conll"])
    {'one.conll': '/a/one.conll', 'one.conll (2)': '/b/one.conll'}
    """
    made: dict[str, str] = {}
    for path in paths:
        name, number = Path(path).name, 2
        while name in made:
            name, number = f"{Path(path).name} ({number})", number + 1
        made[name] = path
    return made


def absolute(typed: str) -> str:
    """A path as somebody types it: quotes around it and ``~`` are understood."""
    bare = typed.strip().strip("\"'")
    if not bare or "\0" in bare:
        raise UsageError("no path is given", expected="the path of a file or folder")
    return os.path.abspath(os.path.expanduser(bare))


def examine(role: str, where: str, form: Form) -> Examined:
    """Check one input; what has a name instead of a path is known to be right."""
    if not os.path.isabs(where):
        return Examined(role=role, name=where)
    path = Path(where)
    if not path.is_file() and not path.is_dir():
        found = "no such file or folder" if not path.exists() else "neither a file nor a folder"
        remedy = "check the path; it is that of the machine that corefbench runs on"
        gone = DataError("the file cannot be read", found=found, remedy=remedy)
        return Examined(role=role, name=where, findings=(Finding.of(gone),))
    size = _weight(path)
    if size > LARGEST:
        return Examined(role=role, name=path.name, bytes=size, unchecked=True)
    from corefbench.formats.check import check

    findings = check(path, form.format or None, limit=_LIMIT)
    shown = [_shown(finding, path) for finding in findings]
    if path.is_dir() and _some_is_readable(path, form.format):
        shown = [_left_out(finding) for finding in shown]
    return Examined(role=role, name=path.name, findings=tuple(shown), bytes=size)


def _weight(path: Path) -> int:
    """Bytes of a file or of the files of a folder; counting ends where it is too much anyway."""
    if path.is_file():
        return path.stat().st_size
    total = files = 0
    for folder, _, names in os.walk(path):
        for name in names:
            files += 1
            status = os.lstat(os.path.join(folder, name))
            total += status.st_size
            if total > LARGEST or files > _FILES:
                return LARGEST + 1
    return total


def _shown(finding: Finding, path: Path) -> Finding:
    """The finding with the name of the file instead of where this machine keeps it."""
    source = finding.place.source
    if os.path.isabs(source):
        source = os.path.relpath(source, path if path.is_dir() else path.parent)
    return replace(finding, place=replace(finding.place, source=source))


def _some_is_readable(path: Path, format: str) -> bool:
    from corefbench.formats.load import stream

    try:
        return next(stream(path, format=format or None), None) is not None
    except DataError:
        return False


def _left_out(finding: Finding) -> Finding:
    if finding.severity == "error" and finding.code in _LEFT_OUT:
        return replace(finding, severity="note", remedy="the file is left out")
    return finding
