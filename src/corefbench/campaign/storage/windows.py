"""Downloads, and the windows that the first of them opens."""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from corefbench.campaign.domain import admission
from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.domain.times import microseconds, moment, written
from corefbench.campaign.storage.inserting import insert_unless_there
from corefbench.campaign.storage.people import lock_team
from corefbench.campaign.storage.tables import downloads, windows
from corefbench.record import Record


class Download(Record, frozen=True):
    """Data that was handed out."""

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
        """What the receipt says, without its seal."""
        return Receipt(
            what="download",
            number=self.id,
            team=self.team,
            phase=self.phase,
            task=self.task,
            sha256=self.sha256,
            bytes=self.bytes,
            time=written(self.time),
        )


class Window(Record, frozen=True):
    """The time that a team has."""

    opened: datetime
    closes: datetime | None
    """None where the phase sets no bound."""


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
    """Note that data is handed out; the first time opens the window of the team."""
    described = campaign.phase(phase)
    described.data_of(task)
    if lock_team(connection, team) != "approved":
        return Refusal(code="CB301", message="the team is not approved")
    refused = admission.out_of_time(described, now)
    if refused is not None:
        return refused
    closes = admission.window_closes(described, now)
    insert_unless_there(
        connection,
        windows,
        team=team,
        phase=phase,
        task=task,
        opened=microseconds(now),
        closes=None if closes is None else microseconds(closes),
    )
    download = Download(
        id=secrets.token_hex(8),
        team=team,
        person=person,
        phase=phase,
        task=task,
        sha256=sha256,
        bytes=bytes,
        time=now,
    )
    connection.execute(
        insert(downloads).values(
            id=download.id,
            team=team,
            person=person,
            phase=phase,
            task=task,
            sha256=sha256,
            bytes=bytes,
            time=microseconds(now),
        )
    )
    return download


def window(connection: Connection, team: str, phase: str, task: str) -> Window | None:
    """The window of a team; None before its first download."""
    query = select(windows.c.opened, windows.c.closes).where(
        windows.c.team == team, windows.c.phase == phase, windows.c.task == task
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Window(
        opened=moment(row.opened), closes=None if row.closes is None else moment(row.closes)
    )


def window_closes(connection: Connection, team: str, phase: str, task: str) -> datetime | None:
    """When the window of a team closes; None before its first download."""
    opened = window(connection, team, phase, task)
    return None if opened is None else opened.closes


def download(connection: Connection, id: str) -> Download | None:
    """A download by its number."""
    row = connection.execute(select(downloads).where(downloads.c.id == id)).one_or_none()
    return None if row is None else _download(row)


def downloads_of(connection: Connection, team: str | None) -> list[Download]:
    """The downloads of a team, or all, in their order."""
    query = select(downloads).order_by(downloads.c.time, downloads.c.id)
    if team is not None:
        query = query.where(downloads.c.team == team)
    return [_download(row) for row in connection.execute(query)]


def _download(row: Row[Any]) -> Download:
    return Download(
        id=row.id,
        team=row.team,
        person=row.person,
        phase=row.phase,
        task=row.task,
        sha256=row.sha256,
        bytes=row.bytes,
        time=moment(row.time),
    )
