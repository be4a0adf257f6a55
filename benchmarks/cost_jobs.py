"""What is measured, as jobs that several processes can share."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cost_files import Files, made, task
from benchmarks.cost_row import Row, measured
from benchmarks.cost_shapes import HEADED, RELATED, SHAPES, Shape
from benchmarks.cost_tasks import TASKS
from benchmarks.cost_work import Piece, matching_work, measures_work, text_work

LINE = Shape("one line", "text without a full stop")


@dataclass(frozen=True)
class Job:
    """Some rows that share their inputs: those of a format, or of all measures or rules."""

    kind: str
    name: str
    shape: Shape
    size: int
    limit: int
    """Work that is too short is given more mentions, up to so many."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name} {self.shape.name} {self.size} {self.limit}"


def jobs(largest: int, hard: int) -> Iterator[Job]:
    """All that is to be measured, the longest first."""
    from corefbench.formats import formats

    shapes = (*SHAPES, RELATED)
    for name in formats:
        kind = "task" if name in TASKS else "format"
        yield Job(kind, name, SHAPES[0], largest, largest)
    for shape in shapes:
        # Mentions that occur twice are looked at one by one.
        yield Job("measure", "", shape, hard if shape.twice else largest, largest)
        if shape.related or not shape.hard:
            yield Job("match", "", shape, largest, largest)
    yield Job("match", "", HEADED, hard, largest)
    yield Job("text", "", LINE, hard, largest)
    for shape in shapes[1:]:
        for name in formats:
            if name not in TASKS:
                yield Job("format", name, shape, hard, largest)


def rows_of(job: Job, folder: Path) -> list[Row]:
    """What a job comes to."""
    if job.kind == "format":
        return _of_format(job, Files(job.name, job.shape, folder))
    return list(_of_pieces(job, _pieces(job), job.size, job.limit))


def _pieces(job: Job) -> Iterable[Piece]:
    made.cache_clear()
    if job.kind == "measure":
        return measures_work(job.shape)
    if job.kind == "match":
        return matching_work(job.shape)
    return text_work() if job.kind == "text" else [("read", job.name, task(job.name))]


def _of_format(job: Job, files: Files) -> list[Row]:
    """Writing, then reading what was written."""
    from corefbench.errors import CorefbenchError

    try:
        most = files.size(job.size)
    except CorefbenchError:  # Each row says so by itself.
        most = job.size
    limit = most if most < job.size else job.limit
    pieces: list[Piece] = [("write", job.name, files.writing), ("read", job.name, files.reading)]
    rows = list(_of_pieces(job, pieces, most, limit))
    files.remove()
    return rows


def _of_pieces(job: Job, pieces: Iterable[Piece], size: int, limit: int) -> Iterator[Row]:
    for kind, name, make in pieces:
        yield measured(Row(kind, name, job.shape.name), make, size, limit)
