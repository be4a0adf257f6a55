"""Run pieces of work on an engine, sending shared values once per worker."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeAlias, TypeVar

from corefbench.engine import is_parallel, open_engine

T = TypeVar("T")
R = TypeVar("R")

ProgressCallback: TypeAlias = Callable[[str, int, int], None]
"""Called with the stage, the number of finished pieces and their total."""


class SharedValue(Generic[T]):
    """A large value; local worker processes read it from a file instead of with every task."""

    def __init__(self, value: T, path: Path | None = None) -> None:
        self.value, self._path = value, path
        if path is not None:
            path.write_bytes(pickle.dumps(value, protocol=5))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._path is None:
            return SharedValue, (self.value,)
        return _read_shared, (str(self._path),)


# A worker process reads the file once, however many tasks it gets.
@lru_cache(maxsize=1)
def _read_shared(path: str) -> "SharedValue[Any]":
    return SharedValue(pickle.loads(Path(path).read_bytes()))


def batch_slices(costs: Sequence[int], limit: int) -> Iterator[slice]:
    """Group consecutive pieces of work so that tasks have a similar cost.

    >>> list(batch_slices([5, 1, 1, 9], 6))
    [slice(0, 2, None), slice(2, 4, None)]
    """
    first, total = 0, 0
    for number, cost in enumerate(costs, 1):
        total += cost
        if total >= limit or number == len(costs):
            yield slice(first, number)
            first, total = number, 0


class Workers:
    """An engine with a number of jobs and a progress callback."""

    def __init__(
        self, engine: str = "", jobs: int = 1, progress: ProgressCallback = lambda stage, done, total: None
    ) -> None:
        self.engine, self.jobs, self.progress = engine, jobs, progress

    @contextmanager
    def share(self, value: T) -> Iterator[SharedValue[T]]:
        """Share a value among all tasks. Dask already sends equal values once per worker."""
        if not is_parallel(self.engine, self.jobs) or self.engine.startswith("dask"):
            yield SharedValue(value)
            return
        with TemporaryDirectory(prefix="corefbench-") as folder:
            yield SharedValue(value, Path(folder) / "value")

    def map(self, stage: str, work: Callable[[T], R], pieces: Sequence[T]) -> Iterator[R]:
        """Yield the results in the order of the pieces."""
        self.progress(stage, 0, len(pieces))
        # Starting a pool for a single piece costs more than it saves.
        name, jobs = (self.engine, self.jobs) if len(pieces) > 1 else ("serial", 1)
        with open_engine(name, jobs) as engine:
            for done, result in enumerate(engine.map(work, pieces), 1):
                self.progress(stage, done, len(pieces))
                yield result
