"""The cost of a child process: processor time, wall time, peak memory, within limits.

A child's peak cannot be seen below the size its parent had when it was started, so whoever
measures must stay small: nothing here imports more than the standard library.
"""

import math
import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, TypeAlias

Outcome: TypeAlias = Literal["done", "too slow", "out of memory", "failed"]
_LOOK_EVERY = 0.005


@dataclass(frozen=True)
class Limits:
    """What a child may take before it is stopped."""

    seconds: float = 900.0
    """Of processor time; by the clock four times as much, as other work may be in the way."""
    bytes: int = 9 << 30


GENEROUS = Limits()


@dataclass(frozen=True)
class Usage:
    """What a child, or several one after the other, took."""

    outcome: Outcome
    processor: float = 0.0
    wall: float = 0.0
    peak: int = 0
    output: str = ""
    complaint: str = ""

    def then(self, after: "Usage") -> "Usage":
        """Both, one after the other: times add, the larger peak stays."""
        return Usage(
            after.outcome,
            self.processor + after.processor,
            self.wall + after.wall,
            max(self.peak, after.peak),
            self.output + after.output,
            self.complaint + after.complaint,
        )


def run(command: Sequence[str], limits: Limits = GENEROUS, folder: Path | None = None) -> Usage:
    """Run one command to its end or to its limits."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaint:
        began = time.perf_counter()
        child = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=complaint,
            env=_environment(),
            start_new_session=True,
        )
        with suppress(ProcessLookupError):  # it may be over already
            resource.prlimit(child.pid, resource.RLIMIT_AS, (limits.bytes, limits.bytes))
            processor = math.ceil(limits.seconds)
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (processor, processor + 5))
        status, used, in_time = _wait(child, began + 4 * limits.seconds)
        wall = time.perf_counter() - began
        said, complained = _read(output), _read(complaint)
    return Usage(
        _outcome(status, in_time, complained),
        used.ru_utime + used.ru_stime,
        wall,
        used.ru_maxrss * 1024,
        said,
        complained,
    )


def _environment() -> dict[str, str]:
    """The environment of a user: Python keeps the bytecode of every program that it has run."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run_all(commands: Sequence[Sequence[str]], limits: Limits, folder: Path | None = None) -> Usage:
    """Run commands in order, up to the first that does not end well."""
    total = Usage("done")
    for command in commands:
        total = total.then(run(command, limits, folder))
        if total.outcome != "done":
            break
    return total


def cheapest(usages: Sequence[Usage]) -> Usage:
    """The run that was disturbed least."""
    return min(usages, key=lambda usage: usage.processor)


def _wait(
    child: subprocess.Popen[bytes], deadline: float
) -> tuple[int, resource.struct_rusage, bool]:
    """The child's status and usage, and whether it ended by itself in time."""
    in_time = True
    while True:
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, used, in_time
        if in_time and time.perf_counter() > deadline:
            in_time = False
            os.killpg(child.pid, signal.SIGKILL)
        time.sleep(_LOOK_EVERY)


def _outcome(status: int, in_time: bool, complaint: str) -> Outcome:
    if not in_time or status == -signal.SIGXCPU:
        return "too slow"
    if status == 0:
        return "done"
    if status == -signal.SIGKILL:  # the kernel, where memory ran out
        return "out of memory"
    starved = ("MemoryError", "Out of memory", "Unable to allocate", "Cannot allocate")
    return "out of memory" if any(word in complaint for word in starved) else "failed"


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")
