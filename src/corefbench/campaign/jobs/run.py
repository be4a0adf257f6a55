"""Runs a job in a child process with limits, and says how it ended."""

import atexit
import os
import signal
import subprocess
import sys
import threading
import time

import msgspec

from corefbench.campaign.domain.outcome import Failed, Invalid, Outcome
from corefbench.campaign.jobs.intake import shown_name
from corefbench.campaign.jobs.job import Job, to_outcome
from corefbench.campaign.jobs.limits import CHECKING, SCORING, Limits
from corefbench.campaign.jobs.surroundings import surroundings
from corefbench.campaign.jobs.warm import Ended, Nursery
from corefbench.errors import Place
from corefbench.findings import Finding

_lock = threading.Lock()
_nursery: Nursery | None = None


def run_child(job: Job, limits: Limits | None = None) -> Outcome:
    """Do a job in a process of its own; whatever happens to it is an outcome."""
    limits = limits or (CHECKING if job.kind == "check" else SCORING)
    given = msgspec.json.encode(msgspec.structs.replace(job, limits=limits))
    begun = time.monotonic()
    nursery = warm_up()
    ended = nursery.run(given, limits) if nursery else _spawned(given, limits)
    return _outcome(ended, time.monotonic() - begun, job, limits)


def warm_up() -> Nursery | None:
    """The nursery of this process, started if need be; None where the system can have none."""
    global _nursery  # noqa: PLW0603
    if not hasattr(os, "pidfd_open"):
        return None
    with _lock:
        if _nursery is None or not _nursery.is_alive:
            cool_down()
            _nursery = Nursery()
        return _nursery


def cool_down() -> None:
    """Let the nursery end."""
    global _nursery  # noqa: PLW0603
    if _nursery is not None:
        _nursery.close()
        _nursery = None


atexit.register(cool_down)


def _spawned(given: bytes, limits: Limits) -> Ended:
    """The job in a new interpreter."""
    process = subprocess.Popen(
        [sys.executable, "-m", "corefbench.campaign.jobs.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=surroundings(),
        start_new_session=True,
    )
    with process:
        try:
            written, _ = process.communicate(given, timeout=limits.wall_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            written = b""
            process.wait()
    return Ended(written=written[: limits.answer], status=process.returncode)


def _outcome(ended: Ended, seconds: float, job: Job, limits: Limits) -> Outcome:
    if ended.status == 0:
        try:
            return to_outcome.decode(ended.written)
        except msgspec.DecodeError:
            return Failed(reason="the answer of the child process cannot be read")
    if seconds >= limits.wall_seconds:
        return Failed(reason=f"the child process took longer than {limits.wall_seconds:g} s")
    if ended.status == -signal.SIGKILL and seconds >= limits.cpu_seconds:
        return Invalid(findings=(_too_slow(job, limits),))
    return Failed(reason=f"the child process ended with {ended.status}")


def _too_slow(job: Job, limits: Limits) -> Finding:
    return Finding(
        code="CB309",
        severity="error",
        message="reading or scoring the answers takes too much",
        place=Place(source=shown_name(job.file_name)),
        found=f"more than {limits.cpu_seconds} s",
    )
