"""Several processes of this machine.

A worker that dies takes its pool with it. The documents whose results had not been given out are
then done again by a new pool: nothing is lost, and nothing is given out twice.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from corefbench.engine.memory import keep_memory
from corefbench.errors import CorefbenchError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 3
"""Documents a worker, at most, that are taken in before the first of their results is given out."""
ATTEMPTS = 3
"""A document that so many workers died of is given up."""


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
        coming = iter(documents)
        waiting: deque[T] = deque(islice(coming, AHEAD * self._jobs))
        running = self._submit(work, waiting)
        losses = 0
        while running:
            try:
                result = running[0].result()
            except BrokenProcessPool as lost:
                losses += 1
                if losses == ATTEMPTS:
                    raise worker_lost() from lost
                self._pool.shutdown()
                self._pool = _pool(self._jobs)
                running = self._submit(work, waiting)
                continue
            losses = 0
            running.popleft()
            waiting.popleft()
            for document in islice(coming, 1):
                waiting.append(document)
                running += self._submit(work, [document])
            yield result

    def _submit(self, work: Callable[[T], R], documents: Iterable[T]) -> "deque[Future[R]]":
        made: deque[Future[R]] = deque()
        for document in documents:
            try:
                made.append(self._pool.submit(work, document))
            except BrokenProcessPool as lost:  # told when its turn comes
                made.append(_broken(lost))
        return made


def worker_lost() -> CorefbenchError:
    """What is said when a document cannot be done without losing a worker."""
    return CorefbenchError(
        "a worker was lost again and again",
        code="CB270",
        found=f"{ATTEMPTS} workers died of the same documents",
        remedy="there may be too little memory: try fewer --jobs, or --engine serial",
    )


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Threads that libraries have started do not survive a fork: begin afresh.
    return ProcessPoolExecutor(jobs, mp_context=get_context("forkserver"), initializer=keep_memory)


def _broken(lost: BrokenProcessPool) -> "Future[Any]":
    made: Future[Any] = Future()
    made.set_exception(lost)
    return made
