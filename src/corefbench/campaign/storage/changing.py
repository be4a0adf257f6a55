"""One step in the life of a submission: read, checked by the domain and written under a lock."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from corefbench.campaign.domain.states import State, become
from corefbench.campaign.domain.times import microseconds
from corefbench.campaign.storage.submission import Submission, of_row, one
from corefbench.campaign.storage.tables import submissions
from corefbench.errors import UsageError


def locked(connection: Connection, id: str) -> Submission:
    """The submission, which nobody else changes until the transaction ends."""
    found = one(connection, select(submissions).where(submissions.c.id == id).with_for_update())
    if found is None:
        raise UsageError(f"there is no submission {id!r}", code="CB003")
    return found


def change(
    connection: Connection, now: Submission, to: State, at: datetime, **values: Any
) -> Submission:
    """Bring a locked submission into another state; what a worker had of it is over."""
    written = {"worker": None, "lease": None, **values}
    statement = (
        update(submissions)
        .where(submissions.c.id == now.id)
        .values(state=become(now.state, to), changed=microseconds(at), **written)
        .returning(*submissions.c)
    )
    return of_row(connection.execute(statement).one())
