"""The receipt of a submission."""

from corefbench.campaign.domain.receipts import Receipt
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.submitted import own_submission, receipt_of
from corefbench.web.page import Query


def answer(platform: Platform, visitor: Visitor, query: Query) -> Receipt:
    """What arrived, when, and the seal."""
    with platform.database.read() as connection:
        return receipt_of(platform, own_submission(connection, visitor, query["submission"]))
