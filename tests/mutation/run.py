"""``python -m tests.mutation.run PACKAGE``: try every mutant of a package and see which tests notice.

What came of each mutant goes to ``build/mutation/PACKAGE.json``; ``python -m tests.mutation.report``
makes a page of these files. Mutants are tried in an order drawn with a fixed seed: where
``--minutes`` ends a run early, those tried are a sample. ``--again`` goes on from the run before,
with what it left and, after tests were added, with what survived.
"""

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.runner import MutationRun
from tests.mutation.substitution import QUIET
from tests.mutation.targets import ROOT, TARGETS, equivalents, modules, name

Row: TypeAlias = dict[str, str | int]
UNASKED = ("-k", "not thousand and not every_subset and not recipe and not sizes_of_blocks")
"""Tests of many seconds, which would be asked for every survivor."""


def main(arguments: list[str]) -> int:
    """Try the mutants of one package; 1 where one survives that is not known to be equivalent."""
    asked = _parser().parse_args(arguments)
    files = [path.resolve() for path in asked.modules] or modules(asked.package)
    sources = {path.name: path for path in files}
    every = _drawn(sources)
    kept = asked.output / f"{asked.package.replace('/', '-')}.json"
    before = json.loads(kept.read_text("utf-8")) if asked.again else {"mutants": [], "processor": 0}
    ends = _ends(asked.package, every, before["mutants"])
    left = [mutant for mutant in every if ends.get(mutant, "survived") == "survived"]
    used = _processor_time()
    trial = _tried(asked, sources, left)
    if trial.problem or (left and not trial.outcomes):
        print(trial.problem or "no test was found", file=sys.stderr)
        return 2
    ends.update(trial.outcomes)
    rows = [_row(asked.package, mutant, end) for mutant, end in ends.items()]
    report = {
        "package": asked.package,
        "possible": len(every),
        "processor": before["processor"] + _processor_time() - used,
        "mutants": rows,
    }
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(report, indent=1, ensure_ascii=False), "utf-8")
    return _say(rows)


def _tried(asked: argparse.Namespace, sources: dict[str, Path], left: list[Mutant]) -> MutationRun:
    log = os.fdopen(os.dup(2), "w", buffering=1)  # pytest takes the usual one for itself
    trial = MutationRun(sources, left, asked.jobs, asked.minutes, lambda line: print(line, file=log))
    os.chdir(asked.root)
    pytest.main([*QUIET, *UNASKED, *(asked.tests or TARGETS[asked.package])], plugins=[trial])
    return trial


def _ends(package: str, every: list[Mutant], before: list[Row]) -> dict[Mutant, str]:
    """How the mutants that the run before has tried have ended."""
    known = {(row["module"], row["function"], row["change"]): str(row["end"]) for row in before}
    found = {mutant: known.get(_listed(package, mutant)) for mutant in every}
    return {mutant: end for mutant, end in found.items() if end}


def _listed(package: str, mutant: Mutant) -> tuple[str, str, str]:
    return name(mutant._replace(module=f"{package}/{mutant.module}"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.run", description=__doc__)
    parser.add_argument("package", help=", ".join(TARGETS))
    parser.add_argument("--modules", nargs="*", type=Path, default=[], help="only these files")
    parser.add_argument("--tests", nargs="*", help="these tests instead of the package's")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "mutation")
    return parser


def _drawn(sources: dict[str, Path]) -> list[Mutant]:
    every = [mutant for module, path in sources.items() for mutant in mutants(module, path.read_text("utf-8"))]
    return Random(0).sample(every, len(every))


def _row(package: str, mutant: Mutant, end: str) -> Row:
    module, function, change = listed = _listed(package, mutant)
    if end in ("survived", "equivalent"):
        end = "equivalent" if listed in equivalents() else "survived"
    return {"module": module, "function": function, "line": mutant.line, "change": change, "end": end}


def _processor_time() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _say(rows: list[Row]) -> int:
    survived = [row for row in rows if row["end"] == "survived"]
    for row in survived:
        print(f"{row['module']}:{row['line']} {row['function']}: {row['change']}")
    print(", ".join(f"{how_many} {end}" for end, how_many in Counter(r["end"] for r in rows).items()))
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
