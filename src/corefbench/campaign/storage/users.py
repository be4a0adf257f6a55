"""Users, teams and their pseudonyms.

A pseudonym is a bird and a number, drawn anew for every phase: knowing who was who on a published
board tells nothing about one that is not published.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from sqlalchemy import Connection, insert, select, update

from corefbench.campaign.storage.audit import record_action
from corefbench.campaign.storage.database import column_in, record_columns
from corefbench.campaign.storage.tables import pseudonyms, teams, users
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record

TeamState: TypeAlias = Literal["applied", "approved", "refused"]
TEAM_STATES: tuple[TeamState, ...] = get_args(TeamState)
_REGISTRATION_LOCK = 12660472  # any number that no other program of the database uses
_BIRDS = """
Avocet Bittern Blackbird Brambling Bullfinch Bunting Buzzard Chaffinch Chiffchaff Coot Cormorant
Crane Crossbill Cuckoo Curlew Dipper Dotterel Dunlin Dunnock Egret Eider Fieldfare Firecrest
Flycatcher Gannet Goldcrest Goldfinch Goosander Goshawk Grebe Greenfinch Guillemot Harrier
Hawfinch Heron Hobby Hoopoe Jackdaw Jay Kestrel Kingfisher Kite Kittiwake Knot Lapwing Linnet
Magpie Martin Merlin Moorhen Nightingale Nightjar Nuthatch Oriole Osprey Ouzel Owl Petrel Pipit
Plover Pochard Puffin Quail Rail Raven Razorbill Redpoll Redshank Redstart Redwing Robin Rook Ruff
Sanderling Sandpiper Shelduck Shrike Siskin Skua Skylark Snipe Sparrow Starling Stonechat Swallow
Swan Swift Teal Tern Thrush Treecreeper Turnstone Twite Wagtail Warbler Waxwing Wheatear Whimbrel
Whinchat Whitethroat Wigeon Woodlark Wren Wryneck Yellowhammer
""".split()  # noqa: SIM905


class AddressTaken(UsageError):
    """The e-mail address has an account."""

    default_code = "CB317"


class Team(Record, frozen=True):
    """People who submit together."""

    id: str
    name: str
    affiliation: str
    code: str
    """Lets others join; known to the team alone."""
    state: TeamState
    created: datetime


class User(Record, frozen=True):
    """Someone with an account, without their password."""

    id: str
    email: str
    name: str
    organiser: bool
    team: str | None
    """Id of the team; None for organisers."""
    created: datetime


def register_team(
    connection: Connection,
    *,
    email: str,
    name: str,
    password_hash: str,
    team_name: str,
    affiliation: str,
    now: datetime,
    approved: bool,
) -> User:
    """Create a team and its first member; ``approved`` if no organiser has to agree."""
    _lock_registration(connection)
    if team_name.casefold() in _get_taken_names(connection):
        raise UsageError("there is already a team of that name", code="CB317", found=team_name)
    team = secrets.token_hex(8)
    connection.execute(
        insert(teams).values(
            id=team,
            name=team_name,
            affiliation=affiliation,
            code=secrets.token_hex(8),
            state="approved" if approved else "applied",
            created=now,
        )
    )
    return _insert_user(connection, email, name, password_hash, team=team, organiser=False, now=now)


def join_team(connection: Connection, *, email: str, name: str, password_hash: str, code: str, now: datetime) -> User:
    """Create a member of the team that has this code."""
    _lock_registration(connection)
    team = connection.scalars(select(teams.c.id).where(teams.c.code == code)).one_or_none()
    if team is None:
        raise UsageError("no team has this code", code="CB312", remedy="ask the team for it")
    return _insert_user(connection, email, name, password_hash, team=team, organiser=False, now=now)


def create_organiser(connection: Connection, *, email: str, name: str, password_hash: str, now: datetime) -> User:
    """Create an organiser."""
    _lock_registration(connection)
    user = _insert_user(connection, email, name, password_hash, team=None, organiser=True, now=now)
    record_action(connection, person=None, action="organiser", subject=user.id, now=now)
    return user


def _insert_user(
    connection: Connection,
    email: str,
    name: str,
    password_hash: str,
    *,
    team: str | None,
    organiser: bool,
    now: datetime,
) -> User:
    if get_user_by_email(connection, email) is not None:
        raise AddressTaken("the e-mail address has an account", remedy="sign in")
    statement = (
        insert(users)
        .values(
            id=secrets.token_hex(8),
            email=_normalise_email(email),
            name=name,
            password=password_hash,
            organiser=organiser,
            team=team,
            created=now,
        )
        .returning(*record_columns(users, User))
    )
    return User(**connection.execute(statement).one()._asdict())


def _lock_registration(connection: Connection) -> None:
    """Let registrations wait for each other on PostgreSQL, or two could take the same name."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_REGISTRATION_LOCK})")


def get_user_by_email(connection: Connection, email: str) -> User | None:
    """Return the user with an e-mail address, in upper or lower case."""
    query = select(*record_columns(users, User)).where(users.c.email == _normalise_email(email))
    row = connection.execute(query).one_or_none()
    return None if row is None else User(**row._asdict())


def list_users(connection: Connection, team: str | None = None) -> list[User]:
    """Return all users, or the members of a team, oldest first."""
    query = select(*record_columns(users, User)).order_by(users.c.created, users.c.id)
    if team is not None:
        query = query.where(users.c.team == team)
    return [User(**row._asdict()) for row in connection.execute(query)]


def get_password_hash(connection: Connection, person: str) -> str | None:
    """Return the password hash of a user."""
    query = select(users.c.password).where(users.c.id == person)
    return connection.scalars(query).one_or_none()


def set_password_hash(connection: Connection, person: str, password_hash: str) -> None:
    """Set a new password, or the same with a new hash."""
    statement = update(users).where(users.c.id == person)
    connection.execute(statement.values(password=password_hash))


def _normalise_email(email: str) -> str:
    return email.strip().lower()


def get_team(connection: Connection, id: str) -> Team | None:
    """Return a team by its id."""
    row = connection.execute(select(*record_columns(teams, Team)).where(teams.c.id == id)).one_or_none()
    return None if row is None else Team(**row._asdict())


def list_teams(connection: Connection) -> list[Team]:
    """Return all teams, oldest first."""
    query = select(*record_columns(teams, Team)).order_by(teams.c.created, teams.c.id)
    return [Team(**row._asdict()) for row in connection.execute(query)]


def set_team_state(connection: Connection, team: str, state: TeamState, *, person: str | None, now: datetime) -> None:
    """Approve or refuse a team."""
    if state not in TEAM_STATES:
        raise UnknownName("state of teams", state, list(TEAM_STATES))
    statement = update(teams).where(teams.c.id == team, teams.c.state != state)
    if connection.execute(statement.values(state=state)).rowcount:
        record_action(connection, person=person, action=f"team {state}", subject=team, now=now)


def lock_team(connection: Connection, team: str) -> TeamState | None:
    """Return the state of a team, and let its other uploads and downloads wait."""
    return lock_teams(connection, [team]).get(team)


def lock_teams(connection: Connection, ids: Iterable[str]) -> dict[str, TeamState]:
    """Lock several teams, always in the same order: transactions cannot deadlock."""
    query = (
        select(teams.c.id, teams.c.state)
        .where(column_in(connection, teams.c.id, ids))
        .order_by(teams.c.id)
        # Not the key: rows that refer to the team can be inserted meanwhile.
        .with_for_update(key_share=True)
    )
    return {row.id: row.state for row in connection.execute(query)}


def assign_pseudonyms(connection: Connection, pairs: set[tuple[str, str]]) -> None:
    """Give teams a pseudonym in phases where they have none yet; pairs of team and phase."""
    query = select(pseudonyms.c.team, pseudonyms.c.phase).where(
        column_in(connection, pseudonyms.c.team, (team for team, _ in pairs))
    )
    missing = sorted(pairs - {(row.team, row.phase) for row in connection.execute(query)})
    if missing:
        taken = _get_taken_names(connection)
        rows = [{"team": team, "phase": phase, "name": draw_pseudonym(taken)} for team, phase in missing]
        connection.execute(insert(pseudonyms), rows)


def get_pseudonyms(connection: Connection, team: str | None = None) -> dict[tuple[str, str], str]:
    """Return the pseudonyms of a team, or of all teams, by team and phase."""
    query = select(pseudonyms)
    if team is not None:
        query = query.where(pseudonyms.c.team == team)
    return {(row.team, row.phase): row.name for row in connection.execute(query)}


def draw_pseudonym(taken: set[str]) -> str:
    """Draw a random pseudonym that is not in ``taken``, and add it there."""
    while True:
        pseudonym = f"{secrets.choice(_BIRDS)} {secrets.randbelow(900) + 100}"
        if pseudonym.casefold() not in taken:
            taken.add(pseudonym.casefold())
            return pseudonym


def _get_taken_names(connection: Connection) -> set[str]:
    """Return all names and pseudonyms in lower case: no team may pass for another on a board."""
    names = (*connection.scalars(select(teams.c.name)), *connection.scalars(select(pseudonyms.c.name)))
    return {name.casefold() for name in names}
