"""One submission: where it stands, and its scores when it is time."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.submitted import Shown, own_submission, shown
from corefbench.web.page import Query


def answer(platform: Platform, visitor: Visitor, query: Query) -> Shown:
    """With its errors, where the phase is not blind."""
    with platform.database.read() as connection:
        one = own_submission(connection, visitor, query["submission"])
        return shown(platform, connection, visitor, one, errors=True)
