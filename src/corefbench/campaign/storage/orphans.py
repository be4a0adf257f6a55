"""Files that nothing names: uploads that were broken off or refused.

They are removed when they are old. A file that is arriving, or whose row is about to be written, is
young: keeping a content again makes its file young again.
"""

from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.tables import files

AGE = timedelta(days=1)


def remove_orphans(
    database: Database, store: FileStore, now: datetime, age: timedelta = AGE
) -> int:
    """Remove what is older than ``age`` and named by no row; how many files that were."""
    before = (now - age).timestamp()
    old = [path for path in store.abandoned() if _is_old(path, before)]
    with database.read() as connection:
        named = set(connection.scalars(select(files.c.sha256)))
    kept = (store.path(sha256) for sha256 in store.all() if sha256 not in named)
    old += [path for path in kept if _is_old(path, before)]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _is_old(path: Path, before: float) -> bool:
    try:
        return path.stat().st_mtime < before
    except FileNotFoundError:  # renamed or removed while we look
        return False
