"""Speed of saving and opening run files.

The bundled corpus sixty times over (1,020 documents) and a response that lacks a fifth of its
mentions, scored by conll-2012. Wall time, least of five runs. Writes docs/results/keeping.md.
"""

import argparse
import tempfile
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.page import Page, markdown_table
from benchmarks.process import best_time

_TIMES, _RUNS = 60, 5


def run(arguments: argparse.Namespace) -> Page:
    """Measure."""
    from corefbench.runs import open_run, write_run
    from corefbench.runs.record import record_scores
    from corefbench.runs.verify import verify_run

    timed = partial(best_time, runs=_RUNS, clock=time.perf_counter)
    key, response = _corpora()
    run = record_scores(key, {"response": response}, created=datetime(2026, 1, 1, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.corefrun"
        rows = [
            ["write the file", timed(lambda: write_run(run, path), runs=1)],
            ["open it, header read", timed(lambda: open_run(path))],
            ["open it, all tallies read", timed(lambda: open_run(path).results)],
            ["open it, one document read", timed(lambda: open_run(path).document(500))],
            ["open it, all documents read", timed(lambda: open_run(path).corpora(), runs=1)],
            ["verify: score again and compare", timed(lambda: verify_run(open_run(path)), runs=1)],
        ]
        size = path.stat().st_size
    text = (
        "# Run files\n\n`python -m benchmarks run-files`\n\n"
        f"{len(key):,} documents, {len(key.tokens):,} tokens with nine columns each, "
        f"{len(key.mentions):,} mentions; one response; {size / 1e6:.1f} MB. Wall time.\n\n"
        f"{markdown_table(['what', 'time'], [[name, _format_time(time)] for name, time in rows])}\n"
    )
    return Page("run-files", text)


def _corpora():  # type: ignore[no-untyped-def]
    from msgspec.structs import replace

    from corefbench.corpus.combine import concatenate, keep_mentions
    from corefbench.datasets.bundled import load_bundled

    one = load_bundled()
    names = one.documents.names
    copies = [
        replace(one, documents=replace(one.documents, names=tuple(f"{n}-{i}" for n in names))) for i in range(_TIMES)
    ]
    key = concatenate("many", copies)
    return key, keep_mentions(key, np.arange(len(key.mentions)) % 5 > 0)


def _format_time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"
