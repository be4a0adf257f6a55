"""Where children come from: a process that has all libraries loaded and forks one for each job.

A new interpreter needs a third of a second before it reads its first byte, a fork some
milliseconds; answers are checked while somebody waits. The nursery itself never touches an
upload. It has one thread, and ends with the process that started it.

On the control socket comes, for each job, how many seconds it may take and one end of a socket
pair: the child reads its job from it and writes the outcome to it. When the child is gone the
nursery adds its exit status, four bytes, and closes the pair.
"""

import os
import selectors
import signal
import socket
import struct
import sys
import time
from contextlib import suppress

from corefbench.campaign.jobs import child
from corefbench.campaign.jobs.limits import leave_network
from corefbench.record import Record

SECONDS = struct.Struct("<d")
STATUS = struct.Struct("<i")
READY = b"ready"
_MOST_FILES = 1 << 20


class _Born(Record, frozen=True):
    """A child that is at work."""

    process: int
    line: int
    """Our copy of its end of the pair."""
    until: float


def main() -> None:
    """Serve until the other side is gone."""
    leave_network()
    _load()
    with suppress(ConnectionError), socket.socket(fileno=int(sys.argv[1])) as control:
        control.sendall(READY)
        _serve(control)


def _serve(control: socket.socket) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        born: dict[int, _Born] = {}
        while True:
            for key, _ in selector.select(_patience(born)):
                if key.fileobj is control:
                    given, lines, _, _ = socket.recv_fds(control, SECONDS.size, 1)
                    if not lines:
                        return
                    watch, one = _bear(SECONDS.unpack(given)[0], lines[0])
                    selector.register(watch, selectors.EVENT_READ)
                    born[watch] = one
                else:
                    watch = key.fd
                    selector.unregister(watch)
                    _bury(watch, born.pop(watch))
            _end_overdue(born)


def _load() -> None:
    """Import all that a job may need, by doing a small one."""
    import scipy.optimize
    import scipy.sparse.csgraph  # noqa: F401

    from corefbench.analysis.errors import error_analysis
    from corefbench.formats import formats
    from corefbench.scoring.api import score

    text = b"#begin document (a); part 000\na 0 0 Ann (1)\na 0 1 her (1)\n\n#end document\n"
    score(text, text)
    error_analysis(text, text)
    for name in formats:
        _ = formats[name]


def _bear(seconds: float, line: int) -> tuple[int, _Born]:
    process = os.fork()
    if process == 0:
        _live(line)
    return os.pidfd_open(process), _Born(
        process=process, line=line, until=time.monotonic() + seconds
    )


def _live(line: int) -> None:
    """The life of a child: what it holds of others is closed, then it does its job and ends."""
    status = 1
    try:
        os.setpgid(0, 0)
        os.dup2(line, 3)
        os.closerange(4, _MOST_FILES)
        given = b"".join(iter(lambda: os.read(3, 1 << 16), b""))
        outcome = memoryview(child.run(given))
        while outcome:
            outcome = outcome[os.write(3, outcome) :]
        status = 0
    finally:
        os._exit(status)


def _bury(watch: int, one: _Born) -> None:
    """Take the exit status of a child that is gone, and pass it on."""
    _, status = os.waitpid(one.process, 0)
    os.close(watch)
    os.set_blocking(one.line, False)
    with suppress(OSError):  # nobody may listen any more
        os.write(one.line, STATUS.pack(os.waitstatus_to_exitcode(status)))
    os.close(one.line)


def _patience(born: dict[int, _Born]) -> float | None:
    if not born:
        return None
    return max(min(one.until for one in born.values()) - time.monotonic(), 0)


def _end_overdue(born: dict[int, _Born]) -> None:
    now = time.monotonic()
    for watch, one in born.items():
        if one.until <= now:
            signal.pidfd_send_signal(watch, signal.SIGKILL)


if __name__ == "__main__":
    main()
