"""Taking submissions: the rules of the domain, in a transaction that the team's others wait for.

Those that wait together are taken in one transaction, each decided after those before it; what
arrives elsewhere at the same time is looked at before or after, so that all are counted: on SQLite
because a transaction that writes begins at once (``BEGIN IMMEDIATE``), on PostgreSQL because the
rows of the teams are locked, in one order for all.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from corefbench.campaign.domain.admission import Refusal, Standing, refusal
from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.domain.times import microseconds, moment
from corefbench.campaign.storage.among import among
from corefbench.campaign.storage.inserting import insert_all_unless_there
from corefbench.campaign.storage.people import lock_teams
from corefbench.campaign.storage.pseudonyms import give_pseudonyms
from corefbench.campaign.storage.settings import is_frozen
from corefbench.campaign.storage.standing import Place, charges, closing
from corefbench.campaign.storage.submission import Arrival, Submission, of_row
from corefbench.campaign.storage.tables import files, submissions


def accept(
    connection: Connection, campaign: Campaign, arrival: Arrival, now: datetime
) -> Submission | Refusal:
    """Take answers that arrived ``now``, or say why not.

    Sent again with the same number, they are the same submission, even after the deadline.
    """
    return accept_all(connection, campaign, [(arrival, now)])[0]


def accept_all(
    connection: Connection, campaign: Campaign, arrivals: Sequence[tuple[Arrival, datetime]]
) -> list[Submission | Refusal]:
    """The same for many, with the times when they arrived: what is said of each, in their order."""
    desk = _Desk(connection, campaign, [arrival for arrival, _ in arrivals])
    decided = [desk.decide(arrival, now) for arrival, now in arrivals]
    insert_all_unless_there(connection, files, sorted(map(_file, desk.taken), key=_key))
    if desk.taken:
        give_pseudonyms(connection, ((one.team, one.phase) for one in desk.taken))
        connection.execute(insert(submissions), list(map(_row, desk.taken)))
    return decided


class _Desk:
    """What is known of those who send; what is taken is known to those after it."""

    def __init__(
        self, connection: Connection, campaign: Campaign, arrivals: Sequence[Arrival]
    ) -> None:
        places = {_place(arrival) for arrival in arrivals}
        for _, phase, task in places:
            campaign.phase(phase).data_of(task)
        self._campaign = campaign
        self._states = lock_teams(connection, {team for team, _, _ in places})
        self._sent = _sent_before(connection, arrivals)
        self._charges = charges(connection, places)
        self._closing = closing(connection, places)
        self._frozen = is_frozen(connection)
        self.taken: list[Submission] = []

    def decide(self, arrival: Arrival, now: datetime) -> Submission | Refusal:
        """Take answers, or say why not."""
        before = self._sent.get((arrival.team, arrival.request))
        if before is not None:
            return before if _same(before, arrival) else _other(arrival)
        place = _place(arrival)
        standing = Standing(
            approved=self._states.get(arrival.team) == "approved",
            window_closes=self._closing.get(place),
            charged=tuple(self._charges[place]),
            frozen=self._frozen,
        )
        refused = refusal(self._campaign.phase(arrival.phase), standing, now)
        return refused or self._take(arrival, now)

    def _take(self, arrival: Arrival, now: datetime) -> Submission:
        made = _submission(arrival, now)
        self.taken.append(made)
        self._charges[_place(arrival)].append(made.received)
        if arrival.request is not None:
            self._sent[arrival.team, arrival.request] = made
        return made


def _place(arrival: Arrival) -> Place:
    return arrival.team, arrival.phase, arrival.task


def _sent_before(
    connection: Connection, arrivals: Sequence[Arrival]
) -> dict[tuple[str, str | None], Submission]:
    """What came with the same numbers, by team and number."""
    numbers = {arrival.request for arrival in arrivals if arrival.request is not None}
    if not numbers:
        return {}
    query = select(submissions).where(
        among(connection, submissions.c.team, (arrival.team for arrival in arrivals)),
        among(connection, submissions.c.request, numbers),
    )
    found = (of_row(row) for row in connection.execute(query))
    return {(one.team, one.request): one for one in found}


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


def _submission(arrival: Arrival, now: datetime) -> Submission:
    time = moment(microseconds(now))
    return Submission(
        id=secrets.token_hex(8),
        team=arrival.team,
        person=arrival.person,
        phase=arrival.phase,
        task=arrival.task,
        label=arrival.label,
        file_name=arrival.file_name,
        sha256=arrival.sha256,
        bytes=arrival.bytes,
        received=time,
        request=arrival.request,
        state="queued",
        changed=time,
    )


def _file(taken: Submission) -> dict[str, Any]:
    created = microseconds(taken.received)
    return {"sha256": taken.sha256, "bytes": taken.bytes, "created": created}


def _key(file: dict[str, Any]) -> str:
    """Files are inserted in one order everywhere: nobody waits for who waits for them."""
    return str(file["sha256"])


def _row(taken: Submission) -> dict[str, Any]:
    time = microseconds(taken.received)
    values = {name: getattr(taken, name) for name in taken.__struct_fields__}
    return {**values, "received": time, "changed": time}
