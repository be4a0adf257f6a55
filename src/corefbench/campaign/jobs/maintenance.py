"""Periodic removal of expired sessions, old rate-limit entries and orphaned files."""

import logging
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

from sqlalchemy import select

from corefbench.campaign.platform import Platform, utc_now
from corefbench.campaign.storage.credentials import delete_expired_sessions
from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.rate_limit import delete_expired_attempts
from corefbench.campaign.storage.tables import files

ORPHAN_AGE = timedelta(days=1)
_HOUR = 3600.0
_log = logging.getLogger("corefbench.campaign.jobs.maintenance")


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


def remove_orphaned_files(database: Database, store: FileStore, now: datetime, age: timedelta = ORPHAN_AGE) -> int:
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
