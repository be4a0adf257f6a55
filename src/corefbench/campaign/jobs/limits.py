"""What a child process may use: so much time and memory, no files, no processes, no network.

The limits of the operating system hold whatever happens; where the kernel allows it the process
also gets a network of its own with nothing in it. A hook of the interpreter refuses sockets, other
programs and writing to files in any case. None of this is needed as long as readers have no bugs.
"""

import os
import signal
import sys
from typing import Any

from corefbench.record import Record

_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000
_LAST_WORDS = 10
"""Seconds of the processor that a child has to say that its time is over."""
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_REFUSED = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.fork",
            "os.system", "os.kill", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link",
            "os.symlink", "os.truncate", "os.chmod", "os.chown", "shutil.", "pty.", "ftplib.",
            "smtplib.", "urllib.", "http.client.", "sqlite3.", "webbrowser.")  # fmt: skip


class Limits(Record, frozen=True):
    """Bounds of one child process."""

    cpu_seconds: int = 60
    wall_seconds: float = 300
    memory: int = 1536 << 20
    """Address space in bytes, of which libraries reserve a part that is never used."""
    open_files: int = 64
    answer: int = 64 << 20
    """Bytes of the answer."""


CHECKING = Limits(cpu_seconds=5, wall_seconds=30, memory=512 << 20, answer=4 << 20)
"""For answers at the door: somebody waits."""
SCORING = Limits()


class Refused(BaseException):
    """Something was tried that a child must not do; no reader may catch it."""


def confine(limits: Limits) -> None:
    """Give up, for good, what this process does not need."""
    import resource

    sys.dont_write_bytecode = True
    _die_with_parent()
    bounds = {
        resource.RLIMIT_CPU: (limits.cpu_seconds, limits.cpu_seconds + _LAST_WORDS),
        resource.RLIMIT_AS: (limits.memory, limits.memory),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files),
        resource.RLIMIT_NPROC: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
    }
    for kind, (soft, hard) in bounds.items():
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        _, mode, flags = arguments
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (
            isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        ):
            raise Refused(event)
    elif event.startswith(_REFUSED):
        raise Refused(event)


def _die_with_parent() -> None:
    """Where the system can: a child must not outlive who asked for it."""
    libc = _libc()
    if libc is not None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def leave_network() -> None:
    """Go into an empty network, where the kernel gives one; children stay in it."""
    libc = _libc()
    if libc is not None and libc.unshare(_CLONE_NEWNET) != 0:
        libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


def _libc() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    return ctypes.CDLL(None, use_errno=True)
