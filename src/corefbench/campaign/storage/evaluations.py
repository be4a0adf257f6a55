"""Stored evaluations, and the rows of a leaderboard.

Every evaluation stays; the submission names the one that counts. Names of teams are chosen in the
query: where they are hidden, no other team's name leaves the database, so that no page and no
export can show it.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, case, literal, or_, select

from corefbench.campaign.domain.submissions import RANKED_STATES, SubmissionState
from corefbench.campaign.domain.times import from_microseconds
from corefbench.campaign.storage.tables import evaluations, pseudonyms, submissions, teams
from corefbench.records import Record


class StoredEvaluation(Record, frozen=True):
    """A row of the table; the whole evaluation is the file with this SHA-256."""

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


class BoardRow(Record, frozen=True):
    """A scored submission, of a team by name or pseudonym."""

    submission: str
    team: str
    """Its name if that may be seen, else its pseudonym in this phase; both are unique."""
    own: bool
    headline: float
    public: float
    received: datetime
    evaluation: str
    """SHA-256 of the evaluation in the file store."""
    key_sha256: str | None
    """SHA-256 of the key it was scored against, if known."""
    state: SubmissionState

    @property
    def being_rescored(self) -> bool:
        """Whether another evaluation is being made."""
        return self.state != "scored"


def get_evaluation(connection: Connection, id: str) -> StoredEvaluation | None:
    """Return an evaluation by its id."""
    row = connection.execute(select(evaluations).where(evaluations.c.id == id)).one_or_none()
    return None if row is None else _evaluation_from_row(row)


def list_evaluations(connection: Connection, submission: str) -> list[StoredEvaluation]:
    """Return all evaluations of a submission, oldest first."""
    query = select(evaluations).where(evaluations.c.submission == submission)
    rows = connection.execute(query.order_by(evaluations.c.created, evaluations.c.id))
    return [_evaluation_from_row(row) for row in rows]


def _evaluation_from_row(row: Row[Any]) -> StoredEvaluation:
    values = {column.key: row._mapping[column] for column in evaluations.c}
    return StoredEvaluation(**{**values, "created": from_microseconds(row.created)})


def list_board_rows(connection: Connection, phase: str, task: str, *, names: bool, own: str | None) -> list[BoardRow]:
    """Return scored submissions that are neither withdrawn nor disqualified, in order of arrival.

    ``names`` shows the names of all teams, otherwise only that of the team ``own``. While a
    submission is rescored, its earlier evaluation stays.
    """
    is_own = teams.c.id == (own or "")
    shown_name = case((or_(literal(names), is_own), teams.c.name), else_=pseudonyms.c.name)
    query = (
        select(
            submissions.c.id,
            shown_name.label("shown_name"),
            is_own.label("is_own"),
            evaluations.c.headline,
            evaluations.c.public,
            submissions.c.received,
            evaluations.c.sha256,
            evaluations.c.key_sha256,
            submissions.c.state,
        )
        .join(teams, teams.c.id == submissions.c.team)
        .join(pseudonyms, and_(pseudonyms.c.team == submissions.c.team, pseudonyms.c.phase == phase))
        .join(evaluations, evaluations.c.id == submissions.c.evaluation)
        .where(submissions.c.phase == phase, submissions.c.task == task, submissions.c.state.in_(RANKED_STATES))
        .order_by(submissions.c.received, submissions.c.id)
    )
    return [
        BoardRow(
            submission=row.id,
            team=row.shown_name,
            own=bool(row.is_own),
            headline=row.headline,
            public=row.public,
            received=from_microseconds(row.received),
            evaluation=row.sha256,
            key_sha256=row.key_sha256,
            state=row.state,
        )
        for row in connection.execute(query)
    ]
