"""Downloads, and the submission windows they open."""

import secrets
from datetime import datetime

import msgspec
from sqlalchemy import Connection, insert, select

from corefbench.campaign.domain.config import Campaign
from corefbench.campaign.domain.submissions import Receipt, Refusal, check_phase_open, compute_window_end
from corefbench.campaign.domain.times import format_time
from corefbench.campaign.storage.database import insert_or_ignore, record_columns
from corefbench.campaign.storage.tables import downloads, windows
from corefbench.campaign.storage.users import lock_team
from corefbench.records import Record


class Download(Record, frozen=True):
    """A download of the input of a task."""

    id: str
    team: str
    person: str
    phase: str
    task: str
    sha256: str
    bytes: int
    time: datetime

    @property
    def receipt(self) -> Receipt:
        """The receipt without its seal."""
        return Receipt(
            what="download",
            number=self.id,
            team=self.team,
            phase=self.phase,
            task=self.task,
            sha256=self.sha256,
            bytes=self.bytes,
            time=format_time(self.time),
        )


class Window(Record, frozen=True):
    """The time in which a team may submit."""

    opened: datetime
    closes: datetime | None
    """None if the phase has no window."""


def record_download(
    connection: Connection,
    campaign: Campaign,
    *,
    team: str,
    person: str,
    phase: str,
    task: str,
    sha256: str,
    bytes: int,
    now: datetime,
) -> Download | Refusal:
    """Record a download, or refuse it; the first one opens the window of the team."""
    config = campaign.phase(phase)
    config.data_of(task)  # raises if there is no such task
    if lock_team(connection, team) != "approved":
        return Refusal(code="CB301", message="the team is not approved")
    refusal = check_phase_open(config, now)
    if refusal is not None:
        return refusal
    closes = compute_window_end(config, now)
    insert_or_ignore(connection, windows, team=team, phase=phase, task=task, opened=now, closes=closes)
    download = Download(
        id=secrets.token_hex(8), team=team, person=person, phase=phase, task=task, sha256=sha256, bytes=bytes, time=now
    )
    connection.execute(insert(downloads).values(msgspec.structs.asdict(download)))
    return download


def get_window(connection: Connection, team: str, phase: str, task: str) -> Window | None:
    """Return the window of a team; None before its first download."""
    query = select(*record_columns(windows, Window)).where(
        windows.c.team == team, windows.c.phase == phase, windows.c.task == task
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else Window(**row._asdict())


def get_window_end(connection: Connection, team: str, phase: str, task: str) -> datetime | None:
    """Return when the window of a team closes; None before its first download."""
    window = get_window(connection, team, phase, task)
    return None if window is None else window.closes


def get_download(connection: Connection, id: str) -> Download | None:
    """Return a download by its id."""
    row = connection.execute(select(*record_columns(downloads, Download)).where(downloads.c.id == id)).one_or_none()
    return None if row is None else Download(**row._asdict())


def list_downloads(connection: Connection, team: str | None) -> list[Download]:
    """Return the downloads of a team, or all, oldest first."""
    query = select(*record_columns(downloads, Download)).order_by(downloads.c.time, downloads.c.id)
    if team is not None:
        query = query.where(downloads.c.team == team)
    return [Download(**row._asdict()) for row in connection.execute(query)]
