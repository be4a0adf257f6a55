"""The page of reliability: each goal, its number, the command, and what it came to."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from benchmarks.inputs import ROOT
from benchmarks.pages import RESULTS, table

if TYPE_CHECKING:
    from benchmarks.reliability import Outcome, Proof

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


def page(proofs: "Sequence[Proof]", outcomes: "Mapping[str, Outcome]") -> str:
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
        "`make reliability` runs all of it, `python -m benchmarks.reliability --only R2` one goal; "
        "`make test` runs the same code with smaller numbers.",
        table(head, rows),
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
    shown = f"on [its own page]({own}.md)" if there else "not run with the full number yet"
    if outcome is not None:
        verdict = "passed" if outcome.passed else "**failed**"
        said = f" ({outcome.said.strip('= ')})" if outcome.said else ""
        shown = f"{verdict}{said}, {outcome.day}, {outcome.minutes} min at a load of {outcome.load}"
    variables = "".join(f"{name}={value} " for name, value in proof.environment)
    return [f"`{variables}{command}`", shown]


def _numbers() -> dict[str, str]:
    """How much each command does, as its code says."""
    from corefbench.formats import formats
    from corefbench.measures import measures
    from tests.hostile.families import FAMILIES, sizes
    from tests.properties import test_battery
    from tests.properties.battery import PROPERTIES
    from tests.properties.corpora import two_way
    from tests.properties.variants import variants

    kinds = f"{len(list(measures))} measures, {len(variants())} with parameters"
    return {
        "R1 chains": "10,500 pairs, 9 ways of scoring",
        "R1 zeros": "10,400 pairs",
        "R1 relations": "10,000 pairs each",
        "R2 fractions": f"5,300 cases, {kinds}",
        "R3 battery": f"{len(PROPERTIES)} × {test_battery.MANY:,}, {kinds}",
        "R4 generated": f"20,000 corpora, {len(two_way())} formats",
        "R4 fixtures": f"5 corpora × {len(two_way())} formats",
        "R5 hostile": f"{sum(sizes().values()):,} files in {len(FAMILIES)} families, "
        f"{len(list(formats))} formats",
        "R13 cost": "see there",
        "R14 commands": "hash seeds 0, 1, 99, 4242; 1 and 2 workers",
    }


def _fuzzing() -> list[str]:
    """What ``tests.fuzz.run`` last came to, where it was run."""
    for summary in (ROOT / "build" / "fuzz" / "summary.json", RESULTS / "fuzzing.json"):
        if summary.exists():
            found = json.loads(summary.read_text(encoding="utf-8"))
            break
    else:
        return []
    rows = [
        [o["format"], f"{o['seconds']} s", f"{o['executions']:,}", f"{o['coverage']:,}",
         f"{o['megabytes']} MB", str(len(o["findings"])), str(o.get("load") or "–")]
        for o in found
    ]  # fmt: skip
    return [
        "## Fuzzing",
        "`make fuzz`: coverage-guided (atheris), in a process of its own for each reader, from "
        "files that our writers made. Whatever the bytes: only coded errors, no less read "
        "leniently than strictly, what is read is written again and read back with all its "
        "mentions, within 5 s of processor time and 512 MB. Findings are mended and kept in "
        "`tests/fuzz/test_findings.py`. Seconds are by the clock.",
        table(["reader", "time", "executions", "edges", "peak", "findings", "load"], rows),
    ]
