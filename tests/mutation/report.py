"""``python -m tests.mutation.report``: docs/results/mutation.md from what ``run`` found."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.page import RESULTS, markdown_table
from tests.mutation.targets import ROOT, TARGETS, equivalents

ENDS = ("killed", "timed out", "survived", "equivalent")
INTRODUCTION = """# Mutation testing

`make mutation`

A fault is planted in a module and the tests that call the faulty function are run: they should
fail. The faults: another arithmetic, bitwise or logical operator, another comparison or the same
with its bound moved, a number one higher, a string that is compared changed, a negated condition,
`return None`, a dropped statement, `break` for `continue`, a slice without one of its bounds, `min`
for `max`, `any` for `all`, a comprehension without its condition. Tables and defaults in the body
of a module are changed too. Only quick tests are asked ({slow} s of processor time at most), so
that a mutant that survives here may still be killed by the property battery.

The score is killed and timed out, of all that are not equivalent.
"""


def page(reports: list[dict[str, Any]]) -> str:
    """The page, from one report a package."""
    from tests.mutation.runner import SLOW

    sections = [INTRODUCTION.format(slow=SLOW), _counts(reports), _cost(reports)]
    survivors = [row for r in reports for row in r["mutants"] if row["end"] == "survived"]
    if survivors:
        sections.append(f"## Survivors\n\n{_survivors(survivors)}\n")
    alike = [row for r in reports for row in r["mutants"] if row["end"] == "equivalent"]
    if alike:
        sections.append(f"## Equivalent mutants\n\n{_equivalent(alike)}\n")
    return "\n".join(sections)


def score(ends: Counter[str]) -> float:
    """The share of mutants noticed, of those that can be."""
    noticed = ends["killed"] + ends["timed out"]
    return noticed / max(noticed + ends["survived"], 1)


def _counts(reports: list[dict[str, Any]]) -> str:
    rows = []
    total: Counter[str] = Counter()
    for report in reports:
        ends = Counter(row["end"] for row in report["mutants"])
        total += ends
        rows.append(_row(report["package"], ends, report["possible"]))
    rows.append(_row("**all**", total, sum(report["possible"] for report in reports)))
    return markdown_table(["package", "possible", "tried", *ENDS, "score"], rows) + "\n"


def _row(package: str, ends: Counter[str], possible: int) -> list[str]:
    tried = sum(ends.values())
    counts = [str(ends[end]) for end in ENDS]
    return [package, str(possible), str(tried), *counts, f"{100 * score(ends):.1f} %"]


def _cost(reports: list[dict[str, Any]]) -> str:
    minutes = sum(report["processor"] for report in reports) / 60
    drawn = [r["package"] for r in reports if len(r["mutants"]) < r["possible"]]
    text = f"{minutes:.0f} minutes of processor time."
    if drawn:
        text += f" Of {', '.join(drawn)} a sample was tried, drawn with a fixed seed."
    return text + "\n"


def _survivors(rows: list[dict[str, Any]]) -> str:
    return markdown_table(
        ["module", "function", "change"],
        [[row["module"], f"`{row['function'] or '–'}`", _code(row["change"])] for row in rows],
    )


def _equivalent(rows: list[dict[str, Any]]) -> str:
    reasons = equivalents()
    listed = [
        [row["module"], _code(row["change"]), reasons[row["module"], row["function"], row["change"]]] for row in rows
    ]
    return markdown_table(["module", "change", "why no test can tell"], listed)


def _code(change: str) -> str:
    return " → ".join(f"`{side}`" for side in change.replace("|", "\\|").split(" → "))


def main(folder: Path = ROOT / "build" / "mutation") -> None:
    """Write the page."""
    files = [folder / f"{package.replace('/', '-')}.json" for package in TARGETS]
    reports = [json.loads(file.read_text("utf-8")) for file in files if file.exists()]
    if not reports:
        sys.exit(f"nothing in {folder}: run `make mutation` first")
    (RESULTS / "mutation.md").write_text(page(reports), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
