"""Check a receipt that was pasted in."""

from collections.abc import Mapping

import msgspec

from corefbench.campaign.domain.receipts import Receipt, is_genuine
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.pages.receipt import page_of
from corefbench.errors import UsageError
from corefbench.web.page import Page


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> Page:
    """Whether the seal is ours."""
    try:
        receipt = msgspec.json.decode(form.get("receipt", ""), type=Receipt)
    except msgspec.MsgspecError as error:
        raise UsageError(
            "this is no receipt", code="CB345", expected="a receipt as JSON", found=str(error)[:200]
        ) from error
    return page_of(is_genuine(receipt, platform.secret))
