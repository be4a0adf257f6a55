"""Run a function in a child process that has little time and memory, and no network.

Children are forked by ``multiprocessing``'s fork server, which has the libraries loaded: a fork
costs some milliseconds, a new interpreter a third of a second, and participants wait while their
upload is checked. The limits of the operating system hold whatever happens. Where the kernel allows
it, children are in a network namespace with nothing in it; an audit hook of the interpreter also
refuses sockets, other programs and writing to files. None of this is needed as long as readers
have no bugs. ``inspect_sandbox`` tests which of it is active on this machine.
"""

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Timer
from types import FrameType
from typing import Any, TypeVar

import msgspec

from corefbench.errors import UsageError
from corefbench.records import Record

_PRELOAD = ["corefbench.campaign.jobs.preload", "corefbench.cli.main"]
"""The second because a child imports the main module of its parent again: the command line's."""
_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_CPU_GRACE = 10
"""Seconds of processor time that a child has to report that its time is over."""
_JOIN_SECONDS = 10.0
_MAX_FILES = 1 << 20
_REFUSED_EVENTS = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.fork",
                   "os.system", "os.kill", "os.remove", "os.rename", "os.rmdir", "os.mkdir",
                   "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown", "shutil.",
                   "pty.", "ftplib.", "smtplib.", "urllib.", "http.client.", "sqlite3.",
                   "webbrowser.")  # fmt: skip
_KEPT_VARIABLES = ("PATH", "HOME", "TMPDIR", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH",
                   "VIRTUAL_ENV")  # fmt: skip
_KEPT_PREFIXES = ("LC_", "PYTHON")
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Libraries that start threads could not do so within the limits."""
_PROTECTIONS = {
    "network": ("no network", "allow unprivileged user namespaces (sysctl user.max_user_namespaces)"),
    "limits": ("limits of time, memory, files and processes", "raise the hard limits of the server (ulimit -H)"),
    "privileges": ("no new privileges", "run the server on Linux"),
    "audit-hook": ("refusal of sockets, programs and writing", "run the server with CPython"),
}
"""Title and remedy of every protection."""
_PROBE_SECONDS = 30
_Argument = TypeVar("_Argument")
_log = logging.getLogger("corefbench.campaign.jobs.sandbox")


class Limits(Record, frozen=True):
    """Limits of one child process."""

    cpu_seconds: int = 60
    wall_seconds: float = 300
    memory: int = 1536 << 20
    """Address space in bytes, of which libraries reserve a part that is never used."""
    open_files: int = 64
    output: int = 64 << 20
    """Bytes that the function may return."""


class SandboxResult(Record, frozen=True):
    """What a child process left behind."""

    output: bytes
    """What the function returned; empty if it did not return, or returned too much."""
    status: int | None
    """Exit status, negative for a signal; None if unknown."""
    seconds: float


class Protection(Record, frozen=True):
    """A protection of child processes, and whether it is active on this machine."""

    name: str
    title: str
    active: bool
    remedy: str = ""
    """What to do if it is not active."""


class OutOfTime(BaseException):
    """The processor time is used up. No reader may catch it."""


class Refused(BaseException):
    """The child tried something that it must not do. No reader may catch it."""


def start_fork_server() -> None:
    """Start the fork server unless it runs; it loads the libraries in the background."""
    forkserver.set_forkserver_preload(_PRELOAD)
    forkserver.ensure_running()


def run_sandboxed(function: Callable[[_Argument], bytes], argument: _Argument, limits: Limits) -> SandboxResult:
    """Call a function of a module in a child process; whatever happens there is a result."""
    start_fork_server()  # it may have been killed
    context = multiprocessing.get_context("forkserver")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run_child, args=(sender, function, argument, limits), daemon=True)
    with receiver:
        with sender:
            try:
                process.start()
            except (OSError, EOFError):  # the fork server was killed meanwhile
                return SandboxResult(output=b"", status=None, seconds=0.0)
        started = time.monotonic()
        # The limit on processor time does not stop a child that waits.
        timer = Timer(limits.wall_seconds, process.kill)
        timer.start()
        try:
            # Bytes, never objects: unpickling what a child sends would run its code here.
            output = receiver.recv_bytes(limits.output)
        except (EOFError, OSError):  # it ended without a result, or the result is too long
            output = b""
    process.join(_JOIN_SECONDS)
    timer.cancel()
    if process.exitcode is None:
        process.kill()
        process.join()
    result = SandboxResult(output=output, status=process.exitcode, seconds=time.monotonic() - started)
    process.close()
    return result


def _run_child(sender: Connection, function: Callable[[_Argument], bytes], argument: _Argument, limits: Limits) -> None:
    """Run in the child: close what it inherited, set the limits, call the function, exit."""
    status = 1
    try:
        # Also the pipe that keeps the fork server alive: it and its children end with the server.
        os.closerange(3, sender.fileno())
        os.closerange(sender.fileno() + 1, _MAX_FILES)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server to handle
        signal.signal(signal.SIGXCPU, _raise_out_of_time)
        if not _is_isolated:  # forked by a fork server that someone else has started
            isolate_process()
        confine(limits)
        sender.send_bytes(function(argument))
        status = 0
    finally:
        os._exit(status)


def _raise_out_of_time(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # it comes every second from now on
    raise OutOfTime


_is_isolated = False


def isolate_process() -> None:
    """Drop environment variables that may be secret, and the network; forks inherit both."""
    global _is_isolated  # noqa: PLW0603
    environment = make_child_environment()
    os.environ.clear()
    os.environ.update(environment)
    leave_network()
    _is_isolated = True


def make_child_environment() -> dict[str, str]:
    """Return the variables that an interpreter needs, without any secret.

    A server may get the password of its database or mail by a variable. Children read what
    strangers send, and need not know it.

    >>> "COREFBENCH_DATABASE" in make_child_environment()
    False
    """
    kept = {
        name: value for name, value in os.environ.items() if name in _KEPT_VARIABLES or name.startswith(_KEPT_PREFIXES)
    }
    return kept | _ONE_THREAD


def confine(limits: Limits) -> None:
    """Give up, for good, what this process does not need."""
    import resource

    sys.dont_write_bytecode = True
    _die_with_parent()
    for kind, (soft, hard) in _resource_bounds(limits).items():
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    sys.addaudithook(_refuse_event)


def _resource_bounds(limits: Limits) -> dict[int, tuple[int, int]]:
    """Return soft and hard limit by resource."""
    import resource

    return {
        resource.RLIMIT_CPU: (limits.cpu_seconds, limits.cpu_seconds + _CPU_GRACE),
        resource.RLIMIT_AS: (limits.memory, limits.memory),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files),
        resource.RLIMIT_NPROC: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
    }


def _refuse_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        _, mode, flags = arguments
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (
            isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        ):
            raise Refused(event)
    elif event.startswith(_REFUSED_EVENTS):
        raise Refused(event)


def _die_with_parent() -> None:
    """Where the system can: a child must not outlive the fork server."""
    libc = _load_libc()
    if libc is not None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def leave_network() -> None:
    """Move into an empty network namespace, where the kernel allows it."""
    libc = _load_libc()
    if libc is not None and libc.unshare(_CLONE_NEWNET) != 0:
        libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


def _load_libc() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


# Which protections are active


def inspect_sandbox() -> tuple[Protection, ...]:
    """Return every protection and whether it is active, as a process on this machine finds out."""
    active = _probe()
    return tuple(
        Protection(name=name, title=title, active=name in active, remedy="" if name in active else remedy)
        for name, (title, remedy) in _PROTECTIONS.items()
    )


def report_sandbox(*, required: bool, say: Callable[[str], None] = lambda line: None) -> None:
    """Log and print which protections are active; raise if they are required and one is not."""
    protections = inspect_sandbox()
    absent = [protection for protection in protections if not protection.active]
    say(describe_sandbox(protections))
    if absent and required:
        raise UsageError(
            "the sandbox of scoring processes is not complete",
            code="CB319",
            found=f"not active: {', '.join(protection.title for protection in absent)}",
            expected="all protections, because of --require-sandbox",
            remedy="; ".join(protection.remedy for protection in absent),
        )
    _log.log(
        logging.WARNING if absent else logging.INFO,
        "sandbox",
        extra={protection.name: protection.active for protection in protections},
    )


def describe_sandbox(protections: Sequence[Protection]) -> str:
    """Return one line for people.

    >>> describe_sandbox([Protection(name="network", title="no network", active=False, remedy="allow it")])
    'sandbox: NOT ACTIVE: no network (allow it)'
    """
    absent = [f"{each.title} ({each.remedy})" for each in protections if not each.active]
    parts = [", ".join(each.title for each in protections if each.active)]
    if absent:
        parts.append(f"NOT ACTIVE: {', '.join(absent)}")
    return f"sandbox: {'; '.join(filter(None, parts))}"


@cache
def _probe() -> frozenset[str]:
    """Return the names of the protections that a new process can activate.

    A process of its own, not a child of the fork server: that loads libraries for a second or more.
    """
    command = [sys.executable, "-c", f"from {__name__} import print_protections; print_protections()"]
    try:
        output = subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=True).stdout
        return msgspec.json.decode(output, type=frozenset[str])
    except (OSError, subprocess.SubprocessError, msgspec.DecodeError):
        return frozenset()


def print_protections() -> None:
    """Confine this process as a child is confined, and print which protections are active."""
    namespace = _network_namespace()
    isolate_process()
    limits = Limits()
    confine(limits)
    checks = {
        "network": bool(namespace) and _network_namespace() != namespace,
        "limits": _has_limits(limits),
        "privileges": _has_no_new_privileges(),
        "audit-hook": _refuses_writing(),
    }
    sys.stdout.write(msgspec.json.encode([name for name, active in checks.items() if active]).decode())


def _network_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/net")
    except OSError:
        return ""


def _has_limits(limits: Limits) -> bool:
    import resource

    # No limit is -1, so that both ends are compared.
    return all(0 <= resource.getrlimit(kind)[0] <= soft for kind, (soft, _) in _resource_bounds(limits).items())


def _has_no_new_privileges() -> bool:
    try:
        return "NoNewPrivs:\t1" in Path("/proc/self/status").read_text("ascii", "replace")
    except OSError:
        return False


def _refuses_writing() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_WRONLY))
    except Refused:
        return True
    return False
