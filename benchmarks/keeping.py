"""How fast are run files? ``python -m benchmarks.keeping``.

The bundled corpus sixty times over (1,020 documents) and a response that lacks a fifth of its
mentions, scored by conll-2012. Wall time, least of five runs. Writes docs/results/keeping.md.
"""

import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks.pages import RESULTS, table

_TIMES, _RUNS = 60, 5


def main() -> None:
    """Measure, print and write the page."""
    from corefbench.runs import open_run, save
    from corefbench.runs.record import record_scores
    from corefbench.runs.verification import verify_run

    key, response = _corpora()
    run = record_scores(key, {"response": response}, created=datetime(2026, 1, 1, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.corefrun"
        rows = [
            ["write the file", _least(lambda: save(run, path), 1)],
            ["open it, header read", _least(lambda: open_run(path))],
            ["open it, all tallies read", _least(lambda: open_run(path).results)],
            ["open it, one document read", _least(lambda: open_run(path).document(500))],
            ["open it, all documents read", _least(lambda: open_run(path).corpora(), 1)],
            ["verify: score again and compare", _least(lambda: verify_run(open_run(path)), 1)],
        ]
        size = path.stat().st_size
    text = (
        "# Run files\n\n`python -m benchmarks.keeping`\n\n"
        f"{len(key):,} documents, {len(key.tokens):,} tokens with nine columns each, "
        f"{len(key.mentions):,} mentions; one response; {size / 1e6:.1f} MB. Wall time.\n\n"
        f"{table(['what', 'time'], [[what, _said(seconds)] for what, seconds in rows])}\n"
    )
    print(text)
    (RESULTS / "keeping.md").write_text(text, encoding="utf-8")


def _corpora():  # type: ignore[no-untyped-def]
    from msgspec.structs import replace

    from corefbench.bundled import bundled
    from corefbench.model.assemble import concatenate, keep_mentions

    one = bundled()
    names = one.documents.names
    copies = [
        replace(one, documents=replace(one.documents, names=tuple(f"{n}-{i}" for n in names)))
        for i in range(_TIMES)
    ]
    key = concatenate("many", copies)
    return key, keep_mentions(key, np.arange(len(key.mentions)) % 5 > 0)


def _least(work: Callable[[], object], runs: int = _RUNS) -> float:
    best = float("inf")
    for _ in range(runs):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def _said(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"


if __name__ == "__main__":
    main()
