"""One seam for all work that goes document by document: here, or in several processes."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def map_documents(work: Callable[[T], R], documents: Iterable[T], *, jobs: int = 1) -> Iterator[R]:
    """The results in the order of the documents, whichever process was first.

    >>> list(map_documents(len, ["one", "two words"]))
    [3, 9]
    """
    if jobs <= 1:
        yield from map(work, documents)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Threads that libraries have started do not survive a fork: begin afresh.
    with ProcessPoolExecutor(jobs, mp_context=get_context("forkserver")) as pool:
        yield from pool.map(work, documents)
