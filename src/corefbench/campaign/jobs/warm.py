"""The nursery as others see it: a job goes in, what the child wrote and how it ended comes out."""

import os
import socket
import subprocess
import sys
import threading
import time

from corefbench.campaign.jobs.limits import Limits
from corefbench.campaign.jobs.nursery import READY, SECONDS, STATUS
from corefbench.campaign.jobs.surroundings import surroundings
from corefbench.record import Record

GRACE = 10.0
"""Seconds that a child has to go away after its time."""
_STEP = 1 << 16


class Ended(Record, frozen=True):
    """What is left of a child."""

    written: bytes
    status: int | None
    """Its exit status, negative for a signal; None where nobody knows."""


class Nursery:
    """A process that children are forked from; several threads may ask for some."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._control = ours
        self.owner = os.getpid()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "corefbench.campaign.jobs.nursery", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=surroundings(),
                start_new_session=True,
            )
        self._ready = False

    @property
    def is_alive(self) -> bool:
        """Whether children can be had of it."""
        return self.owner == os.getpid() and self._process.poll() is None

    def run(self, given: bytes, limits: Limits) -> Ended:
        """Have a child do a job."""
        ours, theirs = socket.socketpair()
        with ours:
            try:
                with theirs:
                    self._ask(limits.wall_seconds, theirs)
                ours.sendall(given)
                ours.shutdown(socket.SHUT_WR)
                return _listen(ours, limits)
            except OSError:
                return Ended(written=b"", status=None)

    def _ask(self, seconds: float, line: socket.socket) -> None:
        with self._lock:
            if not self._ready:
                self._ready = self._control.recv(len(READY)) == READY
            socket.send_fds(self._control, [SECONDS.pack(seconds)], [line.fileno()])

    def close(self) -> None:
        """Let it end, with all its children."""
        self._control.close()
        if self.owner == os.getpid():
            self._process.wait()


def _listen(line: socket.socket, limits: Limits) -> Ended:
    """What the child writes, until the nursery closes its line."""
    until = time.monotonic() + limits.wall_seconds + GRACE
    written = bytearray()
    while len(written) <= limits.answer:
        line.settimeout(max(until - time.monotonic(), 0.001))
        piece = line.recv(_STEP)
        if not piece:
            break
        written += piece
    if len(written) < STATUS.size or len(written) > limits.answer:
        return Ended(written=b"", status=None)
    (status,) = STATUS.unpack_from(written, len(written) - STATUS.size)
    return Ended(written=bytes(written[: -STATUS.size]), status=status)
