"""The team of who asks: its state, its members and the code with which others join."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage import people
from corefbench.campaign.storage.people import TeamState
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Member(Record, frozen=True):
    """Someone of the team."""

    name: str
    email: str


class TeamPage(Record, frozen=True):
    """What the page says."""

    name: str
    pseudonym: str
    affiliation: str
    state: TeamState
    code: str
    members: tuple[Member, ...]
    anonymity: str
    contact: str


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """The team."""
    with platform.database.read() as connection:
        team = people.team(connection, visitor.team)
        members = people.people(connection, visitor.team)
    if team is None:
        raise NotThere("there is no team")
    model = TeamPage(
        name=team.name,
        pseudonym=team.pseudonym,
        affiliation=team.affiliation,
        state=team.state,
        code=team.code,
        members=tuple(Member(name=one.name, email=one.email) for one in members),
        anonymity=platform.campaign.anonymity,
        contact=platform.campaign.contact,
    )
    return Page(template="team.html", title=team.name, model=model)
