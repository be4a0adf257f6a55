"""Background threads: workers that score what is in the queue, and hourly maintenance.

Heartbeats extend the lease while a child process scores. If a worker dies, its lease expires and
the submission returns to the queue; a worker that is stopped returns it itself. Several workers may
run at once, in one process or on many machines.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from os import getpid
from pathlib import Path
from socket import gethostname
from threading import Event, Thread

import msgspec
from sqlalchemy import select

from corefbench.campaign.domain.evaluation import Failed, Invalid, Outcome, Scored
from corefbench.campaign.jobs.scoring import Job, run_job
from corefbench.campaign.platform import Platform, hash_key, utc_now
from corefbench.campaign.storage.credentials import delete_expired_attempts, delete_expired_sessions
from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.queue import (
    claim_next,
    extend_lease,
    has_work,
    record_outcome,
    release_lease,
    requeue_expired,
)
from corefbench.campaign.storage.submissions import Submission
from corefbench.campaign.storage.tables import files

LEASE_DURATION = timedelta(seconds=60)
_BEATS_PER_LEASE = 4
_GRACE = 5.0
"""Seconds that a job may still take when the worker is stopped."""
_SHUTDOWN_SECONDS = 30.0
"""Time for a worker to release what it has begun."""
_HOUR = 3600.0
_ORPHAN_AGE = timedelta(days=1)
_log = logging.getLogger("corefbench.campaign.jobs.worker")


def start_background(platform: Platform, workers: int) -> Callable[[], None]:
    """Start worker and maintenance threads; return a function that tells them to stop, and waits for them."""
    stop = Event()
    server = f"{gethostname()[:40]}-{getpid()}"  # several machines may share one database
    threads = [Thread(target=run_maintenance, args=(platform,), kwargs={"stop": stop}, daemon=True)]
    for number in range(workers):
        options = {"stop": stop, "name": f"{server}-{number}"}
        threads.append(Thread(target=run_worker, args=(platform,), kwargs=options, daemon=True))
    for thread in threads:
        thread.start()

    def stop_threads() -> None:
        stop.set()
        for thread in threads:
            thread.join(_SHUTDOWN_SECONDS)
            if thread.is_alive():
                _log.warning("worker did not stop in time", extra={"worker": thread.name})

    return stop_threads


def run_worker(
    platform: Platform, *, stop: Event, name: str, poll: float = 1.0, lease: timedelta = LEASE_DURATION
) -> None:
    """Score what is in the queue until stopped."""
    _log.info("worker started", extra={"worker": name})
    while not stop.is_set():
        try:
            busy = score_next(platform, stop=stop, name=name, lease=lease) is not None
        except Exception:  # a database that is away for a while must not end the worker
            _log.exception("worker failed", extra={"worker": name})
            busy = False
        if not busy:
            stop.wait(poll)
    _log.info("worker stopped", extra={"worker": name})


def score_next(platform: Platform, *, stop: Event, name: str, lease: timedelta = LEASE_DURATION) -> Submission | None:
    """Score the next submission in the queue; return None if there is none, or it failed."""
    submission = _claim(platform, name, lease)
    if submission is None:
        return None
    context = {"worker": name, "submission": submission.id, "attempt": submission.attempts}
    _log.info("scoring started", extra=context)
    # Hashed before it is read: a key that changes meanwhile makes the scores outdated.
    key = hash_key(platform, submission.phase, submission.task)
    with _heartbeat(platform, submission, name, lease):
        outcome = _score_in_thread(platform, submission, stop)
    if outcome is None:
        with platform.database.write() as connection:
            release_lease(connection, submission.id, name, platform.clock())
        _log.info("submission released", extra=context)
        return None
    scored = _store_outcome(platform, submission, name, outcome, key)
    state = scored.state if scored is not None else "lost"
    reason = {"reason": outcome.reason} if isinstance(outcome, Failed) else {}
    _log.log(
        logging.WARNING if reason or scored is None else logging.INFO,
        "scoring finished",
        extra={**context, "state": state, **reason},
    )
    return None if reason else scored


def make_job(platform: Platform, submission: Submission) -> Job:
    """Return the scoring job of a submission."""
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


def _claim(platform: Platform, name: str, lease: timedelta) -> Submission | None:
    """Claim the next submission; read first, so that an idle worker takes no write lock."""
    now = platform.clock()
    with platform.database.read() as connection:
        if not has_work(connection, now):
            return None
    with platform.database.write() as connection:
        for expired in requeue_expired(connection, now):
            extra = {"submission": expired.id, "state": expired.state}
            _log.warning("lease expired", extra=extra)
        return claim_next(connection, name, now, lease)


def _score_in_thread(platform: Platform, submission: Submission, stop: Event) -> Outcome | None:
    """Return the outcome; None if the worker has to stop before there is one."""
    outcomes: list[Outcome] = []
    done = Event()

    def score() -> None:
        try:
            outcomes.append(run_job(make_job(platform, submission)))
        except Exception as error:
            _log.exception("scoring failed", extra={"submission": submission.id})
            outcomes.append(Failed(reason=type(error).__name__))
        finally:
            done.set()

    # A thread of its own: scoring waits for a child process and could not notice ``stop``.
    Thread(target=score, name=f"scoring-{submission.id}", daemon=True).start()
    while not done.wait(0.2):
        if stop.is_set() and not done.wait(_GRACE):
            return None
    return outcomes[0]


def _store_outcome(
    platform: Platform, submission: Submission, name: str, outcome: Outcome, key: str
) -> Submission | None:
    kept = None
    if isinstance(outcome, Scored):
        kept = platform.files.put(msgspec.json.encode(outcome.evaluation))
    elif not isinstance(outcome, Invalid | Failed):
        outcome = Failed(reason="unexpected outcome of the child process")
    with platform.database.write() as connection:
        now = platform.clock()
        return record_outcome(connection, submission.id, name, outcome, now, kept=kept, key=key)


@contextmanager
def _heartbeat(platform: Platform, submission: Submission, name: str, lease: timedelta) -> Iterator[None]:
    """Extend the lease while the block runs."""
    finished = Event()

    def beat() -> None:
        while not finished.wait(lease.total_seconds() / _BEATS_PER_LEASE):
            try:
                with platform.database.write() as connection:
                    if not extend_lease(connection, submission.id, name, platform.clock(), lease):
                        return
            except Exception:
                _log.exception("heartbeat failed", extra={"submission": submission.id})

    thread = Thread(target=beat, name=f"heartbeat-{submission.id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def run_maintenance(platform: Platform, *, stop: Event, every: float = _HOUR) -> None:
    """Clean up every so many seconds until told to stop."""
    while not stop.wait(every):
        try:
            maintain_once(platform)
        except Exception:  # a database that is away for a while must not end it
            _log.exception("maintenance failed")


def maintain_once(platform: Platform) -> None:
    """Clean up once."""
    with platform.database.write() as connection:
        sessions = delete_expired_sessions(connection, platform.clock())
        attempts = delete_expired_attempts(connection, platform.clock())
    # The age of files is measured by the clock of the disk, whatever the campaign's clock says.
    removed = remove_orphaned_files(platform.database, platform.files, utc_now())
    _log.info("maintenance", extra={"sessions": sessions, "attempts": attempts, "files": removed})


def remove_orphaned_files(database: Database, store: FileStore, now: datetime, age: timedelta = _ORPHAN_AGE) -> int:
    """Remove files that no row names, such as refused uploads; return how many.

    Only files older than ``age`` are removed: a young one may still be arriving, or its row is
    about to be written. Storing the same content again makes its file young again.
    """
    oldest = (now - age).timestamp()
    orphans = [path for path in store.list_incoming() if _is_older(path, oldest)]
    with database.read() as connection:
        named = set(connection.scalars(select(files.c.sha256)))
    unnamed = (store.path(sha256) for sha256 in store.all() if sha256 not in named)
    orphans += [path for path in unnamed if _is_older(path, oldest)]
    for path in orphans:
        path.unlink(missing_ok=True)
    return len(orphans)


def _is_older(path: Path, time: float) -> bool:
    try:
        return path.stat().st_mtime < time
    except FileNotFoundError:  # renamed or removed since it was listed
        return False
