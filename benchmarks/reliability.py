"""Run the proofs of the reliability goals.

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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from benchmarks.data import ROOT
from benchmarks.page import RESULTS, Page, markdown_table

GOALS = {
    "R1": "same score as the reference scorers: ≥ 10,000 pairs a measure, ≤ 1e-9 or explained",
    "R2": "floats are fractions: ≥ 5,000 cases, ≤ 1e-12",
    "R3": "properties of every registered measure: ≥ 12 × 1,000 examples",
    "R4": "read, write, read: all fixtures, ≥ 20,000 generated corpora",
    "R5": "hostile files: ≥ 300 in 12 families, coded errors in 5 s and 512 MB, no word of the key",
    "R13": "twice the input costs ≤ 2.3 times as much, to a million mentions",
    "R14": "the same bytes, whatever the hash seed or the number of workers",
}
PAGES = {"chains": "differential", "cost": "cost"}
"""What programs wrote that can be run by themselves."""
_NOTES = """R6 to R12 are about the campaign server: [The campaign server, tried](campaign.md).

- **R1.** Perl, coval and corefud-scorer for the measures of chains, mention detection and MOR:
  [Agreement](differential.md), with the causes of all differences; corefud-scorer for zeros; the
  Universal Anaphora scorer for split antecedents, bridging and non-referring markables. No
  registered measure is without a reference. One difference is left: where mentions are repeated
  and the parts of a split antecedent share one, the Universal Anaphora scorer counts by the order
  of a Python set, and MUC, B³ and LEA may differ.
- **R2.** The second definition (`tests/properties/exact.py`) works on sets and `Fraction`, tries
  all pairings, and knows every measure with every combination of its parameters.
- **R3.** `tests/properties/battery.py`; exemptions with their reasons are in `exemptions.py`, and
  each must be needed.
- **R4.** Every format with what it says that it holds: nested, crossing and discontinuous
  mentions, empty nodes, relations. What it does not hold is reported, and cut, before.
- **R13.** Readers, writers and measures to a million mentions; hard shapes (one chain, all
  singletons, one sentence, all nested, mentions in two chains, relations) in every format to fewer.
- **R14.** {commands} commands and all the files that they write: scores in every form, run
  files, comparisons, conversions to every format and their checks, resolvers, `bench`, `are`,
  `reproduce`. The time that run files note is held still.
"""


def render_page(proofs: "Sequence[Proof]", outcomes: "Mapping[str, Outcome]") -> str:
    """The whole page."""
    from tests.properties.commands import heavy, light

    numbers = _numbers()
    rows = [
        [proof.goal, GOALS[proof.goal], numbers[name], *_row(proof, outcomes.get(name))]
        for proof in proofs
        for name in (f"{proof.goal} {proof.name}",)
    ]
    head = ["goal", "asked", "done", "command", "outcome"]
    commands = len(light("1") | heavy("1"))
    blocks = [
        "# Reliability",
        "`make reliability` runs all of it, `python -m benchmarks reliability --only R2` one goal; "
        "`make test` runs the same code with smaller numbers.",
        markdown_table(head, rows),
        _NOTES.format(commands=commands).rstrip(),
        *_fuzzing(),
    ]
    return "\n\n".join(blocks) + "\n"


def _row(proof: "Proof", outcome: "Outcome | None") -> list[str]:
    """The command and what it came to."""
    words = (f"'{word}'" if " " in word else word for word in ("python", *proof.arguments))
    command = " ".join(words).replace(" -q -p no:cacheprovider", "")
    own = PAGES.get(proof.name, "")
    there = own and (RESULTS / f"{own}.md").exists()
    status = f"on [its own page]({own}.md)" if there else "not run with the full number yet"
    if outcome is not None:
        verdict = "passed" if outcome.passed else "**failed**"
        said = f" ({outcome.said.strip('= ')})" if outcome.said else ""
        status = f"{verdict}{said}, {outcome.day}, {outcome.minutes} min at a load of {outcome.load}"
    variables = "".join(f"{name}={value} " for name, value in proof.environment)
    return [f"`{variables}{command}`", status]


def _numbers() -> dict[str, str]:
    """How much each command does, as its code says."""
    from corefbench.formats import formats
    from corefbench.scoring.measures import measures
    from corefbench.testing.corpora import round_trip_formats
    from tests.hostile.families import FAMILIES, sizes
    from tests.properties import test_battery
    from tests.properties.battery import PROPERTIES
    from tests.properties.variants import variants

    kinds = f"{len(list(measures))} measures, {len(variants())} with parameters"
    return {
        "R1 chains": "10,500 pairs, 9 ways of scoring",
        "R1 zeros": "10,400 pairs",
        "R1 relations": "10,000 pairs each",
        "R2 fractions": f"5,300 cases, {kinds}",
        "R3 battery": f"{len(PROPERTIES)} × {test_battery.MANY:,}, {kinds}",
        "R4 generated": f"20,000 corpora, {len(round_trip_formats())} formats",
        "R4 fixtures": f"5 corpora × {len(round_trip_formats())} formats",
        "R5 hostile": f"{sum(sizes().values()):,} files in {len(FAMILIES)} families, {len(list(formats))} formats",
        "R13 cost": "see there",
        "R14 commands": "hash seeds 0, 1, 99, 4242; 1 and 2 workers",
    }


def _fuzzing() -> list[str]:
    """What ``tests.fuzz.run`` last came to, where it was run."""
    for summary in (ROOT / "build" / "fuzz" / "summary.json", RESULTS / "fuzzing.json"):
        if summary.exists():
            outcomes = json.loads(summary.read_text(encoding="utf-8"))
            break
    else:
        return []
    rows = [
        [o["format"], f"{o['seconds']} s", f"{o['executions']:,}", f"{o['coverage']:,}",
         f"{o['megabytes']} MB", str(len(o["findings"])), str(o.get("load") or "–")]
        for o in outcomes
    ]  # fmt: skip
    return [
        "## Fuzzing",
        "`make fuzz`: coverage-guided (atheris), in a process of its own for each reader, from "
        "files that our writers made. Whatever the bytes: only coded errors, no less read "
        "leniently than strictly, what is read is written again and read back with all its "
        "mentions, within 5 s of processor time and 512 MB. Findings are mended and kept in "
        "`tests/fuzz/test_findings.py`. Seconds are by the clock.",
        markdown_table(["reader", "time", "executions", "edges", "peak", "findings", "load"], rows),
    ]


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
    Proof("R1", "chains", ("-m", "benchmarks", "differential")),
    Proof("R1", "zeros", tests("reference/test_corefud_scorer.py"), (("COREFBENCH_FUZZ_FILES", "260"),)),
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
    Proof("R13", "cost", ("-m", "benchmarks", "cost")),
    Proof("R14", "commands", tests("properties/test_determinism.py")),
)


def run_proof(proof: Proof) -> Outcome:
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
    outcomes = json.loads(NOTES.read_text(encoding="utf-8"))
    return {name: Outcome(**fields) for name, fields in outcomes.items()}


def note(outcomes: dict[str, Outcome]) -> None:
    kept = {name: asdict(one) for name, one in sorted(outcomes.items())}
    NOTES.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def run(arguments: argparse.Namespace) -> Page:
    """Run, note, and write the page."""
    outcomes = noted()
    for proof in PROOFS:
        name = f"{proof.goal} {proof.name}"
        if not arguments.page_only and (not arguments.only or {proof.goal, name} & {*arguments.only}):
            outcomes[name] = run_proof(proof)
            print(f"{name}: {outcomes[name]}", file=sys.stderr, flush=True)
            note(outcomes)
    text = render_page(PROOFS, outcomes)
    return Page("reliability", text, passed=all(one.passed for one in outcomes.values()))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", nargs="*", default=[], help="goals (R2) or parts ('R4 fixtures')")
    parser.add_argument("--page-only", action="store_true", help="only write the page again")
