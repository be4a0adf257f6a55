"""Speed and memory of this checkout and of an earlier one, by turns.

Machines are noisy, so the two run alternately and their cheapest runs are compared:

    git worktree add ../before REVISION
    python -m benchmarks checkouts ../before

Prints the ratios and writes docs/results/checkouts.md. Fails if something costs over 1.1 times as much.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import INPUTS, ROOT
from benchmarks.page import Page, markdown_table
from benchmarks.process import Usage, cheapest, run_command
from benchmarks.render import input_path

_LIMIT = 1.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", type=Path, metavar="CHECKOUT", help="the other checkout")
    parser.add_argument("--inputs", type=Path, default=INPUTS)
    parser.add_argument("--corpora", default="S,L,XL")
    parser.add_argument("--runs", type=int, default=5)


def run(arguments: argparse.Namespace) -> Page:
    """Run every piece of work in both checkouts."""
    works = {"`import corefbench`": ["-c", "import corefbench"], "`corefbench --help`": ["-m", "corefbench", "--help"]}
    for name in filter(None, arguments.corpora.split(",")):
        files = [str(input_path(arguments.inputs, name, side, "conll")) for side in ("key", "response")]
        works[f"`corefbench score`, {name}"] = ["-m", "corefbench", "score", *files, "--quiet"]
    checkouts = (arguments.before.resolve(), ROOT)
    rows, passed = [], True
    for title, work in works.items():
        before, after = _by_turns(work, checkouts, arguments.runs)
        ratio = after.processor / before.processor
        passed &= ratio <= _LIMIT
        rows.append([title, _shown(before), _shown(after), f"{ratio:.2f} ×", f"{after.peak / before.peak:.2f} ×"])
        print(*rows[-1], sep="  ", file=sys.stderr)
    table = markdown_table(["work", "before", "now", "time", "memory"], rows)
    text = (
        "# This version and the one before\n\n"
        f"`python -m benchmarks checkouts BEFORE --corpora {arguments.corpora} --runs {arguments.runs}`\n\n"
        "Processor time (user + system) and peak memory of a process, the cheapest of "
        f"{arguments.runs} runs; the two checkouts run by turns, with the same packages.\n\n{table}\n"
    )
    return Page("checkouts", text, passed=passed)


def _by_turns(work: Sequence[str], checkouts: Sequence[Path], runs: int) -> list[Usage]:
    """Return the cheapest run in each checkout, after a first one that compiles bytecode."""
    usages: list[list[Usage]] = [[] for _ in checkouts]
    for _ in range(runs + 1):
        for checkout, measured in zip(checkouts, usages, strict=True):
            environment = f"PYTHONPATH={checkout / 'src'}"
            measured.append(run_command(["env", environment, sys.executable, *work]))
            if measured[-1].outcome != "done":
                raise SystemExit(f"{checkout}: {measured[-1].outcome}\n{measured[-1].errors}")
    return [cheapest(measured[1:]) for measured in usages]


def _shown(usage: Usage) -> str:
    return f"{usage.processor:.2f} s, {usage.peak / 1e6:.0f} MB"
