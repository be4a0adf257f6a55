"""What the handlers share: the campaign, how much is taken, and what is remembered for a while."""

from asyncio import Semaphore
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.jobs.budget import BUDGET
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import Incoming, Stored
from corefbench.campaign.storage.submissions import Arrival, Submission, accept_all
from corefbench.campaign.views.access import Asking, Unknown, Visitor, visitors_of
from corefbench.campaign.views.attempts import Attempts
from corefbench.campaign.views.together import Together
from corefbench.record import Record


class Allowed(Record, frozen=True):
    """How much is taken from whom."""

    upload: int = BUDGET.packed
    """Bytes of one upload."""
    checked: int = 16 << 20
    """Bytes up to which answers are checked while somebody waits."""
    sign_ins: int = 10
    """Attempts with one e-mail address in a quarter of an hour …"""
    from_one_place: int = 100
    """… and from one address of the network, registrations too."""


def site_of(platform: Platform, allowed: Allowed) -> "Site":
    """What the handlers of a server need."""

    return Site(
        platform=platform,
        allowed=allowed,
        visitors=Together(partial(visitors_of, platform)),
        keeping=Together(platform.files.keep_all),
        acceptances=Together(partial(_accepted, platform)),
    )


def _accepted(
    platform: Platform, arrivals: Sequence[tuple[Arrival, datetime]]
) -> list[Submission | Refusal]:
    with platform.database.write() as connection:
        return accept_all(connection, platform.campaign, arrivals)


@dataclass(frozen=True)
class Site:
    """A server that runs."""

    platform: Platform
    allowed: Allowed
    visitors: Together[Asking, Visitor | Unknown]
    """Who asks."""
    keeping: Together[Incoming, Stored]
    """Small files whose last byte has arrived."""
    acceptances: Together[tuple[Arrival, datetime], Submission | Refusal]
    """Whether answers are taken."""
    attempts: Attempts = field(default_factory=Attempts)
    checks: Semaphore = field(default_factory=lambda: Semaphore(2))
    """Children that check uploads at the same time."""
