"""A campaign that runs: its definition, where its data is, what is kept of it, and the clock.

``folder`` is under version control and never written to; ``state`` holds the database (unless it is
a PostgreSQL elsewhere) and the files that were uploaded.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.storage.database import Database, sqlite_url
from corefbench.campaign.storage.files import FileStore

Clock = Callable[[], datetime]


def now() -> datetime:
    """The clock of the server."""
    return datetime.now(UTC)


class Platform(msgspec.Struct, frozen=True, eq=False):
    """What pages, workers and commands work on."""

    campaign: Campaign
    folder: Path
    database: Database
    files: FileStore
    secret: bytes
    """Seals receipts; made once, kept in the database."""
    clock: Clock = now

    def path(self, inside: str) -> Path:
        """A file of the campaign's folder; the definition was checked not to leave it."""
        return self.folder / inside

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


def open_platform(
    folder: Path, *, state: Path | None = None, database: str = "", clock: Clock = now
) -> Platform:
    """Open the campaign of a folder; the database is made, or brought up to date."""
    from corefbench.campaign.folder import read_campaign
    from corefbench.campaign.storage.migrate import migrate
    from corefbench.campaign.storage.settings import secret_of

    campaign = read_campaign(folder)
    kept = state or folder / "state"
    kept.mkdir(parents=True, exist_ok=True, mode=0o700)
    opened = Database(database or sqlite_url(kept / "campaign.db"))
    migrate(opened)
    return Platform(
        campaign=campaign,
        folder=folder,
        database=opened,
        files=FileStore(kept / "files"),
        secret=secret_of(opened),
        clock=clock,
    )
