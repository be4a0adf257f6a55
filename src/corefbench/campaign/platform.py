"""A running campaign: its configuration, data, database, files and clock.

``folder`` is under version control and never written to; ``state`` holds the database (unless it is
a PostgreSQL elsewhere) and the uploaded files.
"""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import msgspec

from corefbench.campaign.domain.config import Campaign
from corefbench.campaign.storage.database import Database, make_sqlite_url
from corefbench.campaign.storage.files import FileStore

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time of the server's clock."""
    return datetime.now(UTC)


class Platform(msgspec.Struct, frozen=True, eq=False):
    """A running campaign: what pages, workers and commands work on."""

    campaign: Campaign
    folder: Path
    database: Database
    files: FileStore
    secret: bytes
    """Seals receipts; generated once, stored in the database."""
    clock: Clock = utc_now

    def path(self, inside: str) -> Path:
        """Return the path of a data file; the configuration was checked not to leave the folder."""
        return self.folder / inside

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_platform(folder: Path, *, state: Path | None = None, database: str = "", clock: Clock = utc_now) -> Platform:
    """Open the campaign of a folder; create or upgrade its database."""
    from corefbench.campaign.config_file import read_campaign
    from corefbench.campaign.storage.migrations import upgrade_database
    from corefbench.campaign.storage.settings import get_secret

    campaign = read_campaign(folder)
    state = state or folder / "state"
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    opened = Database(database or make_sqlite_url(state / "campaign.db"))
    upgrade_database(opened)
    return Platform(
        campaign=campaign,
        folder=folder,
        database=opened,
        files=FileStore(state / "files"),
        secret=get_secret(opened),
        clock=clock,
    )


def hash_key(platform: Platform, phase: str, task: str) -> str:
    """Return the SHA-256 of the key of a task; empty if it cannot be read."""
    source = platform.path(platform.campaign.phase(phase).data_of(task).key)
    try:
        return _hash_files(source, get_modification_times(source))
    except OSError:
        return ""


def is_same_key(stored: str | None, present: str) -> bool:
    """Return whether scores were made against the present key, as far as that is known.

    >>> is_same_key("ab", "cd"), is_same_key(None, "cd"), is_same_key("ab", "")
    (False, True, True)
    """
    return not stored or not present or stored == present


def get_modification_times(source: Path) -> tuple[int, ...]:
    """Return the modification times of a file or folder, to notice changes."""
    return tuple(file.stat().st_mtime_ns for file in _list_files(source))


@lru_cache(maxsize=64)
def _hash_files(source: Path, _: tuple[int, ...]) -> str:
    """Return the SHA-256 over the names and contents of files; cached by modification time."""
    digest = hashlib.sha256()
    for file in _list_files(source):
        if file.is_file():
            with file.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            name = file.relative_to(source).as_posix()
            digest.update(f"{content} {name}\n".encode())
    return digest.hexdigest()


def _list_files(source: Path) -> list[Path]:
    return sorted(source.rglob("*")) if source.is_dir() else [source]
