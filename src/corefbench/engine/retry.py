"""Ordered results from workers that may be lost.

After a loss, the documents whose results have not been yielded are submitted again: no result is
lost, and none is yielded twice.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from corefbench.errors import CorefbenchError

T = TypeVar("T")

Submit: TypeAlias = Callable[[T], Any]
"""Gives a document to a worker; returns a future."""

DOCUMENTS_PER_WORKER = 3
"""How many documents per worker are read before the first of their results is yielded."""
MAX_ATTEMPTS = 3
"""A document is given up after so many workers died of it."""


def ordered_results(
    submit: Submit[T],
    documents: Iterable[T],
    *,
    workers: int,
    lost_worker: type[Exception],
    restart: Callable[[], None],
) -> Iterator[Any]:
    """Yield the results; after a ``lost_worker`` error, restart and submit what is left."""
    unread = iter(documents)
    pending = deque(islice(unread, DOCUMENTS_PER_WORKER * workers))
    futures = deque(map(submit, pending))
    losses = 0
    while futures:
        try:
            result = futures[0].result()
        except lost_worker as error:
            losses += 1
            if losses == MAX_ATTEMPTS:
                raise worker_lost_error() from error
            restart()
            futures = deque(map(submit, pending))
            continue
        losses = 0
        futures.popleft()
        pending.popleft()
        for document in islice(unread, 1):
            pending.append(document)
            futures.append(submit(document))
        yield result


def worker_lost_error() -> CorefbenchError:
    """Return the error for a document that cannot be done without losing a worker."""
    return CorefbenchError(
        "a worker was lost repeatedly",
        code="CB270",
        found=f"{MAX_ATTEMPTS} workers died of the same documents",
        remedy="there may be too little memory: try fewer --jobs, or --engine serial",
    )
