"""A job on disk: what was ordered, how far it is, and what came of it.

    jobs/ID/order.json      what to do; there before anything else
    jobs/ID/progress.json   how far the worker is
    jobs/ID/outcome.json    written last: the run that was made, or the error
    jobs/ID/cancelled       somebody stopped it
    jobs/ID/worker.log      what the worker printed

Every file is put in place whole. A job without an outcome that no process works on was stopped.
"""

import os
from pathlib import Path
from typing import TypeVar

import msgspec

from corefbench.findings import Finding
from corefbench.record import Record
from corefbench.web.form import Form

ORDER, PROGRESS, OUTCOME = "order.json", "progress.json", "outcome.json"
CANCELLED, LOG = "cancelled", "worker.log"

R = TypeVar("R", bound=Record)


class Order(Record, frozen=True):
    """What is to be done."""

    name: str
    """What the run is to be called."""
    form: Form
    key: str
    """The corpus or key: an absolute path, or a name such as ``bundled`` or ``gum/dev``."""
    responses: dict[str, str] = {}  # noqa: RUF012
    """Absolute paths by the names of the responses."""
    command: tuple[str, ...] = ()
    """The same on the command line."""
    findings: tuple[Finding, ...] = ()
    """What the check of the input said."""


class Progress(Record, frozen=True):
    """How far a worker is."""

    stage: str
    done: int = 0
    all: int = 0
    """0 where it is not known."""
    unit: str = ""
    seconds: float = 0.0
    """Since the stage began."""

    @property
    def left(self) -> float | None:
        """Seconds that are left of the stage, if the rest is like what is done."""
        if not self.done or not self.all:
            return None
        return self.seconds * (self.all - self.done) / self.done


class Outcome(Record, frozen=True):
    """What came of it."""

    run: str = ""
    """The name of the run; empty where it failed."""
    code: str = ""
    message: str = ""
    """The error, with its place and what to do."""


def read_record(path: Path, kind: type[R]) -> R | None:
    """The record in a file; None where there is none, or none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def write_record(path: Path, record: Record) -> None:
    """Put a record in place whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(msgspec.json.encode(record))
    beside.replace(path)
