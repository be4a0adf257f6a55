"""Worker process that makes one run.

``python -m corefbench.workbench.worker FOLDER`` reads the job, reports its progress, and at the end
moves the finished run among the others.
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

from msgspec.structs import replace

from corefbench.errors import CorefbenchError, UsageError
from corefbench.workbench.jobs import (
    OUTCOME_FILE,
    PROGRESS_FILE,
    SPEC_FILE,
    JobOutcome,
    JobProgress,
    JobSpec,
    read_record,
    write_record,
)

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus
    from corefbench.runs import Run

_REPORT_INTERVAL = 0.2
"""Seconds between two reports of progress."""
_RUN_FILE = "made.corefrun"


class ProgressReporter:
    """Writes the progress of a job, at most a few times per second."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._progress = JobProgress(stage="starting")
        self._start = self._written_at = 0.0

    def stage(self, name: str, all: int = 0, unit: str = "") -> None:
        """Begin a stage."""
        self._start = perf_counter()
        self._write(JobProgress(stage=name, all=all, unit=unit))

    def advance(self, count: int) -> None:
        """Add to what is done."""
        now, progress = perf_counter(), self._progress
        self._progress = replace(progress, done=progress.done + count, seconds=now - self._start)
        is_last = self._progress.done >= self._progress.all
        if now - self._written_at >= _REPORT_INTERVAL or is_last:
            self._write(self._progress)

    def _write(self, progress: JobProgress) -> None:
        self._progress, self._written_at = progress, perf_counter()
        write_record(self._path, progress)


def main(folder: Path) -> int:
    """Do the job of a folder and return the exit code."""
    job = read_record(folder / SPEC_FILE, JobSpec)
    if job is None:
        return 2
    try:
        run = _make_run(job, ProgressReporter(folder / PROGRESS_FILE))
        outcome = JobOutcome(run=_store_run(run, folder, job.name))
    except CorefbenchError as error:
        outcome = JobOutcome(code=error.code, message=str(error))
    except Exception as error:
        traceback.print_exc()
        outcome = JobOutcome(
            code="CB001",
            message=f"CB001 something failed inside corefbench: {type(error).__name__}: {error}\n"
            "  try: please report it with the file that caused it",
        )
    write_record(folder / OUTCOME_FILE, outcome)
    return 0 if outcome.run else 1


def _make_run(job: JobSpec, report: ProgressReporter) -> "Run":
    return _run_bench(job, report) if job.form.kind == "bench" else _score_files(job, report)


def _run_bench(job: JobSpec, report: ProgressReporter) -> "Run":
    from corefbench.bench.run import run_bench
    from corefbench.runs.record import record_bench
    from corefbench.runs.schema import Timing

    start, cpu_start = perf_counter(), process_time()
    report.stage("reading")
    corpus, format_name = _open_key(job.key), job.form.format or None
    bench = run_bench(
        corpus,
        job.form.plan(),
        format=format_name,
        jobs=job.form.processes,
        begin=lambda count: report.stage("resolving", count, "documents"),
        advance=report.advance,
    )
    report.stage("scoring")
    return record_bench(
        bench,
        created=datetime.now(UTC),
        command=job.command,
        timing=Timing(wall=perf_counter() - start, cpu=process_time() - cpu_start),
        source=corpus if isinstance(corpus, str) else None,
        format=format_name,
    )


def _score_files(job: JobSpec, report: ProgressReporter) -> "Run":
    from corefbench.runs.record import record_scores

    size = sum(map(_input_size, (job.key, *job.responses.values())))
    report.stage("reading", size, "bytes")
    return record_scores(
        _open_key(job.key),
        job.responses,
        job.form.profile,
        created=datetime.now(UTC),
        command=job.command,
        lenient=job.form.lenient,
        format=job.form.format or None,
        advance=report.advance,
    )


def _open_key(key: str) -> "str | Corpus":
    """Return a path as it is; load the corpus of a name."""
    if os.path.isabs(key):
        return key
    if key == "bundled":
        from corefbench.datasets.bundled import load_bundled

        return load_bundled()
    from corefbench.datasets import load_dataset

    return load_dataset(key)


def _input_size(source: str) -> int:
    path = Path(source)
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else 0


def _store_run(run: "Run", folder: Path, name: str) -> str:
    """Write the run into the job's folder, then move it to a free name; return the name."""
    from corefbench.runs import write_run

    write_run(run, folder / _RUN_FILE)
    runs = folder.parent.parent / "runs"
    for number in range(1, 10_000):
        free = f"{name}-{number}" if number > 1 else name
        if _move_if_free(folder / _RUN_FILE, runs / f"{free}.corefrun"):
            return free
    raise UsageError("there are too many runs of that name", found=name)


def _move_if_free(source: Path, target: Path) -> bool:
    """Move a file unless the target exists; a hard link tests and claims the name at once."""
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


def _exit_with_server() -> None:
    """Wait until the server closes our input, then end with all our processes."""
    while os.read(0, 1):
        pass
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    if sys.argv[2:] == ["attended"]:
        Thread(target=_exit_with_server, daemon=True).start()
    sys.exit(main(Path(sys.argv[1])))
