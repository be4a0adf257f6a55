"""Can a million mentions be clustered? ``python -m benchmarks.clustering [--model EVENT]``.

Synthetic mentions (``benchmarks.mentions``) in growing number, each size in a process of its own:
time of every stage, processor time and peak memory of the command and of its largest worker. Where
all pairs can be compared, blocked clusters are held against those of exact linking; so they are on
ECB+ with a trained model. What was measured is kept in ``--book``, so that sizes can be measured
one by one. Writes docs/results/clustering.md.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.clustering_page import page
from benchmarks.inputs import INPUTS
from benchmarks.pages import RESULTS

_EXACT = (5_000, 10_000)
_LOOK_EVERY = 2.0


def main() -> None:
    """Measure what is asked for, print and write the page."""
    arguments = _arguments()
    if arguments.child:
        print(json.dumps(_child(arguments.child, arguments.jobs, arguments.exact)))
        return
    book = json.loads(arguments.book.read_text()) if arguments.book.exists() else {}
    for size in arguments.sizes:
        book.setdefault("sizes", {})[str(size)] = _measured(size, arguments.jobs)
        _keep(book, arguments.book)
    for size in _EXACT if arguments.exact else ():
        book.setdefault("exact", {})[str(size)] = _measured(size, 1, "--exact")
        _keep(book, arguments.book)
    if arguments.model:
        from benchmarks.clustering_ecb import compared

        book["ecb"] = compared(arguments.model)
        _keep(book, arguments.book)
    text = page(book, os.cpu_count() or 1)
    print(text)
    (RESULTS / "clustering.md").write_text(text, encoding="utf-8")


def _keep(book: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(book, indent=1), encoding="utf-8")


def _measured(size: int, jobs: int, *options: str) -> dict[str, Any]:
    """Run a child, and look at the processes of its session while it runs."""
    words = ["-m", "benchmarks.clustering", "--child", str(size), "--jobs", str(jobs), *options]
    load = os.getloadavg()[0]
    with subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        start_new_session=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    ) as child:
        seen: dict[int, tuple[float, int]] = {}
        while child.poll() is None:
            seen |= _processes(child.pid)
            time.sleep(_LOOK_EVERY)
        said: dict[str, Any] = json.loads(child.stdout.read() if child.stdout else "{}")
    seen.pop(child.pid, None)
    return said | {
        "jobs": jobs,
        "load": (load + os.getloadavg()[0]) / 2,
        "worker": max((peak for _, peak in seen.values()), default=0),
        "processor": said["processor"] + sum(seconds for seconds, _ in seen.values()),
    }


def _processes(session: int) -> dict[int, tuple[float, int]]:
    """Processor seconds and peak memory of every process of a session."""
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[3]) != session:
                continue
            status = (folder / "status").read_text()
            peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        except (OSError, StopIteration, IndexError):  # it has just ended
            continue
        seconds = (int(fields[11]) + int(fields[12])) / tick
        found[int(folder.name)] = (seconds, int(peak.split()[1]) * 1024)
    return found


def _child(size: int, jobs: int, exact: bool) -> dict[str, Any]:
    """Cluster so many mentions, and say what it took and how good it is."""
    import resource

    import msgspec
    import numpy as np

    from benchmarks.mentions import Similarity, synthetic
    from corefbench.resolvers.across.blocked import link
    from corefbench.resolvers.across.blocking import Blocking
    from corefbench.resolvers.across.candidates import points_of
    from corefbench.resolvers.across.judging import Judge
    from corefbench.resolvers.across.workers import Workers
    from corefbench.training.across_tuning import conll

    context, group = synthetic(size), np.zeros(size, np.int64)
    table, judge = context.table, Judge(scorer=Similarity(), context=context)
    began, processor = time.perf_counter(), time.process_time()
    forest, account = link(
        points_of(context, group),
        judge,
        Blocking(neighbours=10, same_lemma=10, links=8, effort=40),
        0.5,
        workers=Workers(jobs=jobs, step=_told),
        chain=table.chain,
    )
    clusters = forest.clusters(0.5)
    made: dict[str, Any] = {
        "account": msgspec.to_builtins(account),
        "wall": time.perf_counter() - began,
        "processor": time.process_time() - processor,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "chains": int(table.chain.max()) + 1,
        "lemma": int(np.bincount(context.lemma).max()),
    }
    made["key"] = conll(table, table.chain, table, clusters)
    if exact:
        whole = _exactly(judge, group)
        made["exact"] = conll(table, table.chain, table, whole)
        made["agreement"] = conll(table, whole, table, clusters)
    return made


def _exactly(judge: Any, group: Any) -> Any:
    from corefbench.resolvers.across.linking import forest
    from corefbench.resolvers.across.pairs import all_pairs

    one, other = all_pairs(group)
    score = judge.scorer.score(judge.context, one, other)
    return forest(group, one, other, score).clusters(0.5)


def _told(stage: str, done: int, total: int) -> None:
    print(f"{time.strftime('%H:%M:%S')} {stage} {done}/{total}", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--exact", action="store_true", help="compare with exact linking too")
    parser.add_argument("--model", type=Path, help="a trained model, to compare on ECB+")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--book", type=Path, default=INPUTS / "clustering.json")
    parser.add_argument("--child", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
