"""People and their teams."""

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args

from sqlalchemy import Connection, Row, insert, select, update

from corefbench.campaign.domain.times import microseconds, moment
from corefbench.campaign.storage.among import among
from corefbench.campaign.storage.audit import note
from corefbench.campaign.storage.pseudonyms import names_taken
from corefbench.campaign.storage.tables import people as people_table
from corefbench.campaign.storage.tables import teams as teams_table
from corefbench.errors import UnknownName, UsageError
from corefbench.record import Record

TeamState: TypeAlias = Literal["applied", "approved", "refused"]
TEAM_STATES: tuple[TeamState, ...] = get_args(TeamState)


class Team(Record, frozen=True):
    """Who submits together."""

    id: str
    name: str
    affiliation: str
    code: str
    """With it others join; known to the team alone."""
    state: TeamState
    created: datetime


class Person(Record, frozen=True):
    """Someone with an account; the password is not part of it."""

    id: str
    email: str
    name: str
    organiser: bool
    team: str | None
    """The id of the team; none for organisers."""
    created: datetime


def register(
    connection: Connection,
    *,
    email: str,
    name: str,
    password_hash: str,
    team_name: str,
    affiliation: str,
    now: datetime,
    approved: bool,
) -> Person:
    """A new team and its first member; ``approved`` where no organiser has to agree."""
    _lock_names(connection)
    if team_name.casefold() in names_taken(connection):
        raise UsageError("a team of that name is there", code="CB317", found=team_name)
    team = secrets.token_hex(8)
    connection.execute(
        insert(teams_table).values(
            id=team,
            name=team_name,
            pseudonym=team,
            affiliation=affiliation,
            code=secrets.token_hex(8),
            state="approved" if approved else "applied",
            created=microseconds(now),
        )
    )
    return _new(connection, email, name, password_hash, team=team, organiser=False, now=now)


def join(
    connection: Connection, *, email: str, name: str, password_hash: str, code: str, now: datetime
) -> Person:
    """A new member of the team that has this code."""
    _lock_names(connection)
    found = select(teams_table.c.id).where(teams_table.c.code == code)
    team = connection.scalars(found).one_or_none()
    if team is None:
        raise UsageError("no team has this code", code="CB312", remedy="ask the team for it")
    return _new(connection, email, name, password_hash, team=team, organiser=False, now=now)


def make_organiser(
    connection: Connection, *, email: str, name: str, password_hash: str, now: datetime
) -> Person:
    """A new organiser."""
    _lock_names(connection)
    person = _new(connection, email, name, password_hash, team=None, organiser=True, now=now)
    note(connection, person=None, action="organiser", subject=person.id, now=now)
    return person


def person_by_email(connection: Connection, email: str) -> Person | None:
    """Whose address it is, in upper or lower case."""
    where = people_table.c.email == _address(email)
    row = connection.execute(select(people_table).where(where)).one_or_none()
    return None if row is None else person_of_row(row)


def person(connection: Connection, id: str) -> Person | None:
    """A person by id."""
    row = connection.execute(select(people_table).where(people_table.c.id == id)).one_or_none()
    return None if row is None else person_of_row(row)


def people(connection: Connection, team: str | None = None) -> list[Person]:
    """Everyone, or the members of a team, in the order they came."""
    query = select(people_table).order_by(people_table.c.created, people_table.c.id)
    if team is not None:
        query = query.where(people_table.c.team == team)
    return [person_of_row(row) for row in connection.execute(query)]


def with_teams(
    connection: Connection, people: Iterable[str]
) -> dict[str, tuple[Person, Team | None]]:
    """People by id, each with the team they belong to."""
    query = select(people_table).where(among(connection, people_table.c.id, people))
    found = [person_of_row(row) for row in connection.execute(query)]
    wanted = among(connection, teams_table.c.id, {one.team for one in found if one.team})
    rows = connection.execute(select(teams_table).where(wanted))
    team_of = {row.id: _team_of(row) for row in rows}
    return {person.id: (person, team_of.get(person.team or "")) for person in found}


def password_of(connection: Connection, person: str) -> str | None:
    """The hash that a password is held against."""
    query = select(people_table.c.password).where(people_table.c.id == person)
    return connection.scalars(query).one_or_none()


def set_password(connection: Connection, person: str, password_hash: str) -> None:
    """Another password, or the same hashed anew."""
    change = update(people_table).where(people_table.c.id == person)
    connection.execute(change.values(password=password_hash))


def team(connection: Connection, id: str) -> Team | None:
    """A team by id."""
    row = connection.execute(select(teams_table).where(teams_table.c.id == id)).one_or_none()
    return None if row is None else _team_of(row)


def teams(connection: Connection) -> list[Team]:
    """All teams, in the order they came."""
    query = select(teams_table).order_by(teams_table.c.created, teams_table.c.id)
    return [_team_of(row) for row in connection.execute(query)]


def set_team_state(
    connection: Connection, team: str, state: TeamState, *, person: str | None, now: datetime
) -> None:
    """Approve or refuse a team."""
    if state not in TEAM_STATES:
        raise UnknownName("state of teams", state, list(TEAM_STATES))
    change = update(teams_table).where(teams_table.c.id == team, teams_table.c.state != state)
    if connection.execute(change.values(state=state)).rowcount:
        note(connection, person=person, action=f"team {state}", subject=team, now=now)


def lock_team(connection: Connection, team: str) -> TeamState | None:
    """The state of a team, whose submissions and downloads wait until the transaction ends."""
    return lock_teams(connection, [team]).get(team)


def lock_teams(connection: Connection, teams: Iterable[str]) -> dict[str, TeamState]:
    """The same for many, in one order for all: nobody waits for who waits for them."""
    query = (
        select(teams_table.c.id, teams_table.c.state)
        .where(among(connection, teams_table.c.id, teams))
        .order_by(teams_table.c.id)
        .with_for_update(key_share=True)
    )
    return {row.id: row.state for row in connection.execute(query)}


def person_of_row(row: Row[Any]) -> Person:
    """The person of a row that has all their columns."""
    return Person(
        id=row.id,
        email=row.email,
        name=row.name,
        organiser=bool(row.organiser),
        team=row.team,
        created=moment(row.created),
    )


def _new(
    connection: Connection,
    email: str,
    name: str,
    password_hash: str,
    *,
    team: str | None,
    organiser: bool,
    now: datetime,
) -> Person:
    if person_by_email(connection, email) is not None:
        raise UsageError("the e-mail address has an account", code="CB317", remedy="sign in")
    number = secrets.token_hex(8)
    connection.execute(
        insert(people_table).values(
            id=number,
            email=_address(email),
            name=name,
            password=password_hash,
            organiser=organiser,
            team=team,
            created=microseconds(now),
        )
    )
    made = person(connection, number)
    assert made is not None  # it was inserted above
    return made


def _address(email: str) -> str:
    return email.strip().lower()


def _team_of(row: Row[Any]) -> Team:
    return Team(
        id=row.id,
        name=row.name,
        affiliation=row.affiliation,
        code=row.code,
        state=row.state,
        created=moment(row.created),
    )


def _lock_names(connection: Connection) -> None:
    """On PostgreSQL, let registrations come one by one: then no two take one name."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(12660472)")
