"""Run another coreference package in this process or under another Python.

The records are those of the JSON that ``worker.py`` reads and writes.
"""

import json
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, Any, Literal, NoReturn, Protocol

import msgspec

from corefbench.errors import DataError, Place, UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.records import Record
from corefbench.resolvers.adapters import worker

Span = tuple[int, int]
_MAX_LINE = 1 << 28
"""Bytes per line; a longer one is not an answer."""
_STDERR_TAIL = 2000
"""Bytes of standard error that are kept."""


class Request(Record, frozen=True):
    """A document to resolve."""

    name: str
    text: str
    words: tuple[str, ...]
    offsets: tuple[Span, ...]
    sentences: tuple[Span, ...]
    speakers: tuple[str, ...] | None
    mentions: tuple[Span, ...] | None
    """The mentions of the key in annotated mode, for systems that take them."""


class Answer(Record, frozen=True):
    """The answer of a system for one document."""

    unit: Literal["tokens", "characters"]
    chains: tuple[tuple[Span, ...], ...]
    links: tuple[tuple[Span, Span, float], ...] = ()
    """A mention, its antecedent, and the confidence from 0 to 1."""
    lost: dict[str, int] = msgspec.field(default_factory=dict)
    """What the system had and could not place, counted by reason."""
    heads: bool = False
    """Whether the mentions are only the heads of their phrases."""


class Reply(Record, frozen=True):
    """One line of a worker: a greeting, answers, or a failure."""

    version: str = ""
    answers: tuple[Answer, ...] | None = None
    failed: Literal["", "package", "model", "error"] = ""
    said: str = ""
    package: str = ""


class Backend(Protocol):
    """A system that is loaded here or runs elsewhere."""

    def open(self, seconds: float) -> Reply:
        """Load the system unless it is loaded; return its version, or the failure."""
        ...

    def ask(self, documents: Sequence[Request], seconds: float) -> Reply:
        """Return answers in the order of the documents, or the failure."""
        ...


def make_request(discourse: Discourse) -> Request:
    """Return the request for a discourse."""
    analysis = discourse.analysis
    is_gold = discourse.mentions == "gold"
    return Request(
        name=analysis.name,
        text=analysis.text,
        words=analysis.words,
        offsets=analysis.offsets,
        sentences=analysis.sentences,
        speakers=analysis.speakers,
        mentions=tuple((p.start, p.end) for p in discourse.phrases) if is_gold else None,
    )


class LocalBackend:
    """Runs the code of a worker in this process, for packages installed beside corefbench."""

    def __init__(self, system: str, options: dict[str, Any]) -> None:
        self._system, self._options = system, options
        self._loaded: Any = None
        self._greeting = Reply()
        self._lock = Lock()

    def open(self, seconds: float) -> Reply:
        """Load the package and its model; there is no time limit in this process."""
        with self._lock:
            if self._loaded is None:
                # Output of other packages must not end up in that of corefbench.
                with redirect_stdout(sys.stderr):
                    self._loaded, greeting = worker.open_system(self._system, self._options)
                self._greeting = msgspec.convert(greeting, Reply)
            return self._greeting

    def ask(self, documents: Sequence[Request], seconds: float) -> Reply:
        """Return the answers of the package."""
        with self._lock, redirect_stdout(sys.stderr):
            reply = worker.answer_documents(self._loaded, msgspec.to_builtins(documents))
        try:
            return msgspec.convert(reply, Reply)
        except msgspec.ValidationError as error:
            raise DataError(f"{self._system} returned an invalid answer", code="CB262", found=str(error)) from error


class WorkerBackend:
    """Runs ``worker.py`` under another Python, one JSON object per line.

    The process is started once and answers many documents. It may be slow, crash or write
    garbage: each of these is an error with a code, and ends the process; the next document starts
    a new one.
    """

    def __init__(self, python: str, system: str, options: dict[str, Any]) -> None:
        self._python, self._system, self._options = python, system, options
        self._process: WorkerProcess | None = None
        self._greeting = Reply()
        self._lock = Lock()

    def open(self, seconds: float) -> Reply:
        """Start the process, unless it runs, and wait until the system is loaded."""
        with self._lock:
            return self._open(seconds)

    def ask(self, documents: Sequence[Request], seconds: float) -> Reply:
        """Send the documents in one line and wait for the line that answers them."""
        with self._lock:
            greeting = self._open(seconds)
            if greeting.failed:
                return greeting
            # ASCII only: no Unicode line separator and no lone surrogate can break the line.
            line = json.dumps({"documents": msgspec.to_builtins(documents)}).encode("ascii") + b"\n"
            reply = self._exchange(line, seconds, documents[0].name)
            if not reply.failed and len(reply.answers or ()) != len(documents):
                counts = f"{len(reply.answers or ())} answers to {len(documents)} documents"
                self._fail("CB262", f"{self._system} returned too few answers", "", counts)
            return reply

    def _open(self, seconds: float) -> Reply:
        if self._process is None:
            self._process = WorkerProcess(self._python, self._system, json.dumps(self._options))
            self._greeting = self._exchange(b"", seconds, "")
            if self._greeting.failed:
                self._end()
            elif not self._greeting.version:
                self._fail("CB262", f"{self._system} did not report its version", "", "")
        return self._greeting

    def _exchange(self, line: bytes, seconds: float, document: str) -> Reply:
        process = self._process
        if process is None:
            return self._greeting
        answer = process.exchange(line, seconds)
        if answer is None:
            message = f"{self._system} took more than {seconds:g} seconds"
            remedy = "increase seconds=… in its parameters"
            self._fail("CB261", message, document, process.stderr_tail(), remedy)
        if not answer:
            code = process.exit_code()
            message = f"{self._system} ended with exit code {code} before it answered"
            self._fail("CB260", message, document, process.stderr_tail())
        try:
            return msgspec.json.decode(answer, type=Reply)
        except (msgspec.DecodeError, msgspec.ValidationError):
            shown = ascii(answer[:200].decode("utf-8", "replace"))
            self._fail("CB262", f"{self._system} returned invalid JSON", document, shown)

    def _fail(self, code: str, message: str, document: str, found: str, remedy: str = "") -> NoReturn:
        self._end()
        raise DataError(
            message,
            code=code,
            place=Place(source=self._python, document=document),
            found=found,
            remedy=remedy or "run it by hand in that environment to see what is wrong",
        )

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


class WorkerProcess:
    """A Python process that runs ``worker.py``; it ends with this object or our process."""

    def __init__(self, python: str, system: str, options: str) -> None:
        self._running = _start([find_interpreter(python), worker.__file__, system, options])
        self._errors = _StderrReader(self._running.stderr)
        self._threads = [self._errors.thread]
        self.end = weakref.finalize(self, _end, self._running, self._threads)

    def exchange(self, line: bytes, seconds: float) -> bytes | None:
        """Return the line that answers a line, empty if the process ended, None on time-out.

        Both writing and reading may block, so a thread does them; it ends with the process.
        """
        answer: SimpleQueue[bytes] = SimpleQueue()
        thread = Thread(target=_exchange_lines, args=(self._running, line, answer), daemon=True)
        self._threads[1:] = [thread]
        thread.start()
        try:
            return answer.get(timeout=seconds)
        except Empty:
            return None
        except KeyboardInterrupt:
            self.end()  # it has its own session and does not get the signal
            raise

    def exit_code(self) -> int | None:
        """Return the exit code; None if it closed its output but is still running."""
        try:
            return self._running.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return None

    def stderr_tail(self) -> str:
        """Return the end of its standard error."""
        return self._errors.tail(wait=self._running.poll() is not None)


class _StderrReader:
    """Drains standard error, so that the process never blocks on it, and keeps its end."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._stream, self._tail = stream, b""
        self.thread = Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while self._stream is not None and (chunk := os.read(self._stream.fileno(), 4096)):
            self._tail = (self._tail + chunk)[-_STDERR_TAIL:]

    def tail(self, *, wait: bool) -> str:
        if wait:
            self.thread.join(timeout=2)
        return self._tail.decode("utf-8", "replace").strip()


def find_interpreter(python: str) -> str:
    """Return the interpreter of a path, which may be the folder of an environment."""
    path = Path(python).expanduser()
    if path.is_dir():
        inside = [path / "bin" / "python", path / "Scripts" / "python.exe"]
        path = next((candidate for candidate in inside if candidate.exists()), path)
    return str(path)


def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
    # Our own search path must not leak into another environment.
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            arguments, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
        )
    except OSError as error:
        raise UsageError(
            "cannot start this Python",
            found=f"{arguments[0]}: {error.strerror}",
            expected="python=PATH, the Python of the environment that has the system",
        ) from error


def _exchange_lines(running: subprocess.Popen[bytes], line: bytes, answer: "SimpleQueue[bytes]") -> None:
    try:
        if running.stdin is not None and line:
            running.stdin.write(line)
            running.stdin.flush()
        answer.put(running.stdout.readline(_MAX_LINE) if running.stdout is not None else b"")
    except (OSError, ValueError):  # the process is gone, or its streams are closed
        answer.put(b"")


def _end(running: subprocess.Popen[bytes], threads: list[Thread]) -> None:
    """Kill the process group and close its streams."""
    with suppress(ProcessLookupError):
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL) if os.name == "posix" else running.kill()
    running.wait()
    for thread in threads:
        thread.join(timeout=2)
    # A stream that a surviving grandchild keeps open, and a thread still reads, cannot be closed.
    if not any(thread.is_alive() for thread in threads):
        for stream in (running.stdin, running.stdout, running.stderr):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
