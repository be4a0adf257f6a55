"""The engine protocol, the serial engine, and the choice of an engine by name."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from importlib.util import find_spec
from typing import Protocol, TypeVar

from corefbench.errors import MissingExtra, UnknownName, UsageError

T = TypeVar("T")
R = TypeVar("R")

ENGINE_NAMES = ["serial", "processes", "dask"]


class Engine(Protocol):
    """Runs the same function on many documents."""

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the documents."""
        ...


class SerialEngine:
    """Runs in this process, one document after another."""

    def __enter__(self) -> "SerialEngine":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        return map(work, documents)


def is_parallel(name: str, jobs: int) -> bool:
    """Return whether other processes do the work; raise if the engine is not available.

    >>> is_parallel("", 1), is_parallel("", 2), is_parallel("processes", 1)
    (False, True, True)
    """
    return _parse_name(name, jobs)[0] != "serial" or jobs > 1


def open_engine(name: str = "", jobs: int = 1) -> AbstractContextManager[Engine]:
    """Return the engine of that name, a context manager that shuts it down.

    >>> with open_engine("serial") as engine:
    ...     list(engine.map(abs, [-1, 2]))
    [1, 2]
    """
    kind, address = _parse_name(name, jobs)
    if kind == "processes":
        from corefbench.engine.processes import ProcessEngine

        return ProcessEngine(jobs)
    if kind == "dask":
        from corefbench.engine.dask import DaskEngine

        return DaskEngine(jobs, address)
    return SerialEngine()


def _parse_name(name: str, jobs: int) -> tuple[str, str]:
    """Return the kind of engine and, for Dask, the address of the scheduler."""
    if jobs < 1:
        raise UsageError("at least one worker is needed", found=f"{jobs} jobs", expected="1 or more")
    kind, _, address = (name or ("processes" if jobs > 1 else "serial")).partition(":")
    if kind not in ENGINE_NAMES:
        raise UnknownName("engine", name, ENGINE_NAMES)
    # Found out here, before any work is done.
    if kind == "dask" and find_spec("distributed") is None:
        raise MissingExtra("distributed", "dask")
    return kind, address
