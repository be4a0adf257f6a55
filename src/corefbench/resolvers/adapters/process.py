"""The process of a worker: lines in, lines out, a time limit, and what it said last."""

import os
import signal
import subprocess
import weakref
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from corefbench.errors import UsageError

SCRIPT = Path(__file__).parent / "systems" / "serve.py"
LIMIT = 1 << 28
"""Bytes of one line: more is no answer."""
_TAIL = 2000
"""Bytes of standard error that are kept."""


class Process:
    """A Python that runs ``systems/serve.py``. It ends with this object, or with our process."""

    def __init__(self, python: str, system: str, options: str) -> None:
        self._running = _started([interpreter(python), str(SCRIPT), system, options])
        self._errors = _Errors(self._running.stderr)
        self._threads = [self._errors.thread]
        self.end = weakref.finalize(self, _end, self._running, self._threads)

    def exchange(self, line: bytes, seconds: float) -> bytes | None:
        """The line that answers a line; nothing from a process that ended, None if it is late.

        Both writing and reading may block, so a thread does them; it ends when the process does.
        """
        answer: SimpleQueue[bytes] = SimpleQueue()
        talk = Thread(target=_talk, args=(self._running, line, answer), daemon=True)
        self._threads[1:] = [talk]
        talk.start()
        try:
            return answer.get(timeout=seconds)
        except Empty:
            return None
        except KeyboardInterrupt:
            self.end()  # it is in a session of its own and has not heard
            raise

    def exit_code(self) -> int | None:
        """How it ended; None where it closed its output and runs on."""
        try:
            return self._running.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return None

    def last_words(self) -> str:
        """The end of what it printed to standard error."""
        return self._errors.tail(wait=self._running.poll() is not None)


class _Errors:
    """Reads standard error, so that the process never waits for a reader, and keeps its end."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._stream, self._kept = stream, b""
        self.thread = Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while self._stream is not None and (some := os.read(self._stream.fileno(), 4096)):
            self._kept = (self._kept + some)[-_TAIL:]

    def tail(self, *, wait: bool) -> str:
        if wait:
            self.thread.join(timeout=2)
        return self._kept.decode("utf-8", "replace").strip()


def interpreter(python: str) -> str:
    """The interpreter of a path, which may be that of an environment's folder."""
    place = Path(python).expanduser()
    if place.is_dir():
        inside = [place / "bin" / "python", place / "Scripts" / "python.exe"]
        place = next((one for one in inside if one.exists()), place)
    return str(place)


def _started(arguments: list[str]) -> subprocess.Popen[bytes]:
    # Where our own packages are is no business of another environment.
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            arguments, stdin=pipe, stdout=pipe, stderr=pipe, env=kept, start_new_session=True
        )
    except OSError as error:
        raise UsageError(
            "this Python cannot be started",
            found=f"{arguments[0]}: {error.strerror}",
            expected="python=PATH, the Python of the environment that has the system",
        ) from error


def _talk(running: subprocess.Popen[bytes], line: bytes, answer: "SimpleQueue[bytes]") -> None:
    try:
        if running.stdin is not None and line:
            running.stdin.write(line)
            running.stdin.flush()
        answer.put(running.stdout.readline(LIMIT) if running.stdout is not None else b"")
    except (OSError, ValueError):  # it is gone, or we have closed its streams
        answer.put(b"")


def _end(running: subprocess.Popen[bytes], threads: list[Thread]) -> None:
    """End the process and those that it started, and close what led to them."""
    with suppress(ProcessLookupError):
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL) if os.name == "posix" else running.kill()
    running.wait()
    for thread in threads:
        thread.join(timeout=2)
    # A stream that is still read, by way of a process that got away, cannot be closed.
    if not any(thread.is_alive() for thread in threads):
        for stream in (running.stdin, running.stdout, running.stderr):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
