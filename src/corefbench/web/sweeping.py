"""Uploads that nothing needs any longer are deleted when the workbench starts.

A file that was sent is needed by the job that reads it, which can be started again, and by the run
that came of it, whose command names it. A form that was not sent off keeps it for a week.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from re import fullmatch

from corefbench.errors import CorefbenchError
from corefbench.runs import open_run
from corefbench.web.orders import ORDER, OUTCOME, Order, Outcome, read_record
from corefbench.web.workbench import Workbench

WEEK = 7 * 24 * 60 * 60.0


def sweep(workbench: Workbench, *, now: float, age: float = WEEK) -> list[str]:
    """Delete uploads that are older and that no job and no run names; what was deleted."""
    old = [folder for folder in _uploads(workbench) if now - _written(folder) > age]
    if not old:
        return []
    named = "\n".join([*_of_jobs(workbench), *_of_runs(workbench)])
    gone = [folder for folder in old if folder.name not in named]
    for folder in gone:
        shutil.rmtree(folder, ignore_errors=True)
    return [folder.name for folder in gone]


def _uploads(workbench: Workbench) -> list[Path]:
    """The folders of uploads, each called by what is in it."""
    found = sorted((workbench.folder / "uploads").iterdir())
    return [one for one in found if fullmatch("[0-9a-f]{16}", one.name) and one.is_dir()]


def _written(folder: Path) -> float:
    """When anything in it was last written."""
    times = [0.0]
    for path in (folder, *folder.rglob("*")):
        with suppress(OSError):
            times.append(os.lstat(path).st_mtime)
    return max(times)


def _of_jobs(workbench: Workbench) -> Iterator[str]:
    """What is named by the jobs that can be started, or whose run is still there."""
    runs = workbench.runs
    for folder in (workbench.folder / "jobs").iterdir():
        order, outcome = read_record(folder / ORDER, Order), read_record(folder / OUTCOME, Outcome)
        done = outcome is not None and outcome.run
        if order is not None and (not done or done in runs):
            form = order.form
            yield from (order.key, *order.responses.values(), form.kept, *form.responses_kept)


def _of_runs(workbench: Workbench) -> Iterator[str]:
    """What is named by the commands that made the runs."""
    for path in workbench.runs.values():
        with suppress(CorefbenchError):  # a damaged file is said to be so where runs are listed
            yield from open_run(path).header.command
