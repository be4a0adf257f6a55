"""What was measured, noted job by job, so that a run that was broken off can be gone on with."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchmarks.cost_row import Row


def read_notes(path: Path | None) -> dict[str, list[Row]]:
    """The rows of every job in the file; none where there is no file."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(msgspec.json.decode(line, type=tuple[str, list[Row]]) for line in lines)


def add_note(path: Path | None, job: str, rows: Sequence[Row]) -> None:
    """Add the rows of a job."""
    if path is not None:
        with path.open("ab") as stream:
            stream.write(msgspec.json.encode((job, rows)) + b"\n")
