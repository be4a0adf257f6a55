"""A worker: takes submissions from the queue one after another and has them scored.

While a child process scores, the lease is kept up by heartbeats. A worker that dies is not heard of
again, and its submission goes back to the queue; one that is told to stop gives it back itself.
Several may work at once, in one process or on many machines.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread

import msgspec

from corefbench.campaign.domain.outcome import Failed, Invalid, Outcome, Scored
from corefbench.campaign.fingerprints import key_sha256
from corefbench.campaign.jobs.job import Job
from corefbench.campaign.jobs.run import run_child
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.leases import claim, finish, heartbeat, release, requeue_lost
from corefbench.campaign.storage.submission import Submission
from corefbench.campaign.storage.waiting import is_anything_waiting

LEASE = timedelta(seconds=60)
_BEATS = 4
"""Heartbeats a lease."""
_GRACE = 5.0
"""Seconds that a job may still take when the worker is told to stop."""
_log = logging.getLogger("corefbench.campaign.worker")


def work(
    platform: Platform,
    *,
    stop: Event,
    name: str,
    poll: float = 1.0,
    lease: timedelta = LEASE,
) -> None:
    """Score what is in the queue until told to stop."""
    _log.info("worker begins", extra={"worker": name})
    while not stop.is_set():
        try:
            busy = work_once(platform, stop=stop, name=name, lease=lease) is not None
        except Exception:  # a database that is away for a while must not end the worker
            _log.exception("worker could not go on", extra={"worker": name})
            busy = False
        if not busy:
            stop.wait(poll)
    _log.info("worker ends", extra={"worker": name})


def work_once(
    platform: Platform, *, stop: Event, name: str, lease: timedelta = LEASE
) -> Submission | None:
    """Score the next submission of the queue; None where there is none, or it was not done."""
    submission = _next(platform, name, lease)
    if submission is None:
        return None
    about = {"worker": name, "submission": submission.id, "attempt": submission.attempts}
    _log.info("scoring begins", extra=about)
    # Before it is read: a key that changes meanwhile makes the scores outdated, never current.
    key = key_sha256(platform, submission.phase, submission.task)
    with _beating(platform, submission, name, lease):
        outcome = _scored(platform, submission, stop)
    if outcome is None:
        with platform.database.write() as connection:
            release(connection, submission.id, name, platform.clock())
        _log.info("scoring is given back", extra=about)
        return None
    done = _finish(platform, submission, name, outcome, key)
    state = done.state if done is not None else "lost"
    reason = {"reason": outcome.reason} if isinstance(outcome, Failed) else {}
    _log.log(
        logging.WARNING if reason or done is None else logging.INFO,
        "scoring ends",
        extra={**about, "state": state, **reason},
    )
    return None if reason else done


def job_of(platform: Platform, submission: Submission) -> Job:
    """What is asked of the child process."""
    phase = platform.campaign.phase(submission.phase)
    return Job(
        kind="score",
        path=str(platform.files.path(submission.sha256).absolute()),
        file_name=submission.file_name,
        task=platform.campaign.task(submission.task),
        data=phase.data_of(submission.task),
        folder=str(platform.folder.absolute()),
        public=phase.public,
        blind=phase.blind,
    )


def _next(platform: Platform, name: str, lease: timedelta) -> Submission | None:
    """Look before writing: an idle worker must not keep others from the database."""
    now = platform.clock()
    with platform.database.read() as connection:
        if not is_anything_waiting(connection, now):
            return None
    with platform.database.write() as connection:
        for lost in requeue_lost(connection, now):
            _log.warning("lease was lost", extra={"submission": lost.id, "state": lost.state})
        return claim(connection, name, now, lease)


def _scored(platform: Platform, submission: Submission, stop: Event) -> Outcome | None:
    """The outcome; None where the worker has to stop before there is one."""
    found: list[Outcome] = []
    done = Event()

    def score() -> None:
        try:
            found.append(run_child(job_of(platform, submission)))
        except Exception as error:
            _log.exception("scoring failed", extra={"submission": submission.id})
            found.append(Failed(reason=type(error).__name__))
        finally:
            done.set()

    Thread(target=score, name=f"scoring-{submission.id}", daemon=True).start()
    while not done.wait(0.2):
        if stop.is_set() and not done.wait(_GRACE):
            return None
    return found[0]


def _finish(
    platform: Platform, submission: Submission, name: str, outcome: Outcome, key: str
) -> Submission | None:
    kept = None
    if isinstance(outcome, Scored):
        kept = platform.files.put(msgspec.json.encode(outcome.evaluation))
    elif not isinstance(outcome, Invalid | Failed):
        outcome = Failed(reason="the child process did something else")
    with platform.database.write() as connection:
        now = platform.clock()
        return finish(connection, submission.id, name, outcome, now, kept=kept, key=key)


@contextmanager
def _beating(
    platform: Platform, submission: Submission, name: str, lease: timedelta
) -> Iterator[None]:
    """Keep the lease up."""
    over = Event()

    def beat() -> None:
        while not over.wait(lease.total_seconds() / _BEATS):
            try:
                with platform.database.write() as connection:
                    if not heartbeat(connection, submission.id, name, platform.clock(), lease):
                        return
            except Exception:
                _log.exception("heartbeat failed", extra={"submission": submission.id})

    thread = Thread(target=beat, name=f"heartbeat-{submission.id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
