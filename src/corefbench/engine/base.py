"""What an engine is, and which there are."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from importlib.util import find_spec
from typing import Protocol, TypeVar

from corefbench.errors import MissingExtra, UnknownName, UsageError

T = TypeVar("T")
R = TypeVar("R")

NAMES = ["serial", "processes", "dask"]


class Engine(Protocol):
    """Does the same work on many documents."""

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        """The results in the order of the documents."""
        ...


def is_shared(name: str, jobs: int) -> bool:
    """Whether anybody else is to work; an engine that cannot be had is refused.

    >>> is_shared("", 1), is_shared("", 2), is_shared("processes", 1)
    (False, True, True)
    """
    return _chosen(name, jobs)[0] != "serial" or jobs > 1


def engine_of(name: str = "", jobs: int = 1) -> AbstractContextManager[Engine]:
    """The engine of that name, which is closed when its block is left.

    >>> with engine_of("serial") as engine:
    ...     list(engine.map(abs, [-1, 2]))
    [1, 2]
    """
    kind, address = _chosen(name, jobs)
    if kind == "processes":
        from corefbench.engine.processes import Processes

        return Processes(jobs)
    if kind == "dask":
        from corefbench.engine.cluster import Cluster

        return Cluster(jobs, address)
    from corefbench.engine.serial import Serial

    return Serial()


def _chosen(name: str, jobs: int) -> tuple[str, str]:
    """Which engine that is and, of a cluster, the address of its scheduler."""
    if jobs < 1:
        raise UsageError("there must be a worker", found=f"{jobs} jobs", expected="1 or more")
    kind, _, address = (name or ("processes" if jobs > 1 else "serial")).partition(":")
    if kind not in NAMES:
        raise UnknownName("engine", name, NAMES)
    if kind == "dask" and find_spec("distributed") is None:
        raise MissingExtra("distributed", "dask")
    return kind, address
