"""What the server counts, as Prometheus reads it."""

from prometheus_client import CONTENT_TYPE_LATEST

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.given import Given
from corefbench.campaign.views.meters import written
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """All counters and gauges."""
    return Given(body=written(platform), media_type=CONTENT_TYPE_LATEST)
