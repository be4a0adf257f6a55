"""Does it scale? ``python -m benchmarks scale [--largest S68]``.

Scores generated corpora (``benchmarks.generate``) of growing size with one worker and with two, by
processes and by Dask, each as a process of its own: wall time, the peak memory of the command and
of its largest worker, and whether the scores are the same to the last bit. The time is the least of
three runs, one worker and two in turn; how many times one worker's work is done is the median of
what each turn gave, since the machine may be slower in the next. Memory is looked at in a run of
its own, since looking takes processor time that two workers have a use for. What the machine itself
gives two busy processes is seen from two commands that run at once, each the whole. Writes
docs/results/scale.md.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from benchmarks.data import INPUTS
from benchmarks.generate import make
from benchmarks.page import Page, markdown_table
from benchmarks.process import session_processes
from benchmarks.render import SIDES, input_path

TOKENS = 147_611
"""Of S: all copies have as many."""
_SIZES = ("S", "S4", "S17", "S68", "S272")
_WORKERS = {"one": (), "two processes": ("--jobs", "2"), "two, Dask": ("--engine", "dask", "--jobs", "2")}
_TWICE = "two commands at once, the half of their time"
_PLAIN = ("--quiet", "-f", "json")
_LOOK_EVERY = 0.05


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    peak: int
    """Of the command itself, in bytes …"""
    worker: int
    """… and of its largest worker; 0 where it has none."""
    signature: str
    wall: float = 0.0
    times: float = 1.0
    """How many times the work of one worker is done in the same time."""


def run(arguments: argparse.Namespace) -> Page:
    """Measure."""
    sizes = _SIZES[: _SIZES.index(arguments.largest) + 1]
    measured = {name: _measure(name, arguments.runs) for name in sizes}
    text = _TEXT.format(
        cost=markdown_table(_HEAD, [row for name, costs in measured.items() for row in _rows(name, costs)]),
        growth=markdown_table(["input", "times as large", "times the wall time"], _growth(measured)),
        same="the same" if _same(measured) else "NOT the same",
        cores=os.cpu_count(),
        said=f"--largest {arguments.largest} --runs {arguments.runs}",
    )
    return Page("scale", text)


def _measure(name: str, runs: int) -> dict[str, Cost]:
    make(name, INPUTS, ["conll"])
    files = [str(input_path(INPUTS, name, side, "conll")) for side in SIDES]
    commands = {
        workers: [sys.executable, "-m", "corefbench", "score", *files, *options, *_PLAIN]
        for workers, options in _WORKERS.items()
    }
    walls = [
        {_TWICE: _wall(commands["one"], times=2) / 2} | {workers: _wall(words) for workers, words in commands.items()}
        for _ in range(runs)
    ]
    least = {workers: min(wall[workers] for wall in walls) for workers in walls[0]}
    times = {workers: median(wall["one"] / wall[workers] for wall in walls) for workers in walls[0]}
    costs = {
        workers: replace(_looked_at(words), wall=least[workers], times=times[workers])
        for workers, words in commands.items()
    }
    return costs | {_TWICE: replace(costs["one"], wall=least[_TWICE], times=times[_TWICE])}


def _wall(words: Sequence[str], times: int = 1) -> float:
    """The seconds that a command takes when it is let alone, or with its like."""
    began = time.perf_counter()
    running = [subprocess.Popen(words, stdout=subprocess.DEVNULL) for _ in range(times)]
    if any(command.wait() for command in running):
        raise SystemExit(f"failed: {' '.join(words)}")
    return time.perf_counter() - began


def _looked_at(words: Sequence[str]) -> Cost:
    """Run a command again, and look at the memory of all its processes while it runs."""
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, text=True
    ) as command:
        processes: dict[int, tuple[float, int]] = {}
        while command.poll() is None:
            processes |= session_processes(command.pid)
            time.sleep(_LOOK_EVERY)
        result = json.loads(command.stdout.read() if command.stdout else "")
    _, own = processes.pop(command.pid, (0.0, 0))
    largest = max((peak for _, peak in processes.values()), default=0)
    return Cost(own, largest, result["signature"])


_HEAD = ["input", "tokens", "workers", "wall", "tokens a second", "times one", "command", "worker"]


def _rows(name: str, costs: dict[str, Cost]) -> list[list[str]]:
    tokens = TOKENS * _times(name)
    return [
        [
            name,
            f"{tokens:,}",
            workers,
            f"{cost.wall:.2f} s",
            f"{tokens / cost.wall:,.0f}",
            f"{cost.times:.2f}",
            f"{cost.peak / 1e6:.0f} MB",
            f"{cost.worker / 1e6:.0f} MB" if cost.worker else "–",
        ]
        for workers, cost in costs.items()
    ]


def _growth(measured: dict[str, dict[str, Cost]]) -> list[list[str]]:
    return [
        [
            f"{less} → {more}",
            f"{_times(more) / _times(less):.2f}",
            f"{measured[more]['one'].wall / measured[less]['one'].wall:.2f}",
        ]
        for less, more in pairwise(measured)
    ]


def _same(measured: dict[str, dict[str, Cost]]) -> bool:
    return all(len({cost.signature for cost in costs.values()}) == 1 for costs in measured.values())


def _times(name: str) -> int:
    return int(name.removeprefix("S") or 1)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--largest", default="S68", choices=_SIZES)
    parser.add_argument("--runs", type=int, default=3)


_TEXT = """# Scale

`python -m benchmarks scale {said}`

`corefbench score KEY RESPONSE --jobs N --engine E` on generated corpora in the twelve columns of
CoNLL-2012, {cores} cores. Wall time with the start of all processes, the least of the runs; how
many times one worker's work, the median of the runs, each compared within itself; peak memory of
the command itself and of its largest worker. Scores and signatures of all ways are {same}.

{cost}

With one worker, cost against size:

{growth}
"""
