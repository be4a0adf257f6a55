"""Whether the server runs."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.given import Given
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """It does, or there would be no answer."""
    return Given(body=b"alive\n", media_type="text/plain; charset=utf-8")
