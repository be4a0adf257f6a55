"""One seam for all work that goes document by document: here, in processes, on many machines.

``map_documents`` gives results in the order of the documents, whoever was first, and takes in no
more documents than the workers can be busy with. Tallies and counters add, so what is made of the
results does not depend on the engine or on the number of workers.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from corefbench.engine.base import Engine, engine_of, is_shared

T = TypeVar("T")
R = TypeVar("R")

__all__ = ["Engine", "engine_of", "is_shared", "map_documents"]


def map_documents(
    work: Callable[[T], R], documents: Iterable[T], *, engine: str = "", jobs: int = 1
) -> Iterator[R]:
    """The results in the order of the documents, whichever worker was first.

    ``engine`` is ``serial``, ``processes``, ``dask`` or ``dask:ADDRESS`` of a scheduler; else
    processes if there are several ``jobs``. ``work`` and documents must be picklable for any but
    ``serial``, and ``work`` may be done twice if a worker is lost, but its result is given once.

    >>> list(map_documents(len, ["one", "two words"]))
    [3, 9]
    """
    with engine_of(engine, jobs) as chosen:
        yield from chosen.map(work, documents)
