"""Stored evaluations, and the rows of a leaderboard.

Every evaluation stays; the submission names the one that counts. Names of teams are chosen in the
query: where they are hidden, no other team's name leaves the database, so that no page and no
export can show it.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, and_, case, literal, or_, select

from corefbench.campaign.domain.submissions import RANKED_STATES, SubmissionState
from corefbench.campaign.storage.database import column_in, record_columns
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
        """Whether new scores are being computed."""
        return self.state != "scored"


def get_evaluations(connection: Connection, ids: Iterable[str]) -> dict[str, StoredEvaluation]:
    """Return evaluations by id."""
    query = select(*record_columns(evaluations, StoredEvaluation)).where(column_in(connection, evaluations.c.id, ids))
    return {row.id: StoredEvaluation(**row._asdict()) for row in connection.execute(query)}


def get_current_evaluations(connection: Connection) -> dict[tuple[str, str], list[StoredEvaluation]]:
    """Return the evaluations of all scored submissions that are not being rescored, by phase and task."""
    query = (
        select(submissions.c.phase, submissions.c.task, *record_columns(evaluations, StoredEvaluation))
        .join(evaluations, evaluations.c.id == submissions.c.evaluation)
        .where(submissions.c.state == "scored")
    )
    by_task: defaultdict[tuple[str, str], list[StoredEvaluation]] = defaultdict(list)
    for row in connection.execute(query):
        values = row._asdict()
        by_task[values.pop("phase"), values.pop("task")].append(StoredEvaluation(**values))
    return by_task


def list_board_rows(connection: Connection, phase: str, task: str, *, names: bool, own: str | None) -> list[BoardRow]:
    """Return scored submissions that are neither withdrawn nor disqualified, in order of arrival.

    ``names`` shows the names of all teams, otherwise only that of the team ``own``. While a
    submission is rescored, its earlier evaluation stays.
    """
    is_own = teams.c.id == (own or "")
    shown_name = case((or_(literal(names), is_own), teams.c.name), else_=pseudonyms.c.name)
    query = (
        select(
            submissions.c.id.label("submission"),
            shown_name.label("team"),
            is_own.label("own"),
            evaluations.c.headline.label("headline"),
            evaluations.c.public.label("public"),
            submissions.c.received.label("received"),
            evaluations.c.sha256.label("evaluation"),
            evaluations.c.key_sha256,
            submissions.c.state,
        )
        .join(teams, teams.c.id == submissions.c.team)
        .join(pseudonyms, and_(pseudonyms.c.team == submissions.c.team, pseudonyms.c.phase == phase))
        .join(evaluations, evaluations.c.id == submissions.c.evaluation)
        .where(submissions.c.phase == phase, submissions.c.task == task, submissions.c.state.in_(RANKED_STATES))
        .order_by(submissions.c.received, submissions.c.id)
    )
    return [BoardRow(**row._asdict()) for row in connection.execute(query)]
