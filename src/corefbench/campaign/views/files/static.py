"""A style sheet or script; what is asked for by its digest never changes."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.campaign.views.assets import assets
from corefbench.campaign.views.given import Given
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """The file, from memory."""
    found = assets().get(query["file"])
    if found is None:
        raise NotThere("there is no such file")
    return Given(
        body=found.content,
        media_type=f"{found.media_type}; charset=utf-8",
        kept=query.get("v") == found.digest,
    )
