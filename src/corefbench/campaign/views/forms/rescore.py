"""An organiser has submissions scored again: one, or all that a filter finds."""

from collections.abc import Mapping

from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.submissions import requeue, submission, submissions_of
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.campaign.views.pages.console_submissions import filter_of, is_rescorable, matching
from corefbench.campaign.views.routes import address
from corefbench.errors import UsageError


def act(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Back to the list that was looked at."""
    chosen = filter_of(platform.campaign, form)
    if form.get("submission"):
        _one(platform, visitor, form["submission"])
    elif form.get("all") == "yes":
        _all(platform, visitor, form)
    else:
        raise UsageError("nothing was rescored", remedy="choose a submission, or say all of them")
    # Without the state: what was found by it is in another state now.
    return address("console-submissions", phase=chosen.phase, task=chosen.task, team=chosen.team)


def _one(platform: Platform, visitor: Visitor, id: str) -> None:
    with platform.database.write() as connection:
        if submission(connection, id) is None:
            raise NotThere("there is no such submission")
        done = requeue(
            connection, platform.campaign, id, person=visitor.person, now=platform.clock()
        )
    if isinstance(done, Refusal):
        raise UsageError(done.message, code=done.code, remedy=done.remedy)


def _all(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> None:
    """All that can be; those whose place in the quota was given away stay as they are."""
    with platform.database.write() as connection:
        found = matching(submissions_of(connection, None), filter_of(platform.campaign, form))
        for one in filter(is_rescorable, found):
            requeue(
                connection, platform.campaign, one.id, person=visitor.person, now=platform.clock()
            )
