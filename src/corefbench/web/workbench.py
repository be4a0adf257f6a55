"""What the workbench keeps: a folder of runs, uploads, jobs, trials and merges.

Everything is a file that was written whole or not at all, so that a killed process loses nothing
that was finished.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from re import fullmatch, sub
from threading import Lock

from msgspec.structs import replace

from corefbench.errors import DataError, Place, UnknownName, UsageError
from corefbench.runs import Run, open_run
from corefbench.web.jobs import Jobs
from corefbench.web.listing import Listing, RunEntry
from corefbench.web.page import Drawing

__all__ = ["RunEntry", "Workbench", "default_folder", "safe_name", "write_whole"]

ENDING = ".corefrun"
_OPEN = 8
"""Runs that stay open at once."""
_DRAWINGS = 400
_NAME = 100
"""Characters of a name, at most."""


def default_folder() -> Path:
    """``COREFBENCH_HOME``, or the place where this user's programs keep their data."""
    home = os.environ.get("COREFBENCH_HOME")
    if home:
        return Path(home)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "corefbench"


class Workbench:
    """The folder, and what of it is open."""

    def __init__(self, folder: Path, further: Mapping[str, Path] | None = None) -> None:
        self.folder = folder
        self.further = dict(further or {})
        """Runs elsewhere, by name."""
        self.drawings: OrderedDict[str, Drawing] = OrderedDict()
        """Charts of pages that were shown, by digest."""
        self._open: OrderedDict[tuple[Path, int], Run] = OrderedDict()
        self._lock = Lock()
        try:
            for part in ("runs", "uploads", "jobs", "trials", "merges"):
                (folder / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                "the folder of the workbench cannot be made",
                place=Place(source=str(folder)),
                found=error.strerror or str(error),
                remedy="give another with --folder",
            ) from error

    @cached_property
    def jobs(self) -> Jobs:
        """The runs that are being made."""
        return Jobs(self.folder / "jobs")

    @cached_property
    def _listing(self) -> Listing:
        return Listing(self.folder / "listing.json")

    @property
    def runs(self) -> dict[str, Path]:
        """The run files by name, the newest first."""
        found = []
        with os.scandir(self.folder / "runs") as files:
            for file in files:
                if file.name.endswith(ENDING) and not file.name.startswith("."):
                    found.append((-_time(file), file.name))
        own = {name.removesuffix(ENDING): self.folder / "runs" / name for _, name in sorted(found)}
        return self.further | {name: own[name] for name in own if name not in self.further}

    def run(self, name: str) -> Run:
        """The run of that name, opened once while its file stays the same."""
        path = self.path_of(name)
        mark = (path, path.stat().st_mtime_ns)
        with self._lock:
            if mark not in self._open:
                self._open[mark] = open_run(path)
                while len(self._open) > _OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(mark)
            return self._open[mark]

    def path_of(self, name: str) -> Path:
        """The file of a run."""
        path = self.further.get(name) or self.folder / "runs" / f"{name}{ENDING}"
        if name != Path(name).name or not path.is_file():
            raise UnknownName("run", name, list(self.runs))
        return path

    def listed(self) -> list[RunEntry]:
        """Every run in few words, the newest first; files that cannot be opened say why."""
        with self._lock:
            entries = self._listing.of(self.runs)
        return [replace(one, elsewhere=one.name in self.further) for one in entries]

    def rename_run(self, name: str, wanted: str) -> str:
        """Give a run another name, unless that is taken; the new name."""
        path, free = self._own(name), safe_name(wanted)
        if not free:
            raise UsageError("a run needs a name", expected="letters and digits")
        if free in self.runs and free != name:
            raise UsageError("there is a run of that name", found=free)
        path.rename(path.with_name(f"{free}{ENDING}"))
        return free

    def delete_run(self, name: str) -> None:
        """Delete the file of a run for good."""
        self._own(name).unlink()

    def _own(self, name: str) -> Path:
        if name in self.further:
            raise UsageError(
                "this run is not in the folder of the workbench",
                found=str(self.further[name]),
                remedy="rename or delete its file where it is",
            )
        return self.path_of(name)

    def keep_drawing(self, drawing: Drawing) -> None:
        """Remember a chart that a page is about to show."""
        self.drawings[drawing.digest] = drawing
        self.drawings.move_to_end(drawing.digest)
        while len(self.drawings) > _DRAWINGS:
            self.drawings.popitem(last=False)

    def keep_upload(self, name: str, content: bytes) -> Path:
        """Write a file that was sent, under what it contains; its name loses any folder."""
        folder = self.folder / "uploads" / sha256(content).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _file_name(name)
        write_whole(path, content)
        return path

    def keep_uploads(self, files: Sequence[tuple[str, bytes]]) -> str:
        """Keep one file, or several that belong together in a folder; what to call them by."""
        if len(files) == 1:
            return self.upload_name(self.keep_upload(*files[0]))
        digest = sha256()
        for name, content in files:
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        folder = self.folder / "uploads" / digest.hexdigest()[:16] / f"{len(files)}-files"
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files:
            write_whole(folder / _file_name(name), content)
        return self.upload_name(folder)

    def upload_name(self, path: Path) -> str:
        """What an upload is called by."""
        return path.relative_to(self.folder / "uploads").as_posix()

    def upload(self, name: str) -> Path:
        """The file or folder of an upload that is kept."""
        path = self.folder / "uploads" / name
        if not fullmatch(r"[0-9a-f]{16}/[^/\\\0]+", name) or not path.exists():
            raise UsageError("the upload is not here", found=name, remedy="upload the file again")
        return path


def _time(file: "os.DirEntry[str]") -> int:
    """When a file was last written; 0 if it is gone."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def safe_name(text: str) -> str:
    """What a file, and an address, can be called of a name that somebody typed.

    >>> safe_name("../my run: 1"), safe_name("été 2024"), safe_name("...")
    ('my run 1', 'été 2024', '')
    """
    kept = sub(r"[^\w .,()+=@-]+", " ", text)
    return sub(r" +", " ", kept).strip(" .").removesuffix(".json")[:_NAME].strip(" .")


def _file_name(name: str) -> str:
    """The name of an uploaded file: no folders, no hidden files.

    >>> _file_name("C:\\\\texts\\\\a.conll"), _file_name("../.profile")
    ('a.conll', 'profile')
    """
    bare = Path(name.replace("\\", "/")).name.replace("\0", "").strip(". ")
    return bare.encode()[-200:].decode(errors="ignore") or "upload"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with open(beside, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)
