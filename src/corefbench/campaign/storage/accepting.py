"""Taking a submission: the rules of the domain, in a transaction that the team's others wait for.

Two that arrive at once are looked at one after the other, so that both are counted: on SQLite
because a transaction that writes begins at once (``BEGIN IMMEDIATE``), on PostgreSQL because the
row of the team is locked.
"""

import secrets
from datetime import datetime

from sqlalchemy import Connection, insert, select

from corefbench.campaign.domain.admission import Refusal, Standing, refusal
from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.domain.states import REFUNDED
from corefbench.campaign.domain.times import microseconds, moment
from corefbench.campaign.storage.inserting import insert_unless_there
from corefbench.campaign.storage.people import TeamState, lock_team
from corefbench.campaign.storage.settings import is_frozen
from corefbench.campaign.storage.submission import Arrival, Submission, one
from corefbench.campaign.storage.tables import files, submissions, teams
from corefbench.campaign.storage.windows import window_closes


def accept(
    connection: Connection, campaign: Campaign, arrival: Arrival, now: datetime
) -> Submission | Refusal:
    """Take answers that arrived ``now``, or say why not.

    Sent again with the same number, they are the same submission, even after the deadline.
    """
    phase = campaign.phase(arrival.phase)
    phase.data_of(arrival.task)
    state = lock_team(connection, arrival.team)
    before = _sent_before(connection, arrival)
    if before is not None:
        return before if _same(before, arrival) else _other(arrival)
    standing = _standing(connection, arrival.team, arrival.phase, arrival.task, state)
    return refusal(phase, standing, now) or _taken(connection, arrival, now)


def standing(connection: Connection, team: str, phase: str, task: str) -> Standing:
    """What the rules look at, for pages that say beforehand what is left."""
    state = connection.scalars(select(teams.c.state).where(teams.c.id == team)).one_or_none()
    return _standing(connection, team, phase, task, state)


def charged(connection: Connection, team: str, phase: str, task: str) -> tuple[datetime, ...]:
    """When the submissions arrived that count against the quota."""
    query = select(submissions.c.received).where(
        submissions.c.team == team,
        submissions.c.phase == phase,
        submissions.c.task == task,
        submissions.c.state.not_in(REFUNDED),
    )
    return tuple(moment(time) for time in connection.scalars(query))


def _standing(
    connection: Connection, team: str, phase: str, task: str, state: TeamState | None
) -> Standing:
    return Standing(
        approved=state == "approved",
        window_closes=window_closes(connection, team, phase, task),
        charged=charged(connection, team, phase, task),
        frozen=is_frozen(connection),
    )


def _sent_before(connection: Connection, arrival: Arrival) -> Submission | None:
    if arrival.request is None:
        return None
    query = select(submissions).where(
        submissions.c.team == arrival.team, submissions.c.request == arrival.request
    )
    return one(connection, query)


def _same(before: Submission, arrival: Arrival) -> bool:
    return (before.phase, before.task, before.sha256) == (
        arrival.phase,
        arrival.task,
        arrival.sha256,
    )


def _other(arrival: Arrival) -> Refusal:
    return Refusal(
        code="CB318",
        message=f"other answers came with the request number {arrival.request}",
        remedy="give every submission a number of its own",
    )


def _taken(connection: Connection, arrival: Arrival, now: datetime) -> Submission:
    time = microseconds(now)
    insert_unless_there(connection, files, sha256=arrival.sha256, bytes=arrival.bytes, created=time)
    taken = Submission(
        id=secrets.token_hex(8),
        team=arrival.team,
        person=arrival.person,
        phase=arrival.phase,
        task=arrival.task,
        label=arrival.label,
        file_name=arrival.file_name,
        sha256=arrival.sha256,
        bytes=arrival.bytes,
        received=moment(time),
        request=arrival.request,
        state="queued",
        changed=moment(time),
    )
    values = {name: getattr(taken, name) for name in taken.__struct_fields__}
    connection.execute(insert(submissions).values({**values, "received": time, "changed": time}))
    return taken
