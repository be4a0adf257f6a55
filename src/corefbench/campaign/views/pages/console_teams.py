"""Teams: who they are, and whether they take part."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.monitoring import submissions_by_team
from corefbench.campaign.storage.people import Person, Team, people, teams
from corefbench.campaign.storage.pseudonyms import pseudonyms_of
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Page, Query


class Known(Record, frozen=True):
    """A team with its members."""

    team: Team
    members: tuple[Person, ...]
    submissions: int
    pseudonyms: tuple[tuple[str, str], ...]
    """In the phases that it has sent something in."""


class Teams(Record, frozen=True):
    """What the page says: those who wait for an answer first."""

    teams: tuple[Known, ...]
    waiting: int
    pseudonyms: bool
    """Whether they matter in this campaign."""


def view(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """All teams."""
    with platform.database.read() as connection:
        everyone = people(connection)
        sent = submissions_by_team(connection)
        called = pseudonyms_of(connection)
        known = [
            Known(
                team=team,
                members=tuple(person for person in everyone if person.team == team.id),
                submissions=sent.get(team.id, 0),
                pseudonyms=tuple(
                    (phase.title, called[team.id, phase.name])
                    for phase in platform.campaign.phases
                    if (team.id, phase.name) in called
                ),
            )
            for team in teams(connection)
        ]
    known.sort(key=lambda one: one.team.state != "applied")
    model = Teams(
        teams=tuple(known),
        waiting=sum(one.team.state == "applied" for one in known),
        pseudonyms=platform.campaign.anonymity != "none",
    )
    return Page(template="console_teams.html", title="Teams", model=model)
