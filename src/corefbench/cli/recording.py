"""What a run file notes of the command that made it: the time, the command line, the seconds."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from time import perf_counter, process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefbench.runs.schema import Timing


class Stopwatch:
    """Seconds since it was made, on the clock and of the processor."""

    def __init__(self) -> None:
        self._began, self._worked = perf_counter(), process_time()

    def timing(self) -> "Timing":
        from corefbench.runs.schema import Timing

        return Timing(wall=perf_counter() - self._began, cpu=process_time() - self._worked)


def now() -> datetime:
    """The clock, which the library takes as an argument."""
    return datetime.now(UTC)


def command_line() -> tuple[str, ...]:
    """The command as it was given, without the folders and the workers of this machine."""
    from corefbench.runs.inputs import portable

    return portable(["corefbench", *without_workers(sys.argv[1:])])


def without_workers(words: Sequence[str]) -> Iterator[str]:
    """The words of a command but for who does the work, on which the result does not depend.

    >>> " ".join(without_workers("score a b --jobs 2 -f json --engine=dask -j3".split()))
    'score a b -f json'
    """
    left = iter(words)
    for word in left:
        if word in ("--jobs", "-j", "--engine"):
            next(left, None)
        elif not word.startswith(("--jobs=", "-j", "--engine=")):
            yield word
