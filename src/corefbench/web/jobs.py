"""The queue of runs: each in a process of its own, one at a time.

What a job is doing is read from its folder, so that nothing is lost with this process. A worker
ends with the server that started it; what it had finished is there.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from re import fullmatch
from secrets import token_hex
from threading import Lock, Thread, Timer
from typing import Literal, TypeAlias

from corefbench.errors import UnknownName
from corefbench.record import Record
from corefbench.web.orders import (
    CANCELLED,
    LOG,
    ORDER,
    OUTCOME,
    PROGRESS,
    Order,
    Outcome,
    Progress,
    read_record,
    write_record,
)

State: TypeAlias = Literal["waiting", "running", "done", "failed", "cancelled", "stopped"]
GRACE = 2.0
"""Seconds that a worker has to end when it is asked to."""


class Job(Record, frozen=True):
    """A job as it stands."""

    id: str
    state: State
    order: Order
    progress: Progress | None = None
    outcome: Outcome | None = None
    ahead: int = 0
    """How many are before it in the queue."""

    @property
    def active(self) -> bool:
        """Whether there is something to wait for."""
        return self.state in ("waiting", "running")


class Jobs:
    """The jobs of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = Lock()
        self._waiting: deque[str] = deque()
        self._running = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: Thread | None = None
        self._done: set[str] = set()

    def submit(self, order: Order) -> str:
        """Put an order at the end of the queue; its id."""
        job = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{token_hex(3)}"
        (self.folder / job).mkdir(parents=True)
        write_record(self.folder / job / ORDER, order)
        self._enqueue(job)
        return job

    def again(self, job: str) -> None:
        """Start a job that has ended once more."""
        if not self.get(job).active:
            for name in (OUTCOME, PROGRESS, CANCELLED):
                (self.folder / job / name).unlink(missing_ok=True)
            self._enqueue(job)

    def cancel(self, job: str) -> None:
        """Take a job out of the queue, or end its processes."""
        self.get(job)
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
            elif job != self._running:
                return
            (self.folder / job / CANCELLED).touch()
            process = self._process if job == self._running else None
        if process is not None:
            _end(process)

    def remove(self, job: str) -> None:
        """Forget a job that is not under way; a run that it made stays."""
        if not self.get(job).active:
            shutil.rmtree(self.folder / job)

    def close(self) -> None:
        """End what is running; nothing waits any longer."""
        with self._lock:
            self._waiting.clear()
            process = self._process
        if process is not None:
            _end(process)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE * 2)

    def get(self, job: str) -> Job:
        """The job of that id."""
        found = self._find(job)
        if found is None:
            raise UnknownName("job", job, [one.id for one in self.unfinished()])
        return found

    def _find(self, job: str) -> Job | None:
        folder = self.folder / job
        known = fullmatch(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}", job)
        order = read_record(folder / ORDER, Order) if known else None
        if order is None:
            return None
        with self._lock:
            waiting, running = list(self._waiting), self._running
        outcome = read_record(folder / OUTCOME, Outcome)
        state: State = "stopped"
        if job in waiting:
            state = "waiting"
        elif job == running:
            state = "running"
        elif outcome is not None:
            state = "done" if outcome.run else "failed"
        elif (folder / CANCELLED).exists():
            state = "cancelled"
        return Job(
            id=job,
            state=state,
            order=order,
            progress=read_record(folder / PROGRESS, Progress),
            outcome=outcome,
            ahead=waiting.index(job) + bool(running) if job in waiting else 0,
        )

    def unfinished(self) -> list[Job]:
        """Every job that has not become a run, the newest first."""
        made = []
        for path in sorted(self.folder.iterdir(), reverse=True):
            job = self._find(path.name) if path.name not in self._done else None
            if job is not None and job.state == "done":
                self._done.add(job.id)
            elif job is not None:
                made.append(job)
        return made

    def _enqueue(self, job: str) -> None:
        with self._lock:
            self._done.discard(job)
            self._waiting.append(job)
            if self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()

    def _work(self) -> None:
        """Run what waits, one after the other, until nothing does."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                self._running = self._waiting.popleft()
                self._process = _start(self.folder / self._running)
            if self._process is not None:
                _wait(self._process)
            with self._lock:
                self._running, self._process = "", None


def _start(folder: Path) -> subprocess.Popen[bytes] | None:
    """A worker in a process group of its own; it ends when our end of its input is closed.

    None if it cannot be started, as where the disk is full: then the job stays stopped.
    """
    try:
        with open(folder / LOG, "wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "corefbench.web.worker", str(folder), "attended"],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
    except OSError:
        return None


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Until a worker has ended; processes that it left behind, as when it is killed, end too."""
    with process:
        if hasattr(os, "waitid"):
            with suppress(ChildProcessError, ProcessLookupError):
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
                # Not yet waited for, its number is still its own.
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask all processes of a worker to end, and see to it that they do."""
    _signal(process, signal.SIGTERM)
    made = Timer(GRACE, _signal, [process, getattr(signal, "SIGKILL", signal.SIGTERM)])
    made.daemon = True
    made.start()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.terminate()
