"""A foreign system in this process, for packages that are installed beside corefbench."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from threading import Lock
from typing import Any

import msgspec

from corefbench.errors import DataError
from corefbench.resolvers.adapters.exchange import Asked, Reply
from corefbench.resolvers.adapters.systems import serve

_SYSTEMS = "corefbench.resolvers.adapters.systems"


class Local:
    """Calls the same code that a worker runs."""

    def __init__(self, system: str, options: dict[str, Any]) -> None:
        self._system, self._options = system, options
        self._loaded: Any = None
        self._greeting = Reply()
        self._lock = Lock()

    def open(self, seconds: float) -> Reply:
        """Load the package and its model. The time is not limited in one's own process."""
        with self._lock:
            if self._loaded is None:
                module = import_module(f"{_SYSTEMS}.{self._system}")
                # What other packages print must not end up in the output of corefbench.
                with redirect_stdout(sys.stderr):
                    self._loaded, said = serve.opened(module, self._options)
                self._greeting = msgspec.convert(said, Reply)
            return self._greeting

    def ask(self, documents: Sequence[Asked], seconds: float) -> Reply:
        """The answers of the package."""
        with self._lock, redirect_stdout(sys.stderr):
            said = serve.answered(self._loaded, [msgspec.to_builtins(one) for one in documents])
        try:
            return msgspec.convert(said, Reply)
        except msgspec.ValidationError as error:
            raise DataError(
                f"{self._system} answered other than agreed", code="CB262", found=str(error)
            ) from error
