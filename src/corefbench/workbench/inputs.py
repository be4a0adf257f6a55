"""Locate and check the input files of a run."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from corefbench.diagnostics import Finding
from corefbench.errors import DataError, Place, UsageError
from corefbench.records import Record
from corefbench.workbench.choices import dataset_choices
from corefbench.workbench.jobs import RunForm
from corefbench.workbench.storage import Workbench

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus

MAX_CHECKED_BYTES = 64 << 20
"""Bytes that are checked while the user waits; larger inputs are checked when they are read."""
_MAX_CHECKED_FILES = 20_000
_MAX_FINDINGS_PER_RULE = 20
_SKIPPED_FILE_CODES = frozenset({"CB101", "CB102"})
"""Codes of files that are skipped when a folder is read."""
UPLOAD_PREFIX = "upload:"


class CheckedInput(Record, frozen=True):
    """An input with the findings of its check."""

    role: str
    """``corpus``, ``key`` or ``response``."""
    name: str
    findings: tuple[Finding, ...] = ()
    bytes: int = 0
    unchecked: bool = False
    """Whether it is too large to be checked while the user waits."""

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(finding.severity == "error" for finding in self.findings)


def corpus_source(workbench: Workbench, form: RunForm) -> str:
    """Return the corpus or key: an absolute path, or a name."""
    if form.corpus == "upload":
        if not form.kept:
            raise UsageError("no file is chosen", expected="a file to upload")
        return str(workbench.upload(form.kept))
    if form.corpus == "path":
        return expand_path(form.path)
    if form.corpus == "dataset":
        if not form.dataset:
            raise UsageError("no dataset is chosen", expected="one that is on this machine")
        return form.dataset
    return "bundled"


def response_sources(workbench: Workbench, form: RunForm) -> dict[str, str]:
    """Return absolute paths of the responses by unique names."""
    paths = [str(workbench.upload(name)) for name in form.responses_kept]
    paths += [expand_path(line) for line in form.responses_path.splitlines() if line.strip()]
    if not paths:
        raise UsageError("there is nothing to score", expected="at least one response")
    paths = list(dict.fromkeys(paths))
    return dict(zip(unique_names([Path(path).name for path in paths]), paths, strict=True))


def unique_names(names: Sequence[str]) -> list[str]:
    """Number names that occur more than once.

    >>> unique_names(["one.conll", "two.conll", "one.conll"])
    ['one.conll', 'two.conll', 'one.conll (2)']
    """
    unique: list[str] = []
    for name in names:
        free, number = name, 2
        while free in unique:
            free, number = f"{name} ({number})", number + 1
        unique.append(free)
    return unique


def expand_path(text: str) -> str:
    """Return the absolute path that was typed in; quotes and ``~`` are understood."""
    path = text.strip().strip("\"'")
    if not path or "\0" in path:
        raise UsageError("no path is given", expected="the path of a file or folder")
    return os.path.abspath(os.path.expanduser(path))


def require_readable(path: Path, message: str, place: Place) -> None:
    """Raise unless a path leads to a file or folder."""
    # The functions of os.path, not of Path: those raise for names that no file can have.
    if not os.path.isfile(path) and not os.path.isdir(path):
        raise DataError(
            message,
            place=place,
            found="neither a file nor a folder" if os.path.exists(path) else "no such file or folder",
            remedy="check the path; it is that of the machine that corefbench runs on",
        )


def check_input(role: str, source: str, form: RunForm) -> CheckedInput:
    """Check an input; a named corpus needs no check."""
    if not os.path.isabs(source):
        return CheckedInput(role=role, name=source)
    path = Path(source)
    try:
        require_readable(path, "the file cannot be read", Place())
    except DataError as error:
        return CheckedInput(role=role, name=source, findings=(Finding.of(error),))
    size = _total_bytes(path)
    if size > MAX_CHECKED_BYTES:
        return CheckedInput(role=role, name=path.name, bytes=size, unchecked=True)
    from corefbench.formats.check import check

    findings = check(path, form.format or None, limit=_MAX_FINDINGS_PER_RULE)
    findings = [_with_relative_path(finding, path) for finding in findings]
    # A folder may hold other files beside its corpus: they are no reason to refuse it.
    if path.is_dir() and _has_readable_document(path, form.format):
        findings = [_downgrade_skipped(finding) for finding in findings]
    return CheckedInput(role=role, name=path.name, findings=tuple(findings), bytes=size)


def _total_bytes(path: Path) -> int:
    """Return the size of a file or folder; counting stops once it is too much."""
    if path.is_file():
        return path.stat().st_size
    total = files = 0
    for folder, _, names in os.walk(path):
        for name in names:
            files += 1
            status = os.lstat(os.path.join(folder, name))
            total += status.st_size
            if total > MAX_CHECKED_BYTES or files > _MAX_CHECKED_FILES:
                return MAX_CHECKED_BYTES + 1
    return total


def _with_relative_path(finding: Finding, path: Path) -> Finding:
    """Name the file of a finding without the folders of this machine."""
    source = finding.place.source
    if os.path.isabs(source):
        source = os.path.relpath(source, path if path.is_dir() else path.parent)
    return replace(finding, place=replace(finding.place, source=source))


def _has_readable_document(path: Path, format: str) -> bool:
    from corefbench.formats.load import stream

    try:
        return next(stream(path, format=format or None), None) is not None
    except DataError:
        return False


def _downgrade_skipped(finding: Finding) -> Finding:
    if finding.severity == "error" and finding.code in _SKIPPED_FILE_CODES:
        return replace(finding, severity="note", remedy="the file is skipped")
    return finding


class CorpusChoice(Record, frozen=True):
    """A corpus that can be chosen."""

    name: str
    title: str
    group: str


def corpus_choices(workbench: Workbench) -> tuple[CorpusChoice, ...]:
    """Return what is on this machine: the bundled corpus, datasets with their parts, uploads."""
    choices = [CorpusChoice(name="bundled", title="The corpus that comes with corefbench", group="Bundled")]
    for entry in dataset_choices():
        if entry.here:
            choices.append(CorpusChoice(name=entry.name, title=entry.title, group="Datasets"))
            choices += [
                CorpusChoice(name=f"{entry.name}/{part}", title=f"{entry.title}, {part}", group="Datasets")
                for part in entry.parts[:8]
            ]
    for path in sorted((workbench.folder / "uploads").glob("*/*")):
        if not path.name.startswith("."):
            name = workbench.upload_name(path)
            choices.append(CorpusChoice(name=f"{UPLOAD_PREFIX}{name}", title=path.name, group="Uploads"))
    return tuple(choices)


def open_corpus(workbench: Workbench, text: str) -> "str | Corpus":
    """Return an existing path, or load the corpus of that name."""
    from corefbench.datasets import CATALOGUE, load_dataset
    from corefbench.datasets.bundled import load_bundled

    if text == "bundled":
        return load_bundled()
    if text.startswith(UPLOAD_PREFIX):
        return str(workbench.upload(text.removeprefix(UPLOAD_PREFIX)))
    path = Path(expand_path(text))
    if not os.path.exists(path) and text.partition("/")[0] in CATALOGUE:
        return load_dataset(text)
    require_readable(path, "the corpus cannot be read", Place(source=str(path)))
    return str(path)


def corpus_mtime(workbench: Workbench, text: str) -> int:
    """Return when the file of a corpus was modified; 0 for named corpora."""
    if text.startswith(UPLOAD_PREFIX) or text == "bundled":
        return 0
    path = Path(expand_path(text))
    return path.stat().st_mtime_ns if os.path.exists(path) else 0
