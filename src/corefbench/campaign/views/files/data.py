"""The data of a download: for the team that took it, while the phase is open."""

from corefbench.campaign.domain.admission import out_of_time
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.given import Given
from corefbench.campaign.views.inputs import handed, input_of
from corefbench.errors import UsageError
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """The file."""
    receipt = handed(platform, visitor, query["download"]).receipt
    refused = out_of_time(platform.campaign.phase(receipt.phase), platform.clock())
    if refused is not None:
        raise UsageError(refused.message, code=refused.code, remedy=refused.remedy)
    given = input_of(platform, receipt.phase, receipt.task)
    return Given(body=given.path, name=given.name)
