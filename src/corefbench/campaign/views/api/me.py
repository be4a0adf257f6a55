"""Who the token belongs to."""

from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.record import Record
from corefbench.web.page import Query


class Me(Record, frozen=True):
    """Who asks."""

    role: Role
    name: str
    email: str
    team: str
    team_name: str


def answer(platform: Platform, visitor: Visitor, query: Query) -> Me:
    """Who asks, and in which role."""
    return Me(
        role=visitor.role,
        name=visitor.name,
        email=visitor.email,
        team=visitor.team,
        team_name=visitor.team_name,
    )
