"""The OpenAPI document of the JSON interface."""

import msgspec

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.given import Given
from corefbench.campaign.views.openapi import document
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """The document as JSON."""
    return Given(body=msgspec.json.encode(document()), media_type="application/json")
