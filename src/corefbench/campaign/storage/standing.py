"""What the rules look at before answers are taken, for one place or for many at once.

A place is a task in a phase, for a team: ``(team, phase, task)``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import Column, ColumnElement, Connection, select

from corefbench.campaign.domain.admission import Standing
from corefbench.campaign.domain.states import REFUNDED
from corefbench.campaign.domain.times import moment
from corefbench.campaign.storage.among import among
from corefbench.campaign.storage.settings import is_frozen
from corefbench.campaign.storage.tables import submissions, teams, windows

Place: TypeAlias = tuple[str, str, str]


def standing(connection: Connection, team: str, phase: str, task: str) -> Standing:
    """What holds for a team, for pages that say beforehand what is left."""
    place = (team, phase, task)
    state = connection.scalars(select(teams.c.state).where(teams.c.id == team)).one_or_none()
    return Standing(
        approved=state == "approved",
        window_closes=closing(connection, [place]).get(place),
        charged=charged(connection, *place),
        frozen=is_frozen(connection),
    )


def charged(connection: Connection, team: str, phase: str, task: str) -> tuple[datetime, ...]:
    """When the submissions arrived that count against the quota."""
    place = (team, phase, task)
    return tuple(charges(connection, [place])[place])


def charges(connection: Connection, places: Iterable[Place]) -> defaultdict[Place, list[datetime]]:
    """The same for many places."""
    found: defaultdict[Place, list[datetime]] = defaultdict(list)
    counted = submissions.c.state.not_in(REFUNDED)
    for place, received in _moments(connection, submissions.c.received, counted, places):
        found[place].append(received)
    return found


def closing(connection: Connection, places: Iterable[Place]) -> dict[Place, datetime]:
    """When windows close, where they have been opened and have an end."""
    ended = windows.c.closes.is_not(None)
    return dict(_moments(connection, windows.c.closes, ended, places))


def _moments(
    connection: Connection, column: Column[Any], holds: ColumnElement[bool], places: Iterable[Place]
) -> Iterator[tuple[Place, datetime]]:
    """What a column says of each place, one task after another, as the tables are ordered."""
    teams_of: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for team, phase, task in places:
        teams_of[phase, task].add(team)
    own = column.table.c
    for (phase, task), there in teams_of.items():
        query = select(own.team, column).where(
            own.phase == phase, own.task == task, among(connection, own.team, there), holds
        )
        for team, said in connection.execute(query):
            yield (team, phase, task), moment(said)
