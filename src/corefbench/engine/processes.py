"""Engine that runs on a pool of processes. A worker that dies breaks its pool."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from corefbench.engine.retry import ordered_results

T = TypeVar("T")
R = TypeVar("R")


class ProcessEngine:
    """A pool of processes, replaced by a new one when a worker dies."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = _new_pool(jobs)

    def __enter__(self) -> "ProcessEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the documents."""

        def submit(document: T) -> "Future[R]":
            try:
                return self._pool.submit(work, document)
            except BrokenProcessPool as error:  # raised when the result is asked for
                future: Future[R] = Future()
                future.set_exception(error)
                return future

        return ordered_results(
            submit, documents, workers=self._jobs, lost_worker=BrokenProcessPool, restart=self._restart
        )

    def _restart(self) -> None:
        self._pool.shutdown()
        self._pool = _new_pool(self._jobs)


def _new_pool(jobs: int) -> ProcessPoolExecutor:
    # Not "fork": threads that libraries have started do not survive a fork.
    return ProcessPoolExecutor(jobs, mp_context=get_context("forkserver"))
