"""Team page, and the approval of teams."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.monitoring import count_submissions_by_team
from corefbench.campaign.storage.users import (
    Team,
    TeamState,
    User,
    get_pseudonyms,
    get_team,
    list_teams,
    list_users,
    set_team_state,
)
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.routes import url_for
from corefbench.errors import UnknownName
from corefbench.records import Record
from corefbench.web.errors import NotFound
from corefbench.web.pages import Page, Query

_DECISIONS: dict[str, TeamState] = {"approved": "approved", "refused": "refused"}


class Member(Record, frozen=True):
    """A member as other members see it."""

    name: str
    email: str


class TeamPage(Record, frozen=True):
    """The team of the visitor."""

    name: str
    pseudonyms: tuple[tuple[str, str], ...]
    """Title of the phase and pseudonym, for phases with a submission of the team."""
    affiliation: str
    state: TeamState
    code: str
    """With it others join the team."""
    members: tuple[Member, ...]
    anonymity: str
    contact: str


class TeamRow(Record, frozen=True):
    """A team with its members."""

    team: Team
    members: tuple[User, ...]
    submissions: int
    pseudonyms: tuple[tuple[str, str], ...]


class ConsoleTeamsPage(Record, frozen=True):
    """All teams; those that wait for approval come first."""

    teams: tuple[TeamRow, ...]
    waiting: int
    pseudonyms: bool
    """Whether this campaign uses them."""


def team_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the team of the visitor."""
    with platform.database.read() as connection:
        team = get_team(connection, visitor.team)
        pseudonyms = get_pseudonyms(connection, visitor.team)
        members = list_users(connection, visitor.team)
    if team is None:
        raise NotFound("there is no team")
    model = TeamPage(
        name=team.name,
        pseudonyms=_pseudonyms_by_phase(platform, team, pseudonyms),
        affiliation=team.affiliation,
        state=team.state,
        code=team.code,
        members=tuple(Member(name=user.name, email=user.email) for user in members),
        anonymity=platform.campaign.anonymity,
        contact=platform.campaign.contact,
    )
    return Page(template="team.html", title=team.name, model=model)


def console_teams_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show all teams to the organisers."""
    with platform.database.read() as connection:
        users = list_users(connection)
        submissions = count_submissions_by_team(connection)
        pseudonyms = get_pseudonyms(connection)
        rows = [
            TeamRow(
                team=team,
                members=tuple(user for user in users if user.team == team.id),
                submissions=submissions.get(team.id, 0),
                pseudonyms=_pseudonyms_by_phase(platform, team, pseudonyms),
            )
            for team in list_teams(connection)
        ]
    rows.sort(key=lambda row: row.team.state != "applied")
    model = ConsoleTeamsPage(
        teams=tuple(rows),
        waiting=sum(row.team.state == "applied" for row in rows),
        pseudonyms=platform.campaign.anonymity != "none",
    )
    return Page(template="console_teams.html", title="Teams", model=model)


def judge_team_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Approve or refuse a team."""
    decision = form.get("decision", "")
    if decision not in _DECISIONS:
        raise UnknownName("decision", decision, list(_DECISIONS))
    with platform.database.write() as connection:
        if get_team(connection, form["team"]) is None:
            raise NotFound("there is no such team")
        set_team_state(connection, form["team"], _DECISIONS[decision], person=visitor.person, now=platform.clock())
    return url_for("console-teams")


def _pseudonyms_by_phase(
    platform: Platform, team: Team, pseudonyms: Mapping[tuple[str, str], str]
) -> tuple[tuple[str, str], ...]:
    return tuple(
        (phase.title, pseudonyms[team.id, phase.name])
        for phase in platform.campaign.phases
        if (team.id, phase.name) in pseudonyms
    )
