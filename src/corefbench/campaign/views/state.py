"""State of the server that its request handlers share."""

from asyncio import Future, Semaphore, create_task, get_running_loop, to_thread
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from corefbench.campaign.domain.submissions import Refusal
from corefbench.campaign.jobs.answers import DEFAULT_BUDGET
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import Identity, get_token_identity
from corefbench.campaign.storage.files import IncomingFile
from corefbench.campaign.storage.submissions import NewSubmission, Submission, accept_submissions
from corefbench.records import Record
from corefbench.web.responses import AnyRequest

Arrival: TypeAlias = tuple[IncomingFile, NewSubmission, datetime]
"""An upload, the submission that it becomes if it is accepted, and when its last byte arrived."""
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


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


class Batcher(Generic[_Item, _Result]):
    """Calls a function in a thread with all items that are waiting.

    Two hundred uploads at the same moment would wait for two hundred transactions and as many syncs of the disk, one
    after the other. Calls that arrive while one is under way share the next: a single call waits for nobody, and of
    many each costs only its share.
    """

    def __init__(self, function: Callable[[Sequence[_Item]], Sequence[_Result]], max_size: int = 250) -> None:
        self._function = function
        self._max_size = max_size
        self._waiting: list[tuple[_Item, Future[_Result]]] = []
        self._is_running = False

    async def submit(self, item: _Item) -> _Result:
        """Return the result for an item once its batch is done."""
        result: Future[_Result] = get_running_loop().create_future()
        self._waiting.append((item, result))
        if not self._is_running:
            self._is_running = True
            self._task = create_task(self._run())  # kept, or it could be collected half done
        return await result

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch = self._waiting[: self._max_size]
                self._waiting = self._waiting[self._max_size :]
                await self._run_batch(batch)
        finally:
            self._is_running = False

    async def _run_batch(self, batch: list[tuple[_Item, Future[_Result]]]) -> None:
        try:
            results = await to_thread(self._function, [item for item, _ in batch])
        except Exception as error:  # passed on to the caller
            if len(batch) > 1:  # an item that fails must not fail the others
                for entry in batch:
                    await self._run_batch([entry])
            elif not batch[0][1].done():
                batch[0][1].set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():  # the caller may have gone away
                future.set_result(result)


@dataclass(frozen=True)
class ServerState:
    """A running server."""

    platform: Platform
    limits: Limits
    acceptances: Batcher[Arrival, Submission | Refusal]
    """Stores uploads and accepts or refuses them; many share one transaction."""
    token_identities: Batcher[str, Identity | None]
    """Looks up who has a token, by its hash; many share one connection, which PostgreSQL needs to take 200 uploads that
    begin at once within a second (p95 of ``tests/load/test_many_people.py``)."""
    checks: Semaphore = field(default_factory=lambda: Semaphore(2))
    """Bounds the processes that check uploads at the same time."""


def make_state(platform: Platform, limits: Limits) -> ServerState:
    """Return the state of a server that starts."""
    return ServerState(
        platform=platform,
        limits=limits,
        acceptances=Batcher(partial(_accept_all, platform)),
        token_identities=Batcher(partial(_get_token_identities, platform)),
    )


def get_state(request: AnyRequest) -> ServerState:
    """Return the state of the server that handles a request."""
    state: ServerState = request.app.state["server"]
    return state


def _accept_all(platform: Platform, arrivals: Sequence[Arrival]) -> list[Submission | Refusal]:
    # Files first: a row that names a file must never be there without it.
    platform.files.commit_all([incoming for incoming, _, _ in arrivals])
    with platform.database.write() as connection:
        return accept_submissions(connection, platform.campaign, [(new, time) for _, new, time in arrivals])


def _get_token_identities(platform: Platform, digests: Sequence[str]) -> list[Identity | None]:
    with platform.database.read() as connection:
        return [get_token_identity(connection, digest) for digest in digests]
