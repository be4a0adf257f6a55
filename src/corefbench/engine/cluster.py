"""Dask: workers of this machine, or of a cluster whose scheduler is named.

The scheduler gives the documents of a lost worker to another; a result counts once, however often
its work was begun.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from corefbench.engine.memory import ENVIRONMENT
from corefbench.engine.retrying import ATTEMPTS, in_order, worker_lost
from corefbench.errors import DataError

T = TypeVar("T")
R = TypeVar("R")


class Cluster:
    """A client of a scheduler; without an address, of one that is started here."""

    def __init__(self, jobs: int, address: str = "") -> None:
        from dask import config
        from distributed import Client, LocalCluster

        self._here: Any = None
        if not address:
            keeping = {
                f"distributed.nanny.pre-spawn-environ.{k}": v for k, v in ENVIRONMENT.items()
            }
            with config.set(keeping):
                self._here = LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=jobs, threads_per_worker=1, dashboard_address=":0"
                )
        try:
            self.client: Any = Client(self._here or address, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise DataError(
                "the scheduler cannot be reached",
                code="CB271",
                found=f"{address}: {error}",
                expected="an address such as tcp://machine:8786",
                remedy="start one with `dask scheduler`, workers with `dask worker ADDRESS`",
            ) from error

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        if self._here is not None:
            self._here.close()

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        """The results in the order of the documents."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        shared: Any = None

        def send() -> None:
            # Weights and pipelines that the work holds are sent once, not with every document; a
            # lost worker may have been the only one that had them.
            nonlocal shared
            shared = self.client.scatter(work, broadcast=True, hash=False)

        def submit(document: T) -> Any:
            return self.client.submit(_apply, shared, document, pure=False, retries=ATTEMPTS - 1)

        send()
        workers = max(len(self.client.nthreads()), 1)
        try:
            yield from in_order(
                submit, documents, workers=workers, lost=FutureCancelledError, renew=send
            )
        except KilledWorker as lost:
            raise worker_lost() from lost


def _apply(work: Callable[[T], R], document: T) -> R:
    return work(document)
