"""An organiser takes a submission out of the ranking, for a reason that the team is told."""

from collections.abc import Mapping

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.submissions import disqualify, submission
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.campaign.views.routes import address
from corefbench.errors import UsageError

_LONGEST = 500


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Back to the submissions."""
    reason = " ".join(form.get("reason", "").split())
    if not reason or len(reason) > _LONGEST:
        raise UsageError(
            "a submission is not disqualified without a reason",
            expected=f"1 to {_LONGEST} signs",
            remedy="say why: the team is told, and the audit log keeps it",
        )
    with platform.database.write() as connection:
        if submission(connection, form.get("submission", "")) is None:
            raise NotThere("there is no such submission")
        disqualify(
            connection,
            form["submission"],
            person=visitor.person,
            reason=reason,
            now=platform.clock(),
        )
    return address("console-submissions")
