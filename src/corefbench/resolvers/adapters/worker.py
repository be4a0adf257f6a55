"""A foreign system in a process of its own, under another Python.

The process is started once and answers many documents. It may be slow, die or talk nonsense: each
of these is an error with a code, and the process is ended; the next document starts another.
"""

import json
from collections.abc import Sequence
from threading import Lock
from typing import Any, NoReturn

import msgspec

from corefbench.errors import DataError, Place
from corefbench.resolvers.adapters.exchange import Asked, Reply
from corefbench.resolvers.adapters.process import Process


class Worker:
    """Talks to ``systems/serve.py`` over its standard input and output, a JSON object a line."""

    def __init__(self, python: str, system: str, options: dict[str, Any]) -> None:
        self._python, self._system, self._options = python, system, options
        self._process: Process | None = None
        self._greeting = Reply()
        self._lock = Lock()

    def open(self, seconds: float) -> Reply:
        """Start the process, unless it runs, and wait until the system is loaded."""
        with self._lock:
            return self._opened(seconds)

    def ask(self, documents: Sequence[Asked], seconds: float) -> Reply:
        """Send the documents in one line and wait for the line that answers them."""
        asked = {"documents": [msgspec.to_builtins(document) for document in documents]}
        with self._lock:
            greeting = self._opened(seconds)
            if greeting.failed:
                return greeting
            # ASCII throughout: no separator of lines and no half of a pair can break the line.
            line = json.dumps(asked).encode("ascii") + b"\n"
            reply = self._exchange(line, seconds, documents[0].name)
            if not reply.failed and len(reply.answers or ()) != len(documents):
                counted = f"{len(reply.answers or ())} answers to {len(documents)} documents"
                self._give_up("CB262", f"{self._system} left something out", "", counted)
            return reply

    def _opened(self, seconds: float) -> Reply:
        if self._process is None:
            self._process = Process(self._python, self._system, json.dumps(self._options))
            self._greeting = self._exchange(b"", seconds, "")
            if self._greeting.failed:
                self._end()
            elif not self._greeting.version:
                self._give_up("CB262", f"{self._system} did not say what it is", "", "")
        return self._greeting

    def _exchange(self, line: bytes, seconds: float, document: str) -> Reply:
        process = self._process
        if process is None:
            return self._greeting
        said = process.exchange(line, seconds)
        if said is None:
            message = f"{self._system} took more than {seconds:g} seconds"
            remedy = "seconds=… in its brackets gives it more"
            self._give_up("CB261", message, document, process.last_words(), remedy)
        if not said:
            code = process.exit_code()
            message = f"{self._system} ended with exit code {code} before it answered"
            self._give_up("CB260", message, document, process.last_words())
        try:
            return msgspec.json.decode(said, type=Reply)
        except (msgspec.DecodeError, msgspec.ValidationError):
            shown = ascii(said[:200].decode("utf-8", "replace"))
            self._give_up("CB262", f"{self._system} answered no JSON as agreed", document, shown)

    def _give_up(
        self, code: str, message: str, document: str, found: str, remedy: str = ""
    ) -> NoReturn:
        self._end()
        raise DataError(
            message,
            code=code,
            place=Place(source=self._python, document=document),
            found=found,
            remedy=remedy or "run it by hand in that environment to see what is wrong",
        )

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None
