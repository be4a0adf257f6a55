"""How far the work on a long document has come, told to whoever listens.

What takes long inside one document, such as a network that reads a book window by window, tells it
as it goes; a progress bar listens. Where nobody does, telling costs nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

Listener = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener be told of all that is done inside.

    >>> with listening(lambda what, done, total: print(what, done, "of", total)):
    ...     tell("encoding", 2, 5)
    encoding 2 of 5
    >>> tell("encoding", 3, 5)
    """
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def tell(what: str, done: int, total: int) -> None:
    """Say how far it has come."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)


def counted(what: str, items: Iterable[T], total: int) -> Iterator[T]:
    """The same items, each told of when the next is asked for."""
    for done, item in enumerate(items, start=1):
        yield item
        tell(what, done, total)
