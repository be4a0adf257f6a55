"""Run the same function on many documents: serially, in processes, or on a Dask cluster.

Results come in the order of the documents, whichever worker finishes first, and no more documents
are read than keep the workers busy. Tallies and counters add up, so no result depends on the engine
or on the number of workers.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from corefbench.engine.base import Engine, is_parallel, open_engine

T = TypeVar("T")
R = TypeVar("R")

__all__ = ["Engine", "is_parallel", "map_documents", "open_engine"]


def map_documents(work: Callable[[T], R], documents: Iterable[T], *, engine: str = "", jobs: int = 1) -> Iterator[R]:
    """Yield the results in the order of the documents.

    ``engine`` is ``serial``, ``processes``, ``dask`` or ``dask:ADDRESS`` of a scheduler; by default
    processes if there are several ``jobs``. For any engine but ``serial``, ``work`` and documents
    must be picklable; ``work`` may run twice if a worker is lost, but its result is yielded once.

    >>> list(map_documents(len, ["one", "two words"]))
    [3, 9]
    """
    with open_engine(engine, jobs) as opened:
        yield from opened.map(work, documents)
