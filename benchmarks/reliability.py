"""The numbers behind “reliable”: ``python -m benchmarks.reliability [--only R2 R3]``.

Runs, one after another, the commands that prove R1–R5, R13 and R14, and notes what each came to;
what was noted before and is not run again stays. Needs the peers for R1 (COREFBENCH_PEERS, and
COREFBENCH_PEERS_PYTHON for an interpreter with udapi) and the corpora for the fixtures of R4
(COREFBENCH_DATA). Writes docs/results/reliability.md.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from benchmarks.inputs import ROOT
from benchmarks.pages import RESULTS
from benchmarks.reliability_page import page

NOTES = RESULTS / "reliability.json"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "slow or not slow")


@dataclass(frozen=True)
class Proof:
    """A command that proves a goal, or a part of it."""

    goal: str
    name: str
    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What a command came to."""

    passed: bool
    said: str
    """Its last line."""
    minutes: float
    day: str
    load: float
    """Of the machine when it ended."""


def tests(*names: str) -> tuple[str, ...]:
    return (*PYTEST, *(f"tests/{name}" for name in names))


PROOFS = (
    Proof("R1", "chains", ("-m", "benchmarks.differential")),
    Proof(
        "R1",
        "zeros",
        tests("reference/test_corefud_scorer.py"),
        (("COREFBENCH_FUZZ_FILES", "260"),),
    ),
    Proof(
        "R1",
        "relations",
        tests(
            "unit/measures/test_split_antecedents.py",
            "unit/measures/test_bridging.py",
            "unit/measures/test_non_referring.py",
        ),
    ),
    Proof("R2", "fractions", tests("properties/test_exact.py", "reference/test_exact_scorer.py")),
    Proof("R3", "battery", tests("properties/test_battery.py")),
    Proof("R4", "generated", tests("properties/test_roundtrip.py")),
    Proof("R4", "fixtures", tests("properties/test_shared_corpora.py")),
    Proof("R5", "hostile", tests("hostile/test_collection.py")),
    Proof("R13", "cost", ("-m", "benchmarks.cost")),
    Proof("R14", "commands", tests("properties/test_determinism.py")),
)


def run(proof: Proof) -> Outcome:
    """Run one command to its end."""
    began = time.monotonic()
    python = os.environ.get("COREFBENCH_PEERS_PYTHON", "")
    more = ("--corefud-python", python) if proof.name == "chains" and python else ()
    done = subprocess.run(
        [sys.executable, *proof.arguments, *more],
        cwd=ROOT,
        env={**os.environ, **dict(proof.environment)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    said = lines[-1] if proof.arguments[:2] == PYTEST[:2] and lines else ""
    return Outcome(
        passed=done.returncode == 0,
        said=said,
        minutes=round((time.monotonic() - began) / 60, 1),
        day=datetime.now(UTC).date().isoformat(),
        load=round(os.getloadavg()[2], 1),
    )


def noted() -> dict[str, Outcome]:
    """What was noted before, by goal and name."""
    if not NOTES.exists():
        return {}
    found = json.loads(NOTES.read_text(encoding="utf-8"))
    return {name: Outcome(**one) for name, one in found.items()}


def note(outcomes: dict[str, Outcome]) -> None:
    kept = {name: asdict(one) for name, one in sorted(outcomes.items())}
    NOTES.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Run, note, and write the page."""
    arguments = _arguments()
    outcomes = noted()
    for proof in PROOFS:
        name = f"{proof.goal} {proof.name}"
        if not arguments.page and (not arguments.only or {proof.goal, name} & {*arguments.only}):
            outcomes[name] = run(proof)
            print(f"{name}: {outcomes[name]}", file=sys.stderr, flush=True)
            note(outcomes)
    text = page(PROOFS, outcomes)
    (RESULTS / "reliability.md").write_text(text, encoding="utf-8")
    print(text)
    sys.exit(any(not one.passed for one in outcomes.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="goals (R2) or parts ('R4 fixtures')")
    parser.add_argument("--page", action="store_true", help="run nothing, write the page again")
    return parser.parse_args()


if __name__ == "__main__":
    main()
