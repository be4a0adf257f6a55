"""Job queue of the workbench; every run is made in a process of its own.

The state of a job is in its folder, so that nothing is lost with this process::

    jobs/ID/order.json      the job; written before anything else
    jobs/ID/progress.json   the progress of the worker
    jobs/ID/outcome.json    written last: the name of the run, or the error
    jobs/ID/cancelled       it was cancelled
    jobs/ID/worker.log      output of the worker

Every file is written atomically. A job without an outcome that no process works on was stopped. A
worker ends with the server that started it.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from re import fullmatch, split
from secrets import token_hex
from threading import Lock, Thread, Timer
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import msgspec

from corefbench.diagnostics import Finding
from corefbench.errors import UnknownName
from corefbench.records import Record

if TYPE_CHECKING:
    from corefbench.bench.plan import Plan

SPEC_FILE, PROGRESS_FILE, OUTCOME_FILE = "order.json", "progress.json", "outcome.json"
CANCELLED_FILE, LOG_FILE = "cancelled", "worker.log"

RUN_KINDS = {"bench": "Compare resolvers", "score": "Score files"}
CORPUS_SOURCES = ("bundled", "dataset", "upload", "path")

GRACE_SECONDS = 2.0
"""Time for a worker to end when it is asked to."""

JobState: TypeAlias = Literal["waiting", "running", "done", "failed", "cancelled", "stopped"]
R = TypeVar("R", bound=Record)


class RunForm(Record, frozen=True):
    """The fields of the form, named as in the page and in stored jobs."""

    kind: str = "bench"
    """``bench`` compares resolvers on a corpus, ``score`` scores files against a key."""
    name: str = ""
    """The name of the run; empty for the name of its corpus."""
    corpus: str = "bundled"
    """Where the corpus, or the key, comes from: one of ``CORPUS_SOURCES``: a dataset …"""
    dataset: str = ""
    kept: str = ""
    """… an upload, by its name in the workbench …"""
    path: str = ""
    """… or a file or folder of this machine."""
    responses_kept: tuple[str, ...] = ()
    responses_path: str = ""
    """Files of this machine, one per line."""
    format: str = ""
    lenient: bool = False
    mode: str = "automatic"
    preprocess: str = ""
    pipeline: str = ""
    """A preprocessor that was typed in, such as ``spacy:en_core_web_md``."""
    resolvers: tuple[str, ...] = ()
    further: str = ""
    """Resolvers that were typed in, with their parameters."""
    mentions: str = ""
    match: str = "head"
    cataphora: bool = False
    profile: str = "conll-2012"
    processes: int = 1

    def chosen_resolvers(self) -> tuple[str, ...]:
        """Return all resolvers, each once.

        >>> form = RunForm(resolvers=("mitkov",), further="random(seed=1,window=2), mitkov")
        >>> form.chosen_resolvers()
        ('mitkov', 'random(seed=1,window=2)')
        """
        typed = split(r"[,\n](?![^()]*\))", self.further)
        return tuple(dict.fromkeys(filter(None, (n.strip() for n in (*self.resolvers, *typed)))))

    def plan(self) -> "Plan":
        """Return the plan of a comparison, not yet checked."""
        from corefbench.bench.plan import Plan

        return Plan(
            resolvers=self.chosen_resolvers(),
            mode=self.mode,  # type: ignore[arg-type]
            preprocess=self.pipeline.strip() or self.preprocess,
            mentions=self.mentions,  # type: ignore[arg-type]
            match=self.match,  # type: ignore[arg-type]
            cataphora=self.cataphora,
            profile=self.profile,
        )


class JobSpec(Record, frozen=True):
    """A run that is to be made."""

    name: str
    """The name of the run."""
    form: RunForm
    key: str
    """The corpus or key: an absolute path, or a name such as ``bundled`` or ``gum/dev``."""
    responses: dict[str, str] = {}  # noqa: RUF012
    """Absolute paths by the names of the responses."""
    command: tuple[str, ...] = ()
    """The same on the command line."""
    findings: tuple[Finding, ...] = ()
    """Findings of the check of the inputs."""


class JobProgress(Record, frozen=True):
    """The progress of a worker."""

    stage: str
    done: int = 0
    all: int = 0
    """0 if unknown."""
    unit: str = ""
    seconds: float = 0.0
    """Since the stage began."""

    @property
    def left(self) -> float | None:
        """Estimated seconds until the end of the stage."""
        if not self.done or not self.all:
            return None
        return self.seconds * (self.all - self.done) / self.done


class JobOutcome(Record, frozen=True):
    """The result of a job."""

    run: str = ""
    """The name of the run; empty if the job failed."""
    code: str = ""
    message: str = ""
    """The error with its remedy."""


def command_options(values: Mapping[str, object], defaults: Mapping[str, object]) -> list[str]:
    """Return the options of a command that are set and differ from their defaults.

    >>> command_options({"mode": "annotated", "match": "head", "by": "", "lenient": True}, {"match": "head"})
    ['--mode', 'annotated', '--lenient']
    """
    options = []
    for name, value in values.items():
        if value and value != defaults.get(name):
            options += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return options


def read_record(path: Path, kind: type[R]) -> R | None:
    """Return the record of a file; None if it does not exist or cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def write_record(path: Path, record: Record) -> None:
    """Write a record atomically."""
    write_atomically(path, msgspec.json.encode(record), sync=False)


def write_atomically(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Write a file so that no reader ever sees half of it; ``sync`` also survives a power cut."""
    # A random name: two requests may write the same path at the same time.
    temporary = path.with_name(f".{path.name}.{token_hex(8)}")
    try:
        with open(temporary, "wb") as stream:
            stream.write(content)
            if sync:
                stream.flush()
                os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


class Job(Record, frozen=True):
    """A job and its state."""

    id: str
    state: JobState
    order: JobSpec
    progress: JobProgress | None = None
    outcome: JobOutcome | None = None
    ahead: int = 0
    """Jobs before it in the queue."""

    @property
    def active(self) -> bool:
        """Whether it is waiting or running."""
        return self.state in ("waiting", "running")


class JobQueue:
    """Jobs in a folder; one runs at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = Lock()
        self._waiting: deque[str] = deque()
        self._running = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: Thread | None = None
        self._done: set[str] = set()

    def submit(self, spec: JobSpec) -> str:
        """Add a job to the queue and return its id."""
        job = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{token_hex(3)}"
        (self.folder / job).mkdir(parents=True)
        write_record(self.folder / job / SPEC_FILE, spec)
        self._enqueue(job)
        return job

    def restart(self, job: str) -> None:
        """Start a job that has ended again."""
        if not self.get(job).active:
            for name in (OUTCOME_FILE, PROGRESS_FILE, CANCELLED_FILE):
                (self.folder / job / name).unlink(missing_ok=True)
            self._enqueue(job)

    def cancel(self, job: str) -> None:
        """Remove a job from the queue, or end its processes."""
        self.get(job)
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
            elif job != self._running:
                return
            (self.folder / job / CANCELLED_FILE).touch()
            process = self._process if job == self._running else None
        if process is not None:
            _terminate(process)

    def remove(self, job: str) -> None:
        """Delete a job that has ended; a run that it made stays."""
        if not self.get(job).active:
            shutil.rmtree(self.folder / job)

    def close(self) -> None:
        """Clear the queue and end the running job."""
        with self._lock:
            self._waiting.clear()
            process = self._process
        if process is not None:
            _terminate(process)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_SECONDS * 2)

    def get(self, job: str) -> Job:
        """Return a job by its id."""
        existing = self._find(job)
        if existing is None:
            raise UnknownName("job", job, [other.id for other in self.unfinished()])
        return existing

    def _find(self, job: str) -> Job | None:
        folder = self.folder / job
        is_id = fullmatch(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}", job)
        spec = read_record(folder / SPEC_FILE, JobSpec) if is_id else None
        if spec is None:
            return None
        with self._lock:
            waiting, running = list(self._waiting), self._running
        outcome = read_record(folder / OUTCOME_FILE, JobOutcome)
        state: JobState = "stopped"
        if job in waiting:
            state = "waiting"
        elif job == running:
            state = "running"
        elif outcome is not None:
            state = "done" if outcome.run else "failed"
        elif (folder / CANCELLED_FILE).exists():
            state = "cancelled"
        return Job(
            id=job,
            state=state,
            order=spec,
            progress=read_record(folder / PROGRESS_FILE, JobProgress),
            outcome=outcome,
            ahead=waiting.index(job) + bool(running) if job in waiting else 0,
        )

    def unfinished(self) -> list[Job]:
        """Return every job that has not become a run, the newest first."""
        jobs = []
        for path in sorted(self.folder.iterdir(), reverse=True):
            job = self._find(path.name) if path.name not in self._done else None
            if job is not None and job.state == "done":
                self._done.add(job.id)
            elif job is not None:
                jobs.append(job)
        return jobs

    def _enqueue(self, job: str) -> None:
        with self._lock:
            self._done.discard(job)
            self._waiting.append(job)
            if self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()

    def _work(self) -> None:
        """Run the waiting jobs one after the other."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                self._running = self._waiting.popleft()
                self._process = _start_worker(self.folder / self._running)
            if self._process is not None:
                _wait_for_worker(self._process)
            with self._lock:
                self._running, self._process = "", None


def _start_worker(folder: Path) -> subprocess.Popen[bytes] | None:
    """Start a worker in a process group of its own; it ends when its input is closed.

    None if it cannot be started, as when the disk is full: then the job stays stopped.
    """
    try:
        with open(folder / LOG_FILE, "wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "corefbench.workbench.worker", str(folder), "attended"],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
    except OSError:
        return None


def _wait_for_worker(process: subprocess.Popen[bytes]) -> None:
    """Wait for a worker, and kill processes that it left behind."""
    with process:
        if hasattr(os, "waitid"):
            with suppress(ChildProcessError, ProcessLookupError):
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
                # It has not been reaped yet, so that its number cannot belong to another process.
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _terminate(process: subprocess.Popen[bytes]) -> None:
    """Ask all processes of a worker to end, and kill them if they do not."""
    _send_signal(process, signal.SIGTERM)
    timer = Timer(GRACE_SECONDS, _send_signal, [process, getattr(signal, "SIGKILL", signal.SIGTERM)])
    timer.daemon = True
    timer.start()


def _send_signal(process: subprocess.Popen[bytes], number: int) -> None:
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.terminate()
