"""Results in the order of the documents, though workers may be lost on the way.

The documents whose results had not been given out are then done again: nothing is lost, and nothing
is given out twice.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from corefbench.errors import CorefbenchError

T = TypeVar("T")

Submit: TypeAlias = Callable[[T], Any]
"""Gives a document to a worker; what it returns has a ``result``."""

AHEAD = 3
"""Documents a worker, at most, that are taken in before the first of their results is given out."""
ATTEMPTS = 3
"""A document that so many workers died of is given up."""


def in_order(
    submit: Submit[T],
    documents: Iterable[T],
    *,
    workers: int,
    lost: type[Exception],
    renew: Callable[[], None],
) -> Iterator[Any]:
    """The results; where one is ``lost``, workers are renewed and given what is left."""
    coming = iter(documents)
    waiting = deque(islice(coming, AHEAD * workers))
    running = deque(map(submit, waiting))
    losses = 0
    while running:
        try:
            result = running[0].result()
        except lost as error:
            losses += 1
            if losses == ATTEMPTS:
                raise worker_lost() from error
            renew()
            running = deque(map(submit, waiting))
            continue
        losses = 0
        running.popleft()
        waiting.popleft()
        for document in islice(coming, 1):
            waiting.append(document)
            running.append(submit(document))
        yield result


def worker_lost() -> CorefbenchError:
    """What is said when a document cannot be done without losing a worker."""
    return CorefbenchError(
        "a worker was lost again and again",
        code="CB270",
        found=f"{ATTEMPTS} workers died of the same documents",
        remedy="there may be too little memory: try fewer --jobs, or --engine serial",
    )
