"""Here, one document after another."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Serial:
    """The engine that all others must agree with."""

    def __enter__(self) -> "Serial":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, work: Callable[[T], R], documents: Iterable[T]) -> Iterator[R]:
        """The results, each when it is asked for."""
        return map(work, documents)
