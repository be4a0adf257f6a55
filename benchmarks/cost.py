"""Does the cost double when the input does?

For every registered format, written and read, and for every measure and matching rule: processor
time of an input and of one twice as large, ordinary ones to a million mentions and hard shapes to
less. The cost of twice the input may be at most 2.3 times as high. Writes docs/results/cost.md;
the exit code says whether the goal is met.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from benchmarks.growth import GOAL, Row, Work, measure_growth
from benchmarks.page import Page, markdown_table
from benchmarks.shapes import HEADED, RELATED, SHAPES, TASKS, Files, Shape, cached_corpus, task_reading

Piece: TypeAlias = tuple[str, str, Callable[[int], Work]]
"""Kind, name, and what makes the work of a size."""


def measures_work(shape: Shape) -> Iterator[Piece]:
    """Scoring by every measure, from the matching on."""
    from corefbench.scoring.measures import measures

    for name in measures:
        yield "measure", name, partial(_scoring, shape, {"measures": name})


def matching_work(shape: Shape) -> Iterator[Piece]:
    """Scoring with every matching rule."""
    from corefbench.scoring.matching import matchings

    for name in matchings:
        yield "match", name, partial(_scoring, shape, {"match": name, "measures": "mentions"})


def _scoring(shape: Shape, choices: dict[str, Any], mentions: int) -> Work:
    import corefbench

    key, response = cached_corpus(shape, mentions), cached_corpus(shape, mentions, noise=True)
    return Work(lambda: corefbench.score(key, response, "conll-2012", lenient=True, **choices))


def text_work() -> Iterator[Piece]:
    """Text without a full stop or a line break, read and pre-processed."""
    yield "text", "text", _one_line
    yield "text", "en-words", _one_line_analysed


def _one_line_text(words: int) -> str:
    return " ".join(f"word{i % 97}" for i in range(words))


def _one_line(words: int) -> Work:
    import corefbench

    content = _one_line_text(words).encode()
    return Work(lambda: corefbench.load(content, format="text"))


def _one_line_analysed(words: int) -> Work:
    import corefbench

    text = _one_line_text(words)
    return Work(lambda: corefbench.read_text(text, preprocess="en-words"))


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
    cached_corpus.cache_clear()
    if job.kind == "measure":
        return measures_work(job.shape)
    if job.kind == "match":
        return matching_work(job.shape)
    return text_work() if job.kind == "text" else [("read", job.name, task_reading(job.name))]


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
        yield measure_growth(Row(kind, name, job.shape.name), make, size, limit)


def read_measured(path: Path | None) -> dict[str, list[Row]]:
    """The rows of every job in the file; none where there is no file."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(msgspec.json.decode(line, type=tuple[str, list[Row]]) for line in lines)


def add_measured(path: Path | None, job: str, rows: Sequence[Row]) -> None:
    """Add the rows of a job."""
    if path is not None:
        with path.open("ab") as stream:
            stream.write(msgspec.json.encode((job, rows)) + b"\n")


_TITLES = {
    "read": "Reading",
    "write": "Writing",
    "measure": "Measures, from the matching on",
    "match": "Matching rules, with mention detection",
    "text": "Text in one line, without a full stop",
}
_HOW = (
    "Processor time of an input and of one twice as large, the least of up to three runs, more "
    "where the ratio seemed too high; the collector of garbage, which works by leaps, waits "
    "meanwhile. Work too short to say is given more. Where a doubling cost too much the next one "
    "was measured, which then counts: a step, as where data no longer fit the processor's memory, "
    "is made once, while growth goes on."
)
_BYTES = (
    "Some files grow faster than their mentions: those that repeat the words of a mention, or name "
    "each of them, when all mentions are nested in each other. There the cost is that of twice the "
    "bytes, marked *b*, and sizes are smaller."
)
_SIGNS = (
    "“–” is work too short to say; a code is the [error](../errors.md) with which the format or "
    "the rule refuses the shape: CB211 is a key without heads or trees, CB122 tags nested too deep."
)


def render_page(rows: Sequence[Row], largest: int, hard: int) -> str:
    """The whole page."""
    blocks = [
        "# Cost",
        "`python -m benchmarks cost`",
        _verdict(rows),
        f"Readers, writers and measures go to {largest:,} mentions; files of other shapes than "
        f"*documents*, and *twice* and *heads*, go to {hard:,}, or to more where those were too "
        f"few to say. {_HOW}",
        _BYTES,
        _SIGNS,
        *_tables(rows),
        *_listed("Over the goal", [row for row in rows if row.over]),
        *_listed("Dear once, not at the next doubling", [r for r in rows if r.before and not r.over]),
        "Shapes: " + "; ".join(f"*{s.name}*, {s.title}" for s in (*SHAPES, RELATED, HEADED)) + ".",
        f"Load of the machine as it ended: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores.",
    ]
    return "\n\n".join(blocks) + "\n"


def _verdict(rows: Sequence[Row]) -> str:
    measured = [row for row in rows if row.ratio]
    over = sum(row.over for row in rows)
    refused = sum(bool(row.refused) for row in rows)
    met = "The goal is not met" if over else "The goal is met"
    return (
        f"**{met}**: twice the input may cost {GOAL} times as much; of {len(measured)} pieces of work "
        f"{over} cost more, and the dearest {max((row.ratio for row in measured), default=0):.2f} "
        f"times. {refused} shapes were refused with a coded error, "
        f"{len(rows) - len(measured) - refused} were too short to say."
    )


def _tables(rows: Sequence[Row]) -> Iterable[str]:
    for kind, title in _TITLES.items():
        some = [row for row in rows if row.kind == kind]
        if some:
            yield f"## {title}"
            yield _table(some)


def _table(rows: Sequence[Row]) -> str:
    """Names down, shapes across; the largest size of the first shape in the second column."""
    shapes = list(dict.fromkeys(row.shape for row in rows))
    cells = {(row.name, row.shape): row for row in rows}
    lines = []
    for name in dict.fromkeys(row.name for row in rows):
        first = cells.get((name, shapes[0]))
        spent = f"{first.costs[1].seconds:.2f} s" if first and first.costs else "–"
        lines.append([name, spent, *(_cell(cells.get((name, shape))) for shape in shapes)])
    return markdown_table(["", f"{shapes[0]}, largest", *shapes], lines)


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    if not row.ratio:
        return row.refused or "–"
    text = f"{row.ratio:.2f}" + (" *b*" if row.grown > 1 else "")
    return f"**{text}**" if row.over else text


def _listed(title: str, rows: Sequence[Row]) -> Iterable[str]:
    """The rows one by one, with their sizes."""
    if rows:
        yield f"## {title}"
        yield "\n".join(map(_item, rows))


def _item(row: Row) -> str:
    if row.costs is None:
        return f"- {row.kind} {row.name}, {row.shape}: {row.refused}"
    half, whole = row.costs
    return (
        f"- {row.kind} {row.name}, {row.shape}: ×{row.before:.2f}, then ×{row.ratio:.2f} from "
        f"{half.mentions:,} ({half.seconds:.2f} s) to {whole.mentions:,} ({whole.seconds:.2f} s)"
    )


def rows(arguments: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """All that is measured, in processes of their own."""
    wanted = [job for job in jobs(arguments.largest, arguments.hard) if arguments.only in str(job)]
    noted = read_measured(arguments.notes)
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(arguments.workers, fresh) as pool:
        running = {str(j): pool.submit(rows_of, j, folder) for j in wanted if str(j) not in noted}
        for job in map(str, wanted):
            if job in running:
                noted[job] = running[job].result()
                add_measured(arguments.notes, job, noted[job])
            yield from noted[job]


def run(arguments: argparse.Namespace) -> Page:
    """Measure."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(arguments, Path(folder)):
            results.append(row)
            print(_progress_line(row), file=sys.stderr, flush=True)
    text = render_page(results, arguments.largest, arguments.hard)
    passed = not any(row.over for row in results)
    return Page("cost", text, is_complete=not arguments.only, passed=passed)


def _progress_line(row: Row) -> str:
    spent = " ".join(f"{cost.mentions:,}: {cost.seconds:.2f} s" for cost in row.costs or ())
    by = f" by bytes, which grew {row.grown:.2f} times faster" if row.grown > 1 else ""
    step = f" (before: ×{row.before:.2f})" if row.before else ""
    mark = "  <-- more than doubling" if row.over else ""
    measured = row.refused or f"{spent} ×{row.ratio:.2f}{by}{step}{mark}"
    return f"{row.kind:8} {row.name:18} {row.shape:11} {measured}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--largest", type=int, default=1_000_000, help="mentions, ordinary shapes")
    parser.add_argument("--hard", type=int, default=10_000, help="mentions, hard shapes")
    parser.add_argument("--only", default="", help="in kind, format and shape; writes no page")
    parser.add_argument("--workers", type=int, default=1, help="how many processes measure")
    parser.add_argument("--notes", type=Path, help="a file of what was measured: is not again")
