"""Many runs in few words: each file is opened once, and remembered while it stays the same."""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from corefbench.errors import CorefbenchError
from corefbench.record import Record
from corefbench.runs import open_run
from corefbench.runs.schema import Header


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
    """Why the file cannot be opened; then nothing else is known."""
    elsewhere: bool = False
    """Whether the file is not in the folder of the workbench, which leaves it alone."""


class _Known(Record, frozen=True):
    """What a file said when it had this time and size."""

    time: int
    size: int
    entry: RunEntry


class Listing:
    """Entries by file, kept in a file of their own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, _Known] = _read(path)

    def of(self, runs: Mapping[str, Path]) -> list[RunEntry]:
        """The entries of these files, in their order; a file that is gone has none."""
        made: dict[str, _Known] = {}
        for name, path in runs.items():
            try:
                status = path.stat()
            except OSError:
                continue
            known = self._known.get(str(path))
            mark = (status.st_mtime_ns, status.st_size)
            if known is None or (known.time, known.size) != mark or known.entry.name != name:
                known = _Known(time=mark[0], size=mark[1], entry=_entry(name, path))
            made[str(path)] = known
        if made != self._known:
            self._known = made
            _write(self._path, made)
        return [known.entry for known in made.values()]


def _entry(name: str, path: Path) -> RunEntry:
    try:
        return _described(name, open_run(path).header)
    except CorefbenchError as error:
        return RunEntry(name=name, problem=f"{error.code} {error.message}: {error.found}")


def _described(name: str, header: Header) -> RunEntry:
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


def _read(path: Path) -> dict[str, _Known]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, _Known])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _write(path: Path, known: dict[str, _Known]) -> None:
    """What cannot be remembered is found out again."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(msgspec.json.encode(known))
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
