"""Engine that runs on Dask: workers of this machine, or of a cluster whose scheduler is named.

The scheduler gives the documents of a lost worker to another; each result is yielded once.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from corefbench.engine.retry import MAX_ATTEMPTS, ordered_results, worker_lost_error
from corefbench.errors import DataError

T = TypeVar("T")
R = TypeVar("R")

# By default Dask's workers return every freed 64 kB to the system. Scoring frees and allocates the
# same few megabytes for every shard: with that threshold it took 7.2 s of processor time
# instead of 4.0 s for 800 MB of CoNLL files, and 58 MB instead of 64 MB (one process without Dask,
# means of three runs on a busy machine).
_TRIM_SETTING = "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_"
_TRIM_BYTES = 256 << 20


class DaskEngine:
    """A client of a scheduler; without an address, of one that is started on this machine."""

    def __init__(self, jobs: int, address: str = "") -> None:
        from dask import config
        from distributed import Client, LocalCluster

        self._cluster: Any = None
        if not address:
            with config.set({_TRIM_SETTING: _TRIM_BYTES}):
                self._cluster = LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=jobs, threads_per_worker=1, dashboard_address=":0"
                )
        try:
            self.client: Any = Client(self._cluster or address, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise DataError(
                "the scheduler cannot be reached",
                code="CB271",
                found=f"{address}: {error}",
                expected="an address such as tcp://machine:8786",
                remedy="start one with `dask scheduler`, workers with `dask worker ADDRESS`",
            ) from error

    def __enter__(self) -> "DaskEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the documents."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        remote_work: Any = None

        def send_work() -> None:
            # Weights and pipelines that the work holds are sent once, not with every document; a
            # lost worker may have been the only one that had them.
            nonlocal remote_work
            remote_work = self.client.scatter(work, broadcast=True, hash=False)

        def submit(document: T) -> Any:
            return self.client.submit(_apply, remote_work, document, pure=False, retries=MAX_ATTEMPTS - 1)

        send_work()
        workers = max(len(self.client.nthreads()), 1)
        try:
            yield from ordered_results(
                submit, documents, workers=workers, lost_worker=FutureCancelledError, restart=send_work
            )
        except KilledWorker as error:
            raise worker_lost_error() from error


def _apply(work: Callable[[T], R], document: T) -> R:
    return work(document)
