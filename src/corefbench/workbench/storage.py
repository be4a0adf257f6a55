"""The workbench folder: runs, uploads, jobs, trials and merges.

Every file is written atomically, so that a killed process loses nothing that was finished.
"""

import os
import shutil
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from re import fullmatch, sub
from threading import Lock

import msgspec
from msgspec.structs import replace

from corefbench.errors import CorefbenchError, DataError, Place, UnknownName, UsageError
from corefbench.records import Record
from corefbench.runs import Run, open_run
from corefbench.runs.schema import Header
from corefbench.web.pages import Chart
from corefbench.workbench.jobs import (
    OUTCOME_FILE,
    SPEC_FILE,
    JobOutcome,
    JobQueue,
    JobSpec,
    read_record,
    write_atomically,
)

RUN_SUFFIX = ".corefrun"
UPLOAD_LIFETIME = 7 * 24 * 60 * 60.0
"""Seconds that an upload is kept without a job or run that needs it."""
_MAX_OPEN_RUNS = 8
_MAX_CHARTS = 400
_MAX_NAME_LENGTH = 100
_MAX_NAME_BYTES = 200
"""File systems take 255, of which an ending, a number and the suffix of a temporary file need some."""
_MAX_UPLOAD_DEPTH = 8
"""Folders that an uploaded file keeps."""


class RunEntry(Record, frozen=True):
    """A run in a list."""

    name: str
    kind: str = ""
    created: str = ""
    key: str = ""
    responses: tuple[str, ...] = ()
    documents: int = 0
    profile: str = ""
    conll: float | None = None
    """The best of its responses."""
    problem: str = ""
    """Why the file cannot be opened; then all else is empty."""
    elsewhere: bool = False
    """Whether the file is outside the workbench folder and is not changed."""


class Workbench:
    """The folder, with open runs and the charts of recent pages."""

    def __init__(self, folder: Path, external_runs: Mapping[str, Path] | None = None) -> None:
        self.folder = folder
        self.external_runs = dict(external_runs or {})
        """Run files outside the folder, by name."""
        self.charts: OrderedDict[str, Chart] = OrderedDict()
        """Charts of recent pages, by digest."""
        self._open_runs: OrderedDict[tuple[Path, int], Run] = OrderedDict()
        self._lock = Lock()
        try:
            for part in ("runs", "uploads", "jobs", "trials", "merges"):
                (folder / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                "the folder of the workbench cannot be created",
                place=Place(source=str(folder)),
                found=error.strerror or str(error),
                remedy="give another with --folder",
            ) from error

    @cached_property
    def jobs(self) -> JobQueue:
        """The queue of runs that are being made."""
        return JobQueue(self.folder / "jobs")

    @cached_property
    def _index(self) -> "_RunIndex":
        return _RunIndex(self.folder / "listing.json")

    @property
    def runs(self) -> dict[str, Path]:
        """The run files by name, the newest first."""
        with os.scandir(self.folder / "runs") as files:
            entries = [
                (-_modified_at(file), file.name)
                for file in files
                if file.name.endswith(RUN_SUFFIX) and not file.name.startswith(".")
            ]
        own = {file.removesuffix(RUN_SUFFIX): self.folder / "runs" / file for _, file in sorted(entries)}
        external = self.external_runs
        return external | {name: path for name, path in own.items() if name not in external}

    def run(self, name: str) -> Run:
        """Open a run; it stays open while its file does not change."""
        path = self.path_of(name)
        key = (path, path.stat().st_mtime_ns)
        with self._lock:
            if key not in self._open_runs:
                self._open_runs[key] = open_run(path)
                while len(self._open_runs) > _MAX_OPEN_RUNS:
                    self._open_runs.popitem(last=False)
            self._open_runs.move_to_end(key)
            return self._open_runs[key]

    def path_of(self, name: str) -> Path:
        """Return the file of a run."""
        path = self.external_runs.get(name) or self.folder / "runs" / f"{name}{RUN_SUFFIX}"
        # Not Path.is_file: it raises for names that no file can have, such as very long ones.
        if name != Path(name).name or not os.path.isfile(path):
            raise UnknownName("run", name, list(self.runs))
        return path

    def list_runs(self) -> list[RunEntry]:
        """Return all runs, the newest first; files that cannot be opened have a problem."""
        with self._lock:
            entries = self._index.entries(self.runs)
        return [replace(entry, elsewhere=entry.name in self.external_runs) for entry in entries]

    def rename_run(self, name: str, new_name: str) -> str:
        """Rename a run unless the name is taken; return the new name."""
        path, valid_name = self._own_path(name), run_name(new_name)
        if not valid_name:
            raise UsageError("a run needs a name", expected="letters and digits")
        if valid_name in self.runs and valid_name != name:
            raise UsageError("there is a run of that name", found=valid_name)
        path.rename(path.with_name(f"{valid_name}{RUN_SUFFIX}"))
        return valid_name

    def delete_run(self, name: str) -> None:
        """Delete the file of a run."""
        self._own_path(name).unlink()

    def _own_path(self, name: str) -> Path:
        if name in self.external_runs:
            raise UsageError(
                "this run is not in the folder of the workbench",
                found=str(self.external_runs[name]),
                remedy="rename or delete its file where it is",
            )
        return self.path_of(name)

    def keep_chart(self, chart: Chart) -> None:
        """Remember a chart that a page is about to show."""
        self.charts[chart.digest] = chart
        self.charts.move_to_end(chart.digest)
        while len(self.charts) > _MAX_CHARTS:
            self.charts.popitem(last=False)

    def keep_upload(self, name: str, content: bytes) -> Path:
        """Write an uploaded file into a folder named by the hash of its content."""
        folder = self.folder / "uploads" / sha256(content).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / upload_file_name(name)
        write_atomically(path, content)
        return path

    def keep_uploads(self, files: Sequence[tuple[str, bytes]]) -> str:
        """Write one file, or several that belong together; return the name of the upload."""
        if len(files) == 1:
            return self.upload_name(self.keep_upload(*files[0]))
        digest = sha256()
        for name, content in files:
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        folder = self.folder / "uploads" / digest.hexdigest()[:16] / f"{len(files)}-files"
        paths = _upload_paths([name for name, _ in files])
        for path, (_, content) in zip(paths, files, strict=True):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / path, content)
        return self.upload_name(folder)

    def upload_name(self, path: Path) -> str:
        """Return the name of an upload: its path below the folder of uploads."""
        return path.relative_to(self.folder / "uploads").as_posix()

    def upload(self, name: str) -> Path:
        """Return the file or folder of an upload."""
        path = self.folder / "uploads" / name
        # No leading dot: names of uploads have none, and ".." would be the folder of all uploads.
        if not fullmatch(r"[0-9a-f]{16}/[^./\\\0][^/\\\0]*", name) or not os.path.exists(path):
            raise UsageError("the upload no longer exists", found=name, remedy="upload the file again")
        return path


def default_folder() -> Path:
    """Return ``COREFBENCH_HOME``, or the folder for data of this user's programs."""
    home = os.environ.get("COREFBENCH_HOME")
    if home:
        return Path(home)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "corefbench"


def safe_name(text: str) -> str:
    """Convert a text to a name for files and URLs, cut at the length that every file system takes.

    >>> safe_name("../my run: 1"), safe_name("été 2024"), safe_name("...")
    ('my run 1', 'été 2024', '')
    """
    name = _valid_name(text)[:_MAX_NAME_LENGTH]
    return name.encode()[:_MAX_NAME_BYTES].decode(errors="ignore").strip(" .")


def run_name(text: str) -> str:
    """Convert a name that was typed in to one for files and URLs; raise if it is too long."""
    name = _valid_name(text)
    if name != safe_name(text):
        raise UsageError(
            "the name of the run is too long",
            found=f"{len(name)} characters, {len(name.encode())} bytes",
            expected=f"at most {_MAX_NAME_LENGTH} characters and {_MAX_NAME_BYTES} bytes in UTF-8",
            remedy="give a shorter one",
        )
    return name


def _valid_name(text: str) -> str:
    valid = sub(r"[^\w .,()+=@-]+", " ", text)
    return sub(r" +", " ", valid).strip(" .").removesuffix(".json").strip(" .")


def _modified_at(file: "os.DirEntry[str]") -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # deleted meanwhile
        return 0


def clean_file_name(name: str) -> str:
    """Return the name of an uploaded file without folders and leading dots.

    >>> clean_file_name("C:\\\\texts\\\\a.conll"), clean_file_name("../.profile")
    ('a.conll', 'profile')
    """
    return Path(name.replace("\\", "/")).name.replace("\0", "").strip(". ")


def upload_file_name(name: str) -> str:
    """Return the name of an upload, cut at the length that every file system takes."""
    return clean_file_name(name).encode(errors="ignore")[-200:].decode(errors="ignore").strip(". ") or "upload"


def _upload_paths(names: Sequence[str]) -> list[PurePosixPath]:
    """Return a path of its own for every file of an upload, with the folders that its name has.

    >>> [str(path) for path in _upload_paths(["a/x.conll", "b/x.conll", "../b/x.conll", "a"])]
    ['a/x.conll', 'b/x.conll', 'x (2).conll', 'a (2)']
    """
    # Compared without case: some file systems do not distinguish it.
    files: set[str] = set()
    folders: set[str] = set()

    def is_taken(path: PurePosixPath) -> bool:
        lower = PurePosixPath(str(path).lower())
        return str(lower) in folders or any(str(part) in files for part in (lower, *lower.parents))

    paths = []
    for name in names:
        parts = [part for part in name.replace("\\", "/").split("/") if part.strip(". ")][-_MAX_UPLOAD_DEPTH:]
        path = PurePosixPath(*map(upload_file_name, parts or [""]))
        base, number = PurePosixPath(path.name), 2
        while is_taken(path):
            path, number = PurePosixPath(f"{base.stem} ({number}){base.suffix}"), number + 1
        lower = PurePosixPath(str(path).lower())
        files.add(str(lower))
        folders.update(map(str, lower.parents))
        paths.append(path)
    return paths


class _CachedEntry(Record, frozen=True):
    """The entry of a file that had this time and size."""

    time: int
    size: int
    entry: RunEntry


class _RunIndex:
    """Entries of run files, cached in a file: opening hundreds of runs takes seconds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cache: dict[str, _CachedEntry] = {}
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            self._cache = msgspec.json.decode(path.read_bytes(), type=dict[str, _CachedEntry])

    def entries(self, runs: Mapping[str, Path]) -> list[RunEntry]:
        """Return the entries of these files in their order; a deleted file has none."""
        cache: dict[str, _CachedEntry] = {}
        for name, path in runs.items():
            try:
                status = path.stat()
            except OSError:
                continue
            time, size = status.st_mtime_ns, status.st_size
            cached = self._cache.get(str(path))
            if cached is None or (cached.time, cached.size, cached.entry.name) != (time, size, name):
                cached = _CachedEntry(time=time, size=size, entry=_read_entry(name, path))
            cache[str(path)] = cached
        if cache != self._cache:
            self._cache = cache
            with suppress(OSError):  # without the index runs are opened again
                write_atomically(self._path, msgspec.json.encode(cache), sync=False)
        return [cached.entry for cached in cache.values()]


def _read_entry(name: str, path: Path) -> RunEntry:
    try:
        return _describe_run(name, open_run(path).header)
    except CorefbenchError as error:
        return RunEntry(name=name, problem=f"{error.code} {error.message}: {error.found}")


def _describe_run(name: str, header: Header) -> RunEntry:
    scores = [result.conll for result in header.results if result.conll is not None]
    return RunEntry(
        name=name,
        kind=header.kind,
        created=header.created,
        key=next((source.name for source in header.inputs if source.role == "key"), ""),
        responses=tuple(result.name for result in header.results),
        documents=len(header.documents),
        profile=header.results[0].profile.title if header.results else "",
        conll=max(scores, default=None),
    )


def delete_unused_uploads(workbench: Workbench, *, now: float, age: float = UPLOAD_LIFETIME) -> list[str]:
    """Delete uploads that are older than ``age`` and not used by a job or run; return them.

    A job that can be restarted needs its uploads, and the command of a run names them.
    """
    old = [folder for folder in _upload_folders(workbench) if now - _last_modified(folder) > age]
    if not old:
        return []
    used = "\n".join([*_files_of_jobs(workbench), *_files_of_runs(workbench)])
    unused = [folder for folder in old if folder.name not in used]
    for folder in unused:
        shutil.rmtree(folder, ignore_errors=True)
    return [folder.name for folder in unused]


def _upload_folders(workbench: Workbench) -> list[Path]:
    folders = sorted((workbench.folder / "uploads").iterdir())
    return [path for path in folders if fullmatch("[0-9a-f]{16}", path.name) and path.is_dir()]


def _last_modified(folder: Path) -> float:
    times = [0.0]
    for path in (folder, *folder.rglob("*")):
        with suppress(OSError):
            times.append(os.lstat(path).st_mtime)
    return max(times)


def _files_of_jobs(workbench: Workbench) -> Iterator[str]:
    """Yield the inputs of jobs that can be started, or whose run still exists."""
    runs = workbench.runs
    for folder in (workbench.folder / "jobs").iterdir():
        spec = read_record(folder / SPEC_FILE, JobSpec)
        outcome = read_record(folder / OUTCOME_FILE, JobOutcome)
        if spec is not None and (outcome is None or not outcome.run or outcome.run in runs):
            form = spec.form
            yield from (spec.key, *spec.responses.values(), form.kept, *form.responses_kept)


def _files_of_runs(workbench: Workbench) -> Iterator[str]:
    """Yield the words of the commands that made the runs."""
    for path in workbench.runs.values():
        with suppress(CorefbenchError):  # damaged files are reported in the list of runs
            yield from open_run(path).header.command
