"""What the rules look at before answers are taken, for one place or for many at once.

A place is a task in a phase, for a team: ``(team, phase, task)``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection, select

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
    for phase, task, there in _by_task(places):
        query = select(submissions.c.team, submissions.c.received).where(
            submissions.c.phase == phase,
            submissions.c.task == task,
            among(connection, submissions.c.team, there),
            submissions.c.state.not_in(REFUNDED),
        )
        for team, received in connection.execute(query):
            found[team, phase, task].append(moment(received))
    return found


def closing(connection: Connection, places: Iterable[Place]) -> dict[Place, datetime]:
    """When windows close, where they have been opened and have an end."""
    found = {}
    for phase, task, there in _by_task(places):
        query = select(windows.c.team, windows.c.closes).where(
            windows.c.phase == phase,
            windows.c.task == task,
            among(connection, windows.c.team, there),
            windows.c.closes.is_not(None),
        )
        for team, closes in connection.execute(query):
            found[team, phase, task] = moment(closes)
    return found


def _by_task(places: Iterable[Place]) -> Iterator[tuple[str, str, set[str]]]:
    """Phase and task with the teams: what the tables are ordered by."""
    teams_of: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for team, phase, task in places:
        teams_of[phase, task].add(team)
    for (phase, task), there in teams_of.items():
        yield phase, task, there
