"""Server state shared by the request handlers."""

from asyncio import Semaphore
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from corefbench.campaign.domain.submissions import Refusal
from corefbench.campaign.jobs.uploads import DEFAULT_BUDGET
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import IncomingFile, StoredFile
from corefbench.campaign.storage.submissions import NewSubmission, Submission, accept_submissions
from corefbench.campaign.views.batching import Batcher
from corefbench.records import Record
from corefbench.web.responses import AnyRequest


class Limits(Record, frozen=True):
    """Limits on uploads and sign-ins."""

    upload: int = DEFAULT_BUDGET.packed
    """Bytes of one upload."""
    checked: int = 16 << 20
    """Bytes up to which answers are checked while the sender waits."""
    sign_ins: int = 10
    """Attempts with one e-mail address in a quarter of an hour …"""
    attempts_per_host: int = 100
    """… and from one network address, registrations included."""


@dataclass(frozen=True)
class ServerState:
    """A running server."""

    platform: Platform
    limits: Limits
    stored_files: Batcher[IncomingFile, StoredFile]
    """Stores small files that have arrived; many share one sync of the disk."""
    acceptances: Batcher[tuple[NewSubmission, datetime], Submission | Refusal]
    """Accepts or refuses submissions; many share one transaction."""
    checks: Semaphore = field(default_factory=lambda: Semaphore(2))
    """Bounds the processes that check uploads at the same time."""


def make_state(platform: Platform, limits: Limits) -> ServerState:
    """Return the state of a server that starts."""
    return ServerState(
        platform=platform,
        limits=limits,
        stored_files=Batcher(platform.files.commit_all),
        acceptances=Batcher(partial(_accept_all, platform)),
    )


def get_state(request: AnyRequest) -> ServerState:
    """Return the state of the server that handles a request."""
    state: ServerState = request.app.state["server"]
    return state


def _accept_all(
    platform: Platform, submissions: Sequence[tuple[NewSubmission, datetime]]
) -> list[Submission | Refusal]:
    with platform.database.write() as connection:
        return accept_submissions(connection, platform.campaign, submissions)
