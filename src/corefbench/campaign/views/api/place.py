"""A task in a phase: whether it is open, what the team has left, when its window closes."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.places import TaskInPhase, place_of
from corefbench.web.page import Query


def answer(platform: Platform, visitor: Visitor, query: Query) -> TaskInPhase:
    """The place as this visitor stands before it."""
    return place_of(platform, visitor, query["phase"], query["task"])
