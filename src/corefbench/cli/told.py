"""A progress bar for the document at hand, for resolvers and pipelines that take long over one."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from corefbench.hearing import listening

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

_A_MOMENT = 0.5
"""Seconds before there is a bar."""


def watched(work: Iterable[T], *, printed: bool) -> Iterator[T]:
    """The same, with a bar while it is made; what is ``printed`` does not fall into it."""
    if not sys.stderr.isatty():
        yield from work
        return
    bar = Told()
    try:
        with listening(bar.tell):
            for made in work:
                bar.next(pause=printed)
                yield made
    finally:
        bar.stop()


class Told:
    """Shows what it is told, once a moment has passed since something was shown."""

    def __init__(self) -> None:
        self._done = 0
        self._since = time.monotonic()
        self._bar: Progress | None = None

    def tell(self, what: str, done: int, total: int) -> None:
        """So much of the document at hand is done."""
        if self._bar is None:
            if time.monotonic() - self._since < _A_MOMENT:
                return
            self._bar = _started()
        title = f"document {self._done + 1}: {what}" if self._done else what
        self._bar.update(self._bar.task_ids[0], description=title, completed=done, total=total)

    def next(self, *, pause: bool) -> None:
        """The document is done; its result is shown where there was the bar if that pauses."""
        self._done += 1
        if pause:
            self.stop()
            self._since = time.monotonic()

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _started() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Remaining())
    made = Progress(*columns, console=Console(stderr=True), transient=True)
    made.add_task("")
    made.start()
    return made
