"""The board of a task in a phase."""

from corefbench.campaign.board import Board
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.views.access import Visitor
from corefbench.web.page import Query


def answer(platform: Platform, visitor: Visitor, query: Query) -> Board:
    """The ranking as this visitor may see it."""
    return standings(platform, query["phase"], query["task"], role=visitor.role, team=visitor.team)
