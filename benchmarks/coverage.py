"""What the tests run: ``python -m benchmarks coverage``, after ``coverage run`` and ``combine``.

Lines and branches, package by package. Writes docs/results/coverage.md; ``--complete-only`` where
only the tests of the packages that are to be complete were run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data import ROOT
from benchmarks.page import Page, markdown_table

COMPLETE = ("scoring/measures", "scoring/policy", "scoring/matching", "campaign/domain")
"""Packages in which every line and branch is to be run."""
LEAST = 95.0
_INTRODUCTION = """# Coverage

`make coverage`

Lines and branches of `src/corefbench` that the tests run, in this process and in those that they
start. Goals: {least:.0f} % of all, everything in {complete}.
"""


_PART = """
Measured here: only the packages in which everything is to be run, by their own unit tests, their
doctests and the examples of `tests/golden`. The whole has not been measured yet.
"""


class Covered(NamedTuple):
    """What was run of a package, of its lines and of its branches."""

    lines: int
    of_lines: int
    branches: int
    of_branches: int

    @property
    def percent(self) -> float:
        """Lines and branches together, as coverage.py counts.

        >>> Covered(lines=9, of_lines=10, branches=0, of_branches=0).percent
        90.0
        """
        possible = self.of_lines + self.of_branches
        return 100 * (self.lines + self.branches) / possible if possible else 100.0

    def plus(self, summary: dict[str, int]) -> "Covered":
        return Covered(
            self.lines + summary["covered_lines"],
            self.of_lines + summary["num_statements"],
            self.branches + summary["covered_branches"],
            self.of_branches + summary["num_branches"],
        )


def by_package(report: dict[str, Any]) -> dict[str, Covered]:
    """Sum by top-level package; the packages of ``COMPLETE`` and single modules separately."""
    packages: dict[str, Covered] = {}
    for file, entry in report["files"].items():
        package = _package(Path(file).parts)
        packages[package] = packages.get(package, Covered(0, 0, 0, 0)).plus(entry["summary"])
    return dict(sorted(packages.items()))


def _package(parts: tuple[str, ...]) -> str:
    inside = parts[len(parts) - parts[::-1].index("corefbench") : -1]
    nested = "/".join(inside[:2])
    if nested in COMPLETE:
        return nested
    return inside[0] if inside else "(modules)"


def page(report: dict[str, Any], *, complete_only: bool = False) -> str:
    """The page: the packages and the sum, or only the packages that are to be complete."""
    packages = by_package(report)
    rows = [_row(package, covered) for package, covered in packages.items() if package in COMPLETE or not complete_only]
    if not complete_only:
        rows.append(_row("**all**", Covered(0, 0, 0, 0).plus(report["totals"])))
    text = _INTRODUCTION.format(least=LEAST, complete=", ".join(COMPLETE))
    if complete_only:
        text += _PART
    return f"{text}\n{markdown_table(['package', 'lines', 'branches', 'covered'], rows)}\n"


def _row(package: str, covered: Covered) -> list[str]:
    return [
        package,
        f"{covered.lines} of {covered.of_lines}",
        f"{covered.branches} of {covered.of_branches}",
        f"{int(10 * covered.percent) / 10:.1f} %",
    ]


def shortfalls(report: dict[str, Any]) -> list[str]:
    """The goals that are not met."""
    total = Covered(0, 0, 0, 0).plus(report["totals"]).percent
    missed = [f"all: {total:.2f} %"] if total < LEAST else []
    return missed + [
        f"{package}: {covered.percent:.2f} %"
        for package, covered in by_package(report).items()
        if package in COMPLETE and covered.percent < 100
    ]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--complete-only", action="store_true", help="only the tests of the packages that must be complete were run"
    )


def run(arguments: argparse.Namespace) -> Page:
    """Read the coverage data and name the goals that are missed."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", file.name], cwd=ROOT, check=True)
        report = json.loads(Path(file.name).read_text("utf-8"))
    complete_only = arguments.complete_only
    missed = [goal for goal in shortfalls(report) if not (complete_only and goal.startswith("all"))]
    print("\n".join(missed) or "all goals are met", file=sys.stderr)
    return Page("coverage", page(report, complete_only=complete_only), passed=not missed)
