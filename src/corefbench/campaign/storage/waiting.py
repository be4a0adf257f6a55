"""Whether there is anything for a worker to do, asked without writing."""

from datetime import datetime

from sqlalchemy import Connection, and_, or_, select

from corefbench.campaign.domain.times import microseconds
from corefbench.campaign.storage.tables import submissions


def is_anything_waiting(connection: Connection, now: datetime) -> bool:
    """Whether a submission is in the queue, or its worker was not heard of in time."""
    lost = and_(submissions.c.state == "scoring", submissions.c.lease <= microseconds(now))
    query = select(submissions.c.id).where(or_(submissions.c.state == "queued", lost)).limit(1)
    return connection.execute(query).first() is not None
