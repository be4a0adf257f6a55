"""What the workbench keeps: a folder of runs, uploads, jobs, trials and merges.

Everything is a file that was written whole or not at all, so that a killed process loses nothing
that was finished.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from corefbench.errors import UnknownName
from corefbench.record import Record
from corefbench.runs import Run, open_run
from corefbench.web.page import Drawing

ENDING = ".corefrun"
_OPEN = 8
"""Runs that stay open at once."""


def default_folder() -> Path:
    """``COREFBENCH_HOME``, or the place where this user's programs keep their data."""
    home = os.environ.get("COREFBENCH_HOME")
    if home:
        return Path(home)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "corefbench"


class RunEntry(Record, frozen=True):
    """A run in a list."""

    name: str
    kind: str
    created: str
    key: str
    responses: tuple[str, ...]
    documents: int
    profile: str
    conll: float | None
    """The best of its responses."""


class Workbench:
    """The folder, and what of it is open."""

    def __init__(self, folder: Path, further: Mapping[str, Path] | None = None) -> None:
        self.folder = folder
        self.further = dict(further or {})
        """Runs elsewhere, by name."""
        self.drawings: OrderedDict[str, Drawing] = OrderedDict()
        """Charts of pages that were shown, by digest."""
        self._open: OrderedDict[tuple[Path, int], Run] = OrderedDict()
        for part in ("runs", "uploads", "jobs", "trials", "merges"):
            (folder / part).mkdir(parents=True, exist_ok=True)

    @property
    def runs(self) -> dict[str, Path]:
        """The run files by name, the newest first."""
        found = sorted(
            (self.folder / "runs").glob(f"*{ENDING}"), key=lambda p: (-p.stat().st_mtime, p.name)
        )
        return self.further | {path.name.removesuffix(ENDING): path for path in found}

    def run(self, name: str) -> Run:
        """The run of that name, opened once while its file stays the same."""
        paths = self.runs
        if name not in paths:
            raise UnknownName("run", name, list(paths))
        path = paths[name]
        mark = (path, path.stat().st_mtime_ns)
        if mark not in self._open:
            self._open[mark] = open_run(path)
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
        self._open.move_to_end(mark)
        return self._open[mark]

    def listed(self) -> list[RunEntry]:
        """Every run that can be opened, in few words."""
        return [_entry(name, self.run(name)) for name in self.runs]

    def keep_drawing(self, drawing: Drawing) -> None:
        """Remember a chart that a page is about to show."""
        self.drawings[drawing.digest] = drawing
        self.drawings.move_to_end(drawing.digest)
        while len(self.drawings) > _DRAWINGS:
            self.drawings.popitem(last=False)

    def keep_upload(self, name: str, content: bytes) -> Path:
        """Write a file that was sent, under what it contains; its name loses any folder."""
        safe = Path(name.replace("\\", "/")).name.strip(". ") or "upload"
        folder = self.folder / "uploads" / sha256(content).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / safe, content)
        return folder / safe


_DRAWINGS = 400


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with open(beside, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)


def _entry(name: str, run: Run) -> RunEntry:
    header = run.header
    scores = [result.conll for result in header.results if result.conll is not None]
    return RunEntry(
        name=name,
        kind=header.kind,
        created=header.created,
        key=next((one.name for one in header.inputs if one.role == "key"), ""),
        responses=tuple(result.name for result in header.results),
        documents=len(header.documents),
        profile=header.results[0].profile.title if header.results else "",
        conll=max(scores, default=None),
    )
