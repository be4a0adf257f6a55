"""What a run file records about its command: time, command line, duration."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from time import perf_counter, process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefbench.runs.schema import Timing


class Stopwatch:
    """Measures wall-clock and CPU time since its creation."""

    def __init__(self) -> None:
        self._wall, self._cpu = perf_counter(), process_time()

    def timing(self) -> "Timing":
        """Return the seconds so far."""
        from corefbench.runs.schema import Timing

        return Timing(wall=perf_counter() - self._wall, cpu=process_time() - self._cpu)


def current_time() -> datetime:
    """Return the time in UTC; the library takes it as an argument."""
    return datetime.now(UTC)


def command_line() -> tuple[str, ...]:
    """Return the command without folders and worker options, which vary between machines."""
    from corefbench.runs.inputs import strip_folders

    return strip_folders(["corefbench", *drop_worker_options(sys.argv[1:])])


def drop_worker_options(words: Sequence[str]) -> Iterator[str]:
    """Drop the options about workers, on which the result does not depend.

    >>> " ".join(drop_worker_options("score a b --jobs 2 -f json --engine=dask -j3".split()))
    'score a b -f json'
    """
    remaining = iter(words)
    for word in remaining:
        if word in ("--jobs", "-j", "--engine"):
            next(remaining, None)
        elif not word.startswith(("--jobs=", "-j", "--engine=")):
            yield word
