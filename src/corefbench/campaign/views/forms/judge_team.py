"""An organiser approves or refuses a team."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.people import TeamState, set_team_state, team
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.campaign.views.routes import address
from corefbench.errors import UnknownName

_DECISIONS: dict[str, TeamState] = {"approved": "approved", "refused": "refused"}


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Back to the teams."""
    asked = form.get("decision", "")
    if asked not in _DECISIONS:
        raise UnknownName("decision", asked, list(_DECISIONS))
    with platform.database.write() as connection:
        if team(connection, form["team"]) is None:
            raise NotThere("there is no such team")
        decision, now = _DECISIONS[asked], platform.clock()
        set_team_state(connection, form["team"], decision, person=visitor.person, now=now)
    return address("console-teams")
