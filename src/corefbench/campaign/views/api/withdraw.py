"""Take a submission back, for good; the quota stays used."""

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.submissions import withdraw
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.submitted import Shown, own_submission, shown
from corefbench.web.page import Query


def answer(platform: Platform, visitor: Visitor, query: Query) -> Shown:
    """The submission, withdrawn."""
    with platform.database.write() as connection:
        one = own_submission(connection, visitor, query["submission"])
        done = withdraw(connection, one.id, person=visitor.person, now=platform.clock())
        return shown(platform, connection, visitor, done)
