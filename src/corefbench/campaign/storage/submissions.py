"""Submissions: taking them, finding them, and what people do with them."""

from sqlalchemy import Connection, func, select, tuple_

from corefbench.campaign.domain.states import State
from corefbench.campaign.storage.accepting import accept, accept_all
from corefbench.campaign.storage.deeds import disqualify, requeue, withdraw
from corefbench.campaign.storage.standing import standing
from corefbench.campaign.storage.submission import Arrival, Submission, of_row, one
from corefbench.campaign.storage.tables import submissions

__all__ = [
    "Arrival",
    "Submission",
    "accept",
    "accept_all",
    "counts",
    "disqualify",
    "queue_places",
    "queue_position",
    "requeue",
    "standing",
    "submission",
    "submissions_of",
    "withdraw",
]


def submission(connection: Connection, id: str) -> Submission | None:
    """A submission by its id."""
    return one(connection, select(submissions).where(submissions.c.id == id))


def submissions_of(
    connection: Connection,
    team: str | None,
    phase: str | None = None,
    task: str | None = None,
    state: State | None = None,
) -> list[Submission]:
    """The submissions of a team, or of all, in the order they arrived."""
    query = select(submissions).order_by(submissions.c.received, submissions.c.id)
    for column, value in (
        (submissions.c.team, team),
        (submissions.c.phase, phase),
        (submissions.c.task, task),
        (submissions.c.state, state),
    ):
        if value is not None:
            query = query.where(column == value)
    return [of_row(row) for row in connection.execute(query)]


def counts(connection: Connection) -> dict[State, int]:
    """How many submissions are in each state."""
    query = select(submissions.c.state, func.count()).group_by(submissions.c.state)
    return {row[0]: row[1] for row in connection.execute(query)}


def queue_position(connection: Connection, id: str) -> int | None:
    """The place in the queue, from 1; None for what does not wait."""
    mine = submission(connection, id)
    if mine is None or mine.state != "queued":
        return None
    place = tuple_(submissions.c.received, submissions.c.id)
    own = select(submissions.c.received, submissions.c.id).where(submissions.c.id == id)
    ahead = select(func.count()).where(
        submissions.c.state == "queued", place <= own.scalar_subquery()
    )
    return connection.scalars(ahead).one()


def queue_places(connection: Connection) -> dict[str, int]:
    """The places of all that wait, from 1."""
    query = select(submissions.c.id).where(submissions.c.state == "queued")
    ids = connection.scalars(query.order_by(submissions.c.received, submissions.c.id))
    return {number: place for place, number in enumerate(ids, start=1)}
