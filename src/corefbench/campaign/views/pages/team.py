"""The team of who asks: its state, its members and the code with which others join."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage import people
from corefbench.campaign.storage.people import TeamState
from corefbench.campaign.storage.pseudonyms import pseudonyms_of
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
    pseudonyms: tuple[tuple[str, str], ...]
    """In the phases that it has sent something in: their titles, and what it is called there."""
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
        called = pseudonyms_of(connection, visitor.team)
        members = people.people(connection, visitor.team)
    if team is None:
        raise NotThere("there is no team")
    model = TeamPage(
        name=team.name,
        pseudonyms=tuple(
            (phase.title, called[team.id, phase.name])
            for phase in platform.campaign.phases
            if (team.id, phase.name) in called
        ),
        affiliation=team.affiliation,
        state=team.state,
        code=team.code,
        members=tuple(Member(name=one.name, email=one.email) for one in members),
        anonymity=platform.campaign.anonymity,
        contact=platform.campaign.contact,
    )
    return Page(template="team.html", title=team.name, model=model)
