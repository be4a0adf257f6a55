"""Whether a receipt is one of ours, over just these fields."""

from corefbench.campaign.domain.receipts import Receipt, is_genuine
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.records import Genuine
from corefbench.web.page import Query


def answer(platform: Platform, visitor: Visitor, query: Query, body: Receipt) -> Genuine:
    """Yes or no."""
    return Genuine(genuine=is_genuine(body, platform.secret))
