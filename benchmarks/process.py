"""Measure the cost of child processes.

A child's peak cannot be seen below the size its parent had when it was started, so the process that
measures must stay small: nothing here imports more than the standard library.
"""

import math
import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, TypeAlias

Outcome: TypeAlias = Literal["done", "too slow", "out of memory", "failed"]
_POLL_SECONDS = 0.005


@dataclass(frozen=True)
class Limits:
    """Limits at which a child is stopped."""

    seconds: float = 900.0
    """Processor time; wall time may be four times as much, as the machine may be busy."""
    bytes: int = 9 << 30


GENEROUS = Limits()


@dataclass(frozen=True)
class Usage:
    """Cost of a child process, or of several in sequence."""

    outcome: Outcome
    processor: float = 0.0
    wall: float = 0.0
    peak: int = 0
    output: str = ""
    errors: str = ""

    def then(self, after: "Usage") -> "Usage":
        """Add the cost of a later process: times add up, the larger peak counts."""
        return Usage(
            after.outcome,
            self.processor + after.processor,
            self.wall + after.wall,
            max(self.peak, after.peak),
            self.output + after.output,
            self.errors + after.errors,
        )


def run_command(command: Sequence[str], limits: Limits = GENEROUS, folder: Path | None = None) -> Usage:
    """Run a command to its end or to its limits."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error_output:
        seconds = math.ceil(limits.seconds)
        began = time.perf_counter()
        # Limits set from here after the start would come too late on a busy machine.
        child = subprocess.Popen(
            ["prlimit", f"--as={limits.bytes}", f"--cpu={seconds}:{seconds + 5}", "--", *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=error_output,
            env=_environment(),
            start_new_session=True,
        )
        status, used, in_time = _wait(child, began + 4 * limits.seconds)
        wall = time.perf_counter() - began
        printed, errors = _read(output), _read(error_output)
    return Usage(
        _outcome(status, in_time, errors), used.ru_utime + used.ru_stime, wall, used.ru_maxrss * 1024, printed, errors
    )


def _environment() -> dict[str, str]:
    """Return the environment of a user, in whose cache Python keeps bytecode."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run_commands(commands: Sequence[Sequence[str]], limits: Limits, folder: Path | None = None) -> Usage:
    """Run commands in order, up to the first that fails."""
    total = Usage("done")
    for command in commands:
        total = total.then(run_command(command, limits, folder))
        if total.outcome != "done":
            break
    return total


def best_time(work: Callable[[], object], runs: int = 3, clock: Callable[[], float] = time.process_time) -> float:
    """Return the least time of several runs of work in this process."""
    times = []
    for _ in range(runs):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def session_processes(session: int) -> dict[int, tuple[float, int]]:
    """Return processor seconds and peak memory in bytes of every process of a session."""
    ticks = os.sysconf("SC_CLK_TCK")
    processes = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[3]) != session:
                continue
            status = (folder / "status").read_text()
            peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        except (OSError, StopIteration, IndexError):  # it has just ended
            continue
        seconds = (int(fields[11]) + int(fields[12])) / ticks
        processes[int(folder.name)] = (seconds, int(peak.split()[1]) * 1024)
    return processes


def cheapest(usages: Sequence[Usage]) -> Usage:
    """Return the run with the least processor time."""
    return min(usages, key=lambda usage: usage.processor)


def _wait(child: subprocess.Popen[bytes], deadline: float) -> tuple[int, resource.struct_rusage, bool]:
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
        time.sleep(_POLL_SECONDS)


def _outcome(status: int, in_time: bool, errors: str) -> Outcome:
    if not in_time or status == -signal.SIGXCPU:
        return "too slow"
    if status == 0:
        return "done"
    if status == -signal.SIGKILL:  # the kernel, where memory ran out
        return "out of memory"
    starved = ("MemoryError", "Out of memory", "Unable to allocate", "Cannot allocate")
    return "out of memory" if any(word in errors for word in starved) else "failed"


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")
