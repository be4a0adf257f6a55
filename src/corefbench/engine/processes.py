"""Several processes of this machine. A worker that dies takes its pool with it."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from corefbench.engine.memory import keep_memory
from corefbench.engine.retrying import in_order

T = TypeVar("T")
R = TypeVar("R")


class Processes:
    """A pool of processes."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = _pool(jobs)

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        """The results in the order of the documents."""

        def submit(document: T) -> "Future[R]":
            try:
                return self._pool.submit(work, document)
            except BrokenProcessPool as lost:  # told when its turn comes
                return _broken(lost)

        return in_order(
            submit, documents, workers=self._jobs, lost=BrokenProcessPool, renew=self._renew
        )

    def _renew(self) -> None:
        self._pool.shutdown()
        self._pool = _pool(self._jobs)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Threads that libraries have started do not survive a fork: begin afresh.
    return ProcessPoolExecutor(jobs, mp_context=get_context("forkserver"), initializer=keep_memory)


def _broken(lost: BrokenProcessPool) -> "Future[Any]":
    made: Future[Any] = Future()
    made.set_exception(lost)
    return made
