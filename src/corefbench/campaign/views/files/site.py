"""What is published, as pages that need no server, in a zip archive."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.site import zipped_site
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.given import Given
from corefbench.web.offline import plain
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """The archive."""
    return Given(
        body=zipped_site(platform),
        media_type="application/zip",
        name=f"{plain(platform.campaign.name)}.zip",
    )
