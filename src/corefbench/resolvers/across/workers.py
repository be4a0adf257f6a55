"""Work that is shared out in pieces, with what all pieces need sent once to every worker."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeAlias, TypeVar

from corefbench.engine import engine_of, is_shared

T = TypeVar("T")
R = TypeVar("R")

Step: TypeAlias = Callable[[str, int, int], None]
"""Told the stage, the pieces that are done, and those there are in all."""


def no_step(stage: str, done: int, total: int) -> None:
    """Tells nobody."""


class Held(Generic[T]):
    """Something large: here as it is, and for processes of this machine in a file of their own."""

    def __init__(self, value: T, path: Path | None = None) -> None:
        self._value, self._path = value, path
        if path is not None:
            path.write_bytes(pickle.dumps(value, protocol=5))

    @property
    def value(self) -> T:
        return self._value

    def __reduce__(self) -> tuple[Any, ...]:
        return (Held, (self._value,)) if self._path is None else (_read, (str(self._path),))


@lru_cache(maxsize=1)
def _read(path: str) -> "Held[Any]":
    """A worker reads the file once, whatever the number of its pieces."""
    return Held(pickle.loads(Path(path).read_bytes()))


class Workers:
    """An engine, and a word to who waits for it."""

    def __init__(self, engine: str = "", jobs: int = 1, step: Step = no_step) -> None:
        self.engine, self.jobs, self.step = engine, jobs, step

    @contextmanager
    def holding(self, value: T) -> Iterator[Held[T]]:
        """What every piece of work needs. A cluster gets it with the work, which it sends once."""
        if not is_shared(self.engine, self.jobs) or self.engine.startswith("dask"):
            yield Held(value)
            return
        with TemporaryDirectory(prefix="corefbench-") as folder:
            yield Held(value, Path(folder) / "held")

    def map(self, stage: str, work: Callable[[T], R], pieces: Sequence[T]) -> Iterator[R]:
        """The results in the order of the pieces."""
        self.step(stage, 0, len(pieces))
        # One piece is not worth a pool.
        name, jobs = (self.engine, self.jobs) if len(pieces) > 1 else ("serial", 1)
        with engine_of(name, jobs) as engine:
            for done, result in enumerate(engine.map(work, pieces), 1):
                self.step(stage, done, len(pieces))
                yield result
