"""A progress bar on standard error for work of several steps."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def step_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """What the work calls with the steps that are done and those there are in all."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
