"""Evaluations that were kept: every one stays, the submission names the one that counts."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from corefbench.campaign.domain.times import moment
from corefbench.campaign.storage.tables import evaluations
from corefbench.record import Record


class KeptEvaluation(Record, frozen=True):
    """A row of the table; all of the evaluation is the file with this SHA-256."""

    id: str
    submission: str
    created: datetime
    signature: str
    headline: float
    public: float
    covered: int
    documents: int
    sha256: str
    key_sha256: str | None


def evaluation(connection: Connection, id: str) -> KeptEvaluation | None:
    """An evaluation by its id."""
    row = connection.execute(select(evaluations).where(evaluations.c.id == id)).one_or_none()
    return None if row is None else _of_row(row)


def evaluations_of(connection: Connection, submission: str) -> list[KeptEvaluation]:
    """All evaluations of a submission, in the order they were made."""
    query = select(evaluations).where(evaluations.c.submission == submission)
    rows = connection.execute(query.order_by(evaluations.c.created, evaluations.c.id))
    return [_of_row(row) for row in rows]


def _of_row(row: Row[Any]) -> KeptEvaluation:
    return KeptEvaluation(**{**row._mapping, "created": moment(row.created)})
