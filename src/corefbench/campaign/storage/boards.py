"""What a board is made from: the scored submissions of a task in a phase.

Names are chosen here, in the query: where they are hidden, the name of no team but one's own leaves
the database, so that no page and no export can show it.
"""

from datetime import datetime

from sqlalchemy import Connection, and_, case, literal, or_, select

from corefbench.campaign.domain.states import SHOWN, State
from corefbench.campaign.domain.times import moment
from corefbench.campaign.storage.tables import evaluations, pseudonyms, submissions, teams
from corefbench.record import Record


class BoardRow(Record, frozen=True):
    """A scored submission, of a team by name or pseudonym."""

    submission: str
    team: str
    """Its name where that may be seen, else its pseudonym in this phase; no two have the same."""
    own: bool
    headline: float
    public: float
    covered: int
    documents: int
    received: datetime
    signature: str
    evaluation: str
    """The SHA-256 of the evaluation in the store of files."""
    key_sha256: str | None
    """Of the key that it was held against, where that is known."""
    state: State

    @property
    def shown(self) -> str:
        """What the team is called."""
        return self.team

    @property
    def being_rescored(self) -> bool:
        """Whether another evaluation is being made."""
        return self.state != "scored"


def board_rows(
    connection: Connection, phase: str, task: str, *, names: bool, own: str | None
) -> list[BoardRow]:
    """All submissions with scores that were neither withdrawn nor disqualified, as they arrived.

    While one is rescored, the evaluation that it has had stays.
    """
    is_own = teams.c.id == (own or "")
    shown = case((or_(literal(names), is_own), teams.c.name), else_=pseudonyms.c.name)
    query = (
        select(
            submissions.c.id.label("submission"),
            shown.label("team"),
            is_own.label("own"),
            evaluations.c.headline,
            evaluations.c.public,
            evaluations.c.covered,
            evaluations.c.documents,
            submissions.c.received,
            evaluations.c.signature,
            evaluations.c.sha256.label("evaluation"),
            evaluations.c.key_sha256,
            submissions.c.state,
        )
        .join(teams, teams.c.id == submissions.c.team)
        .join(
            pseudonyms,
            and_(pseudonyms.c.team == submissions.c.team, pseudonyms.c.phase == phase),
        )
        .join(evaluations, evaluations.c.id == submissions.c.evaluation)
        .where(
            submissions.c.phase == phase,
            submissions.c.task == task,
            submissions.c.state.in_(SHOWN),
        )
        .order_by(submissions.c.received, submissions.c.id)
    )
    return [
        BoardRow(**{**row._mapping, "own": bool(row.own), "received": moment(row.received)})
        for row in connection.execute(query)
    ]
