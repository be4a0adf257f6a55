"""Do we say what the others say? ``python -m benchmarks.differential --peers FOLDER``.

Generates document pairs, lets every program score them document by document, and compares counts
and scores with ours. Every difference is either put down to a known cause or printed with its
document. Writes docs/results/differential.md.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.differential_page import page
from benchmarks.pages import RESULTS
from benchmarks.peers import Places
from benchmarks.readings import (
    ORACLES,
    Batch,
    Oracle,
    Reading,
    our_totals,
    ours,
    perl_totals,
)
from benchmarks.strata import Case, cases

TOLERANCE = 1e-9
_BATCH = 700


@dataclass(frozen=True)
class Cause:
    """A known reason to differ: where it can strike, and why."""

    oracle: str
    measures: tuple[str, ...]
    repeats: tuple[str, ...]
    """It can strike where a document has one of these."""
    reason: str

    def explains(self, oracle: str, measure: str, repeats: set[str]) -> bool:
        named = oracle.startswith(self.oracle) and measure in self.measures
        return named and not repeats.isdisjoint(self.repeats)


_ACROSS = ("key across", "response across")
_LINKED = ("muc", "b_cubed", "lea")
CAUSES: tuple[Cause, ...] = (
    Cause(
        "Perl",
        ("blanc",),
        ("key inside", "key across", "response twinless"),
        "repeated mention: Perl keeps links in sets, so each counts once, and a link of the "
        "mention with itself counts too",
    ),
    Cause(
        "Perl",
        ("ceaf_m", "ceaf_e"),
        ("key inside",),
        "key marks a mention twice in one chain: Perl counts both in the overlap",
    ),
    Cause(
        "coval",
        ("ceaf_e",),
        (*_ACROSS, "key inside", "response inside"),
        "repeated mention: in CEAFe coval counts every marking in the key chain, whichever chain "
        "was last",
    ),
    Cause(
        "coval",
        _LINKED,
        _ACROSS,
        "mention of two chains: which of them coval meets last depends on the order of brackets "
        "in a cell",
    ),
    Cause(
        "corefud",
        (*_LINKED, "blanc"),
        _ACROSS,
        "mention of two chains: corefud-scorer counts a link for every marking, we count it once",
    ),
)


@dataclass
class Ledger:
    """What was compared and what differed."""

    compared: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    differed: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    causes: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)
    totals: list[float] = field(default_factory=list)
    """The largest difference of each run of the Perl program as users run it."""

    def enter(
        self, oracle: Oracle, measure: str, case: Case, theirs: Reading, own: Reading
    ) -> None:
        place = (oracle.name, measure, case.stratum)
        self.compared[place] += 1
        if same(theirs, own):
            return
        self.differed[place] += 1
        repeats = case.repeats()
        known = [cause for cause in CAUSES if cause.explains(oracle.name, measure, repeats)]
        # No cause excuses a recall or precision above 1.
        if known and max(own.score) <= 1 + TOLERANCE:
            self.causes[(oracle.name, measure, known[0].reason)] += 1
        else:
            self.unexplained.append(_report(oracle, measure, case, theirs, own))


def same(theirs: Reading, own: Reading) -> bool:
    """Equal scores and, where both programs show them, equal counts."""
    pairs = list(zip(theirs.score, own.score, strict=True))
    if theirs.counts and own.counts:
        pairs += zip(theirs.counts, own.counts, strict=True)
    return all(abs(a - b) <= TOLERANCE * max(1.0, abs(a)) for a, b in pairs)


def compare(batch: Batch, oracle: Oracle, places: Places, ledger: Ledger) -> None:
    """Enter one oracle's readings of a batch beside ours."""
    theirs, own = oracle.read(batch, places), ours(batch, oracle)
    for measure, readings in theirs.items():
        for case, there, here in zip(batch.cases, readings, own[measure], strict=True):
            ledger.enter(oracle, measure, case, there, here)


def compare_totals(batch: Batch, oracle: Oracle, places: Places) -> float:
    """The largest difference in what the Perl program prints for the whole batch.

    Without documents that repeat mentions, which it refuses. It prints fifteen digits of all but
    the F1 of BLANC, which is left out.
    """
    folder = batch.folder / "plain"
    folder.mkdir(exist_ok=True)
    plain = Batch(folder, [case for case in batch.cases if not case.repeats()])
    plain.write()
    theirs, own = perl_totals(plain, places), our_totals(plain, oracle)
    return max(
        abs(a - b)
        for measure, printed in theirs.items()
        for a, b in zip(printed[: 2 if measure == "blanc" else 3], own[measure], strict=False)
    )


def batches(made: Sequence[Case], folder: Path) -> Iterator[Batch]:
    """The documents in files of a few hundred."""
    for start in range(0, len(made), _BATCH):
        batch = Batch(folder, made[start : start + _BATCH])
        batch.write()
        yield batch


def _report(oracle: Oracle, measure: str, case: Case, theirs: Reading, own: Reading) -> str:
    sides = "\n".join(f"{side}: {_chains(case, side)}" for side in ("key", "response"))
    return (
        f"{oracle.name}, {measure}, {case.stratum}, {case.pair.name}\n"
        f"theirs: {theirs.score} {theirs.counts}\nours:   {own.score} {own.counts}\n{sides}"
    )


def _chains(case: Case, side: str) -> str:
    chains = case.pair.key if side == "key" else case.pair.response
    heads = case.key_heads if side == "key" else case.response_heads
    return " ".join("{" + " ".join(f"{s}–{e}h{heads[s, e]}" for s, e in c) + "}" for c in chains)


def main() -> None:
    arguments = _arguments()
    places = Places.of(arguments.peers, arguments.python, arguments.corefud_python)
    chosen = [
        oracle
        for oracle in ORACLES
        if arguments.only in oracle.name and (places.peers / oracle.folder).is_dir()
    ]
    made, ledger = cases(arguments.pairs, arguments.seed), Ledger()
    with tempfile.TemporaryDirectory() as folder:
        for number, batch in enumerate(batches(made, Path(folder)), start=1):
            for oracle in chosen:
                compare(batch, oracle, places, ledger)
                if oracle.folder == "perl":
                    ledger.totals.append(compare_totals(batch, oracle, places))
                _say(f"batch {number}: {oracle.name}: {sum(ledger.differed.values())} differences")
    text = page(arguments.pairs, arguments.seed, TOLERANCE, ledger)
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    arguments.page.write_text(text, encoding="utf-8")
    print(text)
    for report in ledger.unexplained[: arguments.show]:
        print(report, end="\n\n")
    sys.exit(1 if ledger.unexplained or max(ledger.totals, default=0.0) > TOLERANCE else 0)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_500)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--peers", default="", help="folder of the peers, else COREFBENCH_PEERS")
    parser.add_argument("--python", default="", help="interpreter with NumPy and SciPy, for coval")
    parser.add_argument("--corefud-python", default="", help="interpreter with udapi")
    parser.add_argument("--only", default="", help="oracles whose name has this in it")
    parser.add_argument("--show", type=int, default=5, help="unexplained differences to print")
    parser.add_argument("--page", type=Path, default=RESULTS / "differential.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
