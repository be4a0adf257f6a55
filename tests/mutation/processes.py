"""Forked children, a few at a time, each with so much processor time, memory and patience."""

import os
import resource
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

End = Callable[[str], None]
MEMORY = 8 << 30
LONGER = 30
"""How many times its processor time a child may wait, on a machine that others use."""


class _Child(NamedTuple):
    deadline: float
    end: End


class ProcessPool:
    """At most so many children at once; each ends as ``killed``, ``survived`` or ``timed out``."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._running: dict[int, _Child] = {}

    def start(self, run: Callable[[], None], seconds: float, end: End) -> None:
        """Run in a child as soon as there is room; how it ended is told to ``end``."""
        while len(self._running) >= self._jobs:
            self._look()
        child = os.fork()
        if not child:
            _become(run, seconds)
        self._running[child] = _Child(time.monotonic() + LONGER * seconds, end)

    def wait_for_all(self) -> None:
        while self._running:
            self._look()

    def _look(self) -> None:
        time.sleep(0.005)
        for number, child in [*self._running.items()]:
            ended, status = os.waitpid(number, os.WNOHANG)
            if ended:
                child.end(_end(status))
            elif time.monotonic() > child.deadline:
                os.killpg(number, signal.SIGKILL)
                os.waitpid(number, 0)
                child.end("timed out")
            else:
                continue
            del self._running[number]


def _end(status: int) -> str:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return "timed out"
    return "killed" if status else "survived"


def _become(run: Callable[[], None], seconds: float) -> None:
    """The life of a child: silent, in a group of its own, gone at the first fault."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 3))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        run()
    except BaseException:
        os._exit(1)
    os._exit(0)
