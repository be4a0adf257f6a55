"""What the handlers share: the campaign, how much is taken, and what is remembered for a while."""

from asyncio import Semaphore
from dataclasses import dataclass, field

from corefbench.campaign.jobs.budget import BUDGET
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.attempts import Attempts
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


@dataclass(frozen=True)
class Site:
    """A server that runs."""

    platform: Platform
    allowed: Allowed
    attempts: Attempts = field(default_factory=Attempts)
    checks: Semaphore = field(default_factory=lambda: Semaphore(2))
    """Children that check uploads at the same time."""
