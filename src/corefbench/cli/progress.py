"""Progress bars on standard error, for what takes more than a moment."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_WORTH_A_BAR = 64 << 20
"""Bytes that take about half a second to read."""


@contextmanager
def reading_progress(*inputs: str) -> Iterator[Callable[[int], None] | None]:
    """What readers call with the number of bytes they have taken in; None where nobody looks."""
    total = sum(map(_size, inputs))
    if total < _WORTH_A_BAR or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=total)
        yield lambda count: progress.update(task, advance=count)


@contextmanager
def document_progress(
    what: str = "documents",
) -> Iterator[tuple[Callable[[int], None], Callable[[int], None]]]:
    """A bar that is told how many documents there are, and then of each that is done."""
    if not sys.stderr.isatty():
        yield (lambda total: None), (lambda count: None)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield (
            lambda total: progress.update(task, total=total),
            lambda count: progress.update(task, advance=count),
        )


@contextmanager
def counted_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that is told how many are done, and how many there are as far as is known."""
    with document_progress(what) as (begin, advance):
        told = 0

        def progress(done: int, known: int) -> None:
            nonlocal told
            begin(known)
            advance(done - told)
            told = done

        yield progress


def _size(where: str) -> int:
    from corefbench.formats.patterns import is_pattern, matches

    if is_pattern(where):
        return sum(_size(str(path)) for path in matches(where))
    path = Path(where)
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else 0
