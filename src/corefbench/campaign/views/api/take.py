"""Take the data of a task: the window of the team opens with the first time."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.inputs import handed, take
from corefbench.campaign.views.records import Handed
from corefbench.web.page import Query

STATUS = 201


def answer(platform: Platform, visitor: Visitor, query: Query) -> Handed:
    """Where the file is, and a receipt."""
    made = take(platform, visitor, query["phase"], query["task"])
    return handed(platform, visitor, made.id, route="api-data")
