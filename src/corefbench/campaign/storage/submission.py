"""A submission: answers that arrived, and the row that is kept of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select

from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.domain.states import State
from corefbench.campaign.domain.times import moment, written
from corefbench.record import Record


class Arrival(Record, frozen=True):
    """Answers whose last byte has arrived and which are in the store of files."""

    team: str
    person: str
    phase: str
    task: str
    file_name: str
    sha256: str
    bytes: int
    label: str = ""
    request: str | None = None
    """The client's own number: sent twice, taken once."""


class Submission(Record, frozen=True):
    """A row of the table."""

    id: str
    team: str
    person: str
    phase: str
    task: str
    label: str
    file_name: str
    sha256: str
    bytes: int
    received: datetime
    request: str | None
    state: State
    changed: datetime
    message: str = ""
    worker: str | None = None
    lease: datetime | None = None
    attempts: int = 0
    evaluation: str | None = None

    @property
    def receipt(self) -> Receipt:
        """What the receipt says, without its seal."""
        return Receipt(
            what="submission",
            number=self.id,
            team=self.team,
            phase=self.phase,
            task=self.task,
            sha256=self.sha256,
            bytes=self.bytes,
            time=written(self.received),
        )


def one(connection: Connection, query: Select[Any]) -> Submission | None:
    """The submission that a query finds, if it finds one."""
    row = connection.execute(query).one_or_none()
    return None if row is None else of_row(row)


def of_row(row: Row[Any]) -> Submission:
    """The record of a row."""
    values = dict(row._mapping)
    for time in ("received", "changed", "lease"):
        values[time] = None if values[time] is None else moment(values[time])
    return Submission(**values)
