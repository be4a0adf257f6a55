"""One job, in a process of its own: ``python -m corefbench.web.worker FOLDER``.

It reads the order, says how far it is, and at the end puts the run among the others at once.
"""

import os
import signal
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from corefbench.errors import CorefbenchError, UsageError
from corefbench.web.orders import (
    ORDER,
    OUTCOME,
    PROGRESS,
    Order,
    Outcome,
    Progress,
    read_record,
    write_record,
)

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus
    from corefbench.runs import Run

_OFTEN = 0.2
"""Seconds between two reports."""
_MADE = "made.corefrun"


class Reporter:
    """Says how far the work is, not more often than somebody could read it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._progress = Progress(stage="starting")
        self._began = self._said = 0.0

    def stage(self, name: str, all: int = 0, unit: str = "") -> None:
        """A new stage."""
        self._began = perf_counter()
        self._say(Progress(stage=name, all=all, unit=unit))

    def advance(self, count: int) -> None:
        """So much more is done."""
        now, last = perf_counter(), self._progress
        done = last.done + count
        made = Progress(
            stage=last.stage, done=done, all=last.all, unit=last.unit, seconds=now - self._began
        )
        self._progress = made
        if now - self._said >= _OFTEN or done >= made.all:
            self._say(made)

    def _say(self, progress: Progress) -> None:
        self._progress, self._said = progress, perf_counter()
        write_record(self._path, progress)


def main(folder: Path) -> int:
    """Do what is ordered in the folder; the exit code."""
    order = read_record(folder / ORDER, Order)
    if order is None:
        return 2
    try:
        run = _made(order, Reporter(folder / PROGRESS))
        outcome = Outcome(run=_settled(run, folder, order.name))
    except CorefbenchError as error:
        outcome = Outcome(code=error.code, message=str(error))
    except Exception as error:
        traceback.print_exc()
        outcome = Outcome(
            code="CB001",
            message=f"CB001 something failed inside corefbench: {type(error).__name__}: {error}\n"
            "  try: please report it with the file that caused it",
        )
    write_record(folder / OUTCOME, outcome)
    return 0 if outcome.run else 1


def _made(order: Order, report: Reporter) -> "Run":
    return _bench(order, report) if order.form.kind == "bench" else _scores(order, report)


def _bench(order: Order, report: Reporter) -> "Run":
    from corefbench.bench.run import run_bench
    from corefbench.runs.record import record_bench
    from corefbench.runs.schema import Timing

    began, worked = perf_counter(), process_time()
    report.stage("reading")
    where, reader = _named(order.key), order.form.format or None
    bench = run_bench(
        where,
        order.form.plan(),
        format=reader,
        jobs=order.form.processes,
        begin=lambda count: report.stage("resolving", count, "documents"),
        advance=report.advance,
    )
    report.stage("scoring")
    return record_bench(
        bench,
        created=datetime.now(UTC),
        command=order.command,
        timing=Timing(wall=perf_counter() - began, cpu=process_time() - worked),
        source=where if isinstance(where, str) else None,
        format=reader,
    )


def _scores(order: Order, report: Reporter) -> "Run":
    from corefbench.runs.record import record_scores

    size = sum(map(_size, (order.key, *order.responses.values())))
    report.stage("reading", size, "bytes")
    return record_scores(
        _named(order.key),
        order.responses,
        order.form.profile,
        created=datetime.now(UTC),
        command=order.command,
        lenient=order.form.lenient,
        format=order.form.format or None,
        advance=report.advance,
    )


def _named(key: str) -> "str | Corpus":
    """A path as it is; else the corpus of that name."""
    if os.path.isabs(key):
        return key
    if key == "bundled":
        from corefbench.bundled import bundled

        return bundled()
    from corefbench.datasets import load_dataset

    return load_dataset(key)


def _size(where: str) -> int:
    path = Path(where)
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else 0


def _settled(run: "Run", folder: Path, name: str) -> str:
    """Write the run here, then put it among the others under a name that is free."""
    from corefbench.runs import save

    save(run, folder / _MADE)
    runs = folder.parent.parent / "runs"
    for number in range(1, 10_000):
        free = f"{name}-{number}" if number > 1 else name
        if _moved(folder / _MADE, runs / f"{free}.corefrun"):
            return free
    raise UsageError("there are too many runs of that name", found=name)


def _moved(source: Path, target: Path) -> bool:
    """Move a file unless there is one of that name."""
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if target.exists():
            return False
        source.replace(target)
        return True
    source.unlink()
    return True


def _end_with_the_server() -> None:
    """Wait until whoever started us is gone, and go with all our processes."""
    while os.read(0, 1):
        pass
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    if sys.argv[2:] == ["attended"]:
        Thread(target=_end_with_the_server, daemon=True).start()
    sys.exit(main(Path(sys.argv[1])))
