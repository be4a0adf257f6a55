"""Progress reporting for long-running work.

Functions that work through many documents take callbacks from their caller: ``begin(total)`` and
``advance(count)``, or ``step(done, total)``. Code that takes long inside a single document, such as
a network that reads a book window by window, calls ``report_progress``, which reaches whoever
listens and costs nothing where nobody does. A ``ProgressBar`` shows both on a terminal, a
``ProgressLog`` writes lines to a log.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

T = TypeVar("T")

Listener = Callable[[str, int, int], None]
"""Takes a description of the work, how much of it is done, and how much there is."""

_DELAY = 0.5
"""Seconds before a bar appears, so that quick commands show none."""
_LOG_INTERVAL = 5.0
"""Seconds between two lines of a log."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Send the progress of all work done inside to a listener.

    >>> with listen(lambda description, done, total: print(description, done, "of", total)):
    ...     report_progress("encoding", 2, 5)
    encoding 2 of 5
    >>> report_progress("encoding", 3, 5)
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report_progress(description: str, done: int, total: int) -> None:
    """Tell the listener, if there is one, how far the work is."""
    listener = _listener.get()
    if listener is not None:
        listener(description, done, total)


class ProgressBar:
    """A bar on standard error, removed at the end; nothing if that is not a terminal.

    Its methods are the callbacks that long-running functions take. Without a total the bar only
    shows that something is going on.
    """

    def __init__(
        self,
        description: str = "",
        *,
        total: int | None = None,
        unit: Literal["items", "bytes"] = "items",
        delay: float = _DELAY,
    ) -> None:
        self._description, self._total, self._unit, self._delay = description, total, unit, delay
        self._done = 0
        self._begun = time.monotonic()
        self._bar: Progress | None = None
        self._is_shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.hide()

    def begin(self, total: int) -> None:
        """Set the total."""
        self.step(self._done, total)

    def advance(self, count: int) -> None:
        """Add to what is done."""
        self.step(self._done + count, self._total)

    def step(self, done: int, total: int | None) -> None:
        """Set what is done and the total, as far as it is known by now."""
        self._done, self._total = done, total
        self._draw()

    def describe(self, description: str) -> None:
        """Change the description."""
        self._description = description
        self._draw()

    def report(self, description: str, done: int, total: int) -> None:
        """Set everything: the bar as a listener."""
        self._description = description
        self.step(done, total)

    def hide(self) -> None:
        """Remove the bar; it appears again after the delay if there is more to show."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        self._begun = time.monotonic()

    def _draw(self) -> None:
        if not self._is_shown:
            return
        if self._bar is None:
            if time.monotonic() - self._begun < self._delay:
                return
            self._bar = _start_bar(self._unit)
        self._bar.update(self._bar.task_ids[0], description=self._description, completed=self._done, total=self._total)


def _start_bar(unit: Literal["items", "bytes"]) -> "Progress":
    # Imported here because rich takes 50 ms, which commands without a bar do not need.
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    count: ProgressColumn = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("", total=None)
    bar.start()
    return bar


def track_documents(results: Iterable[T], *, are_printed: bool) -> Iterator[T]:
    """Yield the results of documents, with a bar for the progress inside each document.

    The bar is hidden while a result is printed, so that the two do not mix.
    """
    finished = 0

    def report(description: str, done: int, total: int) -> None:
        prefix = f"document {finished + 1}: " if finished else ""
        bar.report(prefix + description, done, total)

    with ProgressBar() as bar, listen(report):
        for result in results:
            finished += 1
            if are_printed:
                bar.hide()
            yield result


class ProgressLog:
    """Counts finished items and logs them every few seconds, with the time left."""

    def __init__(self, description: str, total: int, log: Callable[[str], None], *, done: int = 0) -> None:
        self.description, self.total, self.log, self.done = description, total, log, done
        self._first = done
        self._begun = self._logged = time.monotonic()

    def step(self, note: str = "", *, is_logged: bool = False) -> None:
        """Count one more item; log it with a note now and then, at the end, or if told to."""
        self.done += 1
        now = time.monotonic()
        if is_logged or now - self._logged >= _LOG_INTERVAL or self.done == self.total:
            self._logged = now
            pace = (now - self._begun) / (self.done - self._first)
            left = format_duration(pace * (self.total - self.done))
            counts = f"{self.description} {self.done}/{self.total}"
            self.log(f"{counts} {note}, {left} left" if note else f"{counts}, {left} left")


def format_duration(seconds: float) -> str:
    """Format a time for people.

    >>> format_duration(7.4), format_duration(200), format_duration(9000)
    ('7 s', '3 min', '2 h 30 min')
    """
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
