"""Downloads, and the submission windows they open."""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from corefbench.campaign.domain.config import Campaign
from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.domain.submissions import Refusal, check_phase_open, compute_window_end
from corefbench.campaign.domain.times import format_time, from_microseconds, to_microseconds
from corefbench.campaign.storage.database import insert_or_ignore
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
        """Return the receipt without its seal."""
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
    insert_or_ignore(
        connection,
        windows,
        team=team,
        phase=phase,
        task=task,
        opened=to_microseconds(now),
        closes=None if closes is None else to_microseconds(closes),
    )
    download = Download(
        id=secrets.token_hex(8), team=team, person=person, phase=phase, task=task, sha256=sha256, bytes=bytes, time=now
    )
    values = {name: getattr(download, name) for name in download.__struct_fields__}
    connection.execute(insert(downloads).values({**values, "time": to_microseconds(now)}))
    return download


def get_window(connection: Connection, team: str, phase: str, task: str) -> Window | None:
    """Return the window of a team; None before its first download."""
    query = select(windows.c.opened, windows.c.closes).where(
        windows.c.team == team, windows.c.phase == phase, windows.c.task == task
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Window(
        opened=from_microseconds(row.opened), closes=None if row.closes is None else from_microseconds(row.closes)
    )


def get_window_end(connection: Connection, team: str, phase: str, task: str) -> datetime | None:
    """Return when the window of a team closes; None before its first download."""
    window = get_window(connection, team, phase, task)
    return None if window is None else window.closes


def get_download(connection: Connection, id: str) -> Download | None:
    """Return a download by its id."""
    row = connection.execute(select(downloads).where(downloads.c.id == id)).one_or_none()
    return None if row is None else _download_from_row(row)


def list_downloads(connection: Connection, team: str | None) -> list[Download]:
    """Return the downloads of a team, or all, oldest first."""
    query = select(downloads).order_by(downloads.c.time, downloads.c.id)
    if team is not None:
        query = query.where(downloads.c.team == team)
    return [_download_from_row(row) for row in connection.execute(query)]


def _download_from_row(row: Row[Any]) -> Download:
    return Download(
        id=row.id,
        team=row.team,
        person=row.person,
        phase=row.phase,
        task=row.task,
        sha256=row.sha256,
        bytes=row.bytes,
        time=from_microseconds(row.time),
    )
