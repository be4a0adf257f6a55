"""Compare scores with the reference scorers document by document.

Generates document pairs, lets every program score them document by document, and compares counts
and scores with ours. Every difference is either put down to a known cause or printed with its
document. Writes docs/results/differential.md.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.data import Pair, Text
from benchmarks.page import Page, markdown_table
from benchmarks.peers import PeerPaths, Scores, Triple
from benchmarks.peers import read_perl as perl_scores
from benchmarks.random_documents import CLOSED_AND_OPENED, Case, make_cases
from benchmarks.render import SIDES, Side, conll, corefud, ua

if TYPE_CHECKING:
    from corefbench import Result


_SCRIPTS = Path(__file__).resolve().parent / "oracles"
_NAMES = {"bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e"}
_BLANC = (
    "shared_coreferent",
    "key_coreferent",
    "response_coreferent",
    "shared_separate",
    "key_separate",
    "response_separate",
)
_FOUR = ("recall_hits", "recall_total", "precision_hits", "precision_total")


@dataclass(frozen=True)
class Reading:
    """One document by one measure: the score, and the counts where the program shows them."""

    score: Triple
    counts: tuple[float, ...] = ()


Readings: TypeAlias = dict[str, list[Reading]]
"""By measure, one reading per document."""


@dataclass(frozen=True)
class Batch:
    """Documents written to one pair of files a format."""

    folder: Path
    cases: Sequence[Case]

    def path(self, side: str, extension: str) -> str:
        return str(self.folder / f"{side}.{extension}")

    def write(self) -> None:
        for side in SIDES:
            plain = (_conll(case, side) for case in self.cases)
            Path(self.path(side, "conll")).write_text("".join(plain), encoding="utf-8")
            markables = (ua(case.pair, side) for case in self.cases)
            Path(self.path(side, "ua")).write_text("".join(markables), encoding="utf-8")
            headed = (
                corefud(case.pair, side, case.key_heads if side == "key" else case.response_heads)
                for case in self.cases
            )
            Path(self.path(side, "conllu")).write_text("".join(headed), encoding="utf-8")


def _conll(case: Case, side: Side) -> str:
    text = conll(case.pair, side)
    if case.stratum == CLOSED_AND_OPENED and side == "response":
        return re.sub(r"\((\d+)\)", r"\1)|(\1", text)
    return text


@dataclass(frozen=True)
class TestFiles(Batch):
    """A key and a response of a program's own tests."""

    key: str = ""
    response: str = ""

    def path(self, side: str, extension: str) -> str:
        return self.key if side == "key" else self.response


_NOTATION = {"split antecedents": "ElementOf=", "brackets without bars": r"\(\d+\("}


def own_tests(oracle: "Oracle", paths: PeerPaths, folder: Path) -> Iterator[TestFiles]:
    """The pairs of files that the program's tests score: ``TC-A.key`` with ``TC-A-1.response``."""
    for tests in oracle.tests:
        for response in sorted((paths.peers / oracle.folder / tests).glob("TC-*-*.*")):
            key = response.with_name(response.name.rpartition("-")[0] + ".key")
            if key.exists():
                text = Text("", [], [], [], [], [0])
                written = key.read_text(encoding="utf-8") + response.read_text(encoding="utf-8")
                notation = frozenset(name for name, pattern in _NOTATION.items() if re.search(pattern, written))
                case = Case("its own tests", Pair(response.name, 0, text, [], []), {}, {}, notation)
                yield TestFiles(folder, [case], key=str(key), response=str(response))


@dataclass(frozen=True)
class Oracle:
    """A program to agree with: how it is read, and our profile that should say the same."""

    name: str
    folder: str
    reads: str
    profile: str
    read: Callable[[Batch, PeerPaths], Readings]
    choices: dict[str, Any] = field(default_factory=dict)
    tests: tuple[str, ...] = ()
    """Folders with the files of its own tests."""


def score(batch: Batch, oracle: Oracle) -> "Result":
    """Our result, by the profile that reproduces the oracle."""
    import corefbench

    return corefbench.score(
        batch.path("key", oracle.reads),
        batch.path("response", oracle.reads),
        oracle.profile,
        format="ua" if oracle.reads == "ua" else None,
        lenient=oracle.reads == "conllu",  # a mention twice in one entity is a fault in CorefUD
        **oracle.choices,
    )


def ours(batch: Batch, oracle: Oracle) -> Readings:
    """Our own readings."""
    result = score(batch, oracle)
    rows = list(result.by_document().values())
    readings: Readings = {}
    for measure, tally in result.tallies.items():
        wanted = _BLANC if "shared_coreferent" in tally.columns else _FOUR
        available = wanted if set(wanted) <= set(tally.columns) else ()
        columns = [tally[column].tolist() for column in available]
        counts = list(zip(*columns, strict=True)) or [()] * len(rows)
        readings[measure] = [
            Reading((s.recall, s.precision, s.f1), count)
            for s, count in zip((row[measure] for row in rows), counts, strict=True)
        ]
    return readings


def our_totals(batch: Batch, oracle: Oracle) -> Scores:
    """Our scores of the whole batch."""
    scores = score(batch, oracle).scores
    return {name: (s.recall, s.precision, s.f1) for name, s in scores.items()}


def perl_totals(batch: Batch, paths: PeerPaths) -> Scores:
    """What the Perl program prints for the whole batch, run as users run it."""
    files = [batch.path("key", "conll"), batch.path("response", "conll")]
    return perl_scores(_run(["perl", str(paths.peers / "perl" / "scorer.pl"), "all", *files, "none"]))


def read_perl(folder: str, *metrics: str) -> Callable[[Batch, PeerPaths], Readings]:
    """The reference scorer's own functions, called document by document."""

    def read(batch: Batch, paths: PeerPaths) -> Readings:
        library = paths.peers / folder / "lib"
        files = [batch.path("key", "conll"), batch.path("response", "conll")]
        lines = _run(["perl", f"-I{library}", str(_SCRIPTS / "perl_counts.pl"), *files, *metrics]).splitlines()
        readings: Readings = {}
        for line in sorted(lines):  # names sort as the documents are ordered
            _, metric, *texts = line.split("\t")
            values = tuple(map(float, texts))
            reading = (
                Reading((values[6], values[7], values[8]), values[:6])
                if metric == "blanc"
                else Reading(ratios(values), values)
            )
            readings.setdefault(_NAMES.get(metric, metric), []).append(reading)
        return readings

    return read


def read_ua(batch: Batch, paths: PeerPaths) -> Readings:
    """The Universal Anaphora scorer's scores, document by document."""
    out, folder = batch.folder / "ua.json", str(paths.peers / "universal-anaphora-scorer")
    files = [batch.path("key", "ua"), batch.path("response", "ua")]
    _run([paths.python, str(_SCRIPTS / "ua_scores.py"), folder, *files, str(out)])
    return {
        _NAMES.get(metric, metric): [Reading((row[0], row[1], row[2])) for row in rows]
        for metric, rows in json.loads(out.read_text(encoding="utf-8")).items()
    }


def read_coval(singletons: str) -> Callable[[Batch, PeerPaths], Readings]:
    """coval's counts, document by document."""

    def read(batch: Batch, paths: PeerPaths) -> Readings:
        out = batch.folder / "coval.json"
        files = [batch.path("key", "conll"), batch.path("response", "conll")]
        script = [paths.python, str(_SCRIPTS / "coval_counts.py"), str(paths.peers / "coval")]
        _run([*script, *files, singletons, str(out)])
        return {
            _NAMES.get(metric, metric): [Reading(ratios(row), tuple(row)) for row in rows]
            for metric, rows in json.loads(out.read_text(encoding="utf-8")).items()
        }

    return read


def read_corefud(match: str, singletons: str) -> Callable[[Batch, PeerPaths], Readings]:
    """corefud-scorer's scores, document by document; it does not show what it counts."""

    def read(batch: Batch, paths: PeerPaths) -> Readings:
        out, setting = batch.folder / "corefud.json", f"{match}:{singletons}"
        files = [batch.path("key", "conllu"), batch.path("response", "conllu")]
        script = [str(_SCRIPTS / "corefud_scores.py"), str(paths.peers / "corefud-scorer")]
        _run([paths.corefud_python, *script, *files, str(out), setting])
        scores = json.loads(out.read_text(encoding="utf-8"))[setting]
        return {
            _NAMES.get(metric, metric): [Reading((row[0], row[1], row[2])) for row in rows]
            for metric, rows in scores.items()
        }

    return read


def ratios(counts: Sequence[float]) -> Triple:
    """R, P and F1 of four counts, 0 where a denominator is 0."""
    hits, whole, precise, answered = counts
    recall = hits / whole if whole else 0.0
    precision = precise / answered if answered else 0.0
    return recall, precision, 2 * recall * precision / (recall + precision or 1.0)


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr[-4000:])
        raise SystemExit(f"{command[0]} {command[1]} ended with status {done.returncode}")
    return done.stdout


ORACLES: tuple[Oracle, ...] = (
    Oracle(
        "Perl v8.01",
        "perl",
        "conll",
        "conll-2012",
        read_perl("perl", "muc", "bcub", "ceafm", "ceafe"),
        tests=("test/DataFiles",),
    ),
    Oracle(
        "Perl, LEA branch",
        "lea",
        "conll",
        "conll-v9",
        read_perl("lea", "muc", "bcub", "ceafm", "ceafe", "lea"),
        tests=("test/DataFiles",),
    ),
    Oracle("coval", "coval", "conll", "coval-keep", read_coval("keep"), tests=("tests",)),
    Oracle(
        "UA scorer",
        "universal-anaphora-scorer",
        "ua",
        "ua",
        read_ua,
        tests=("plural-tests",),
    ),
    Oracle("coval, singletons removed", "coval", "conll", "coval-remove", read_coval("strip")),
    *(
        Oracle(
            f"corefud-scorer, {match}, singletons {'kept' if singletons == 'keep' else 'removed'}",
            "corefud-scorer",
            "conllu",
            "corefud",
            read_corefud(match, singletons),
            {"match": match, "singletons": singletons},
            tests=(f"tests/tests-corefud/{'partial-corefud' if match == 'partial' else match}-match",),
        )
        for match in ("exact", "head", "partial")
        for singletons in ("keep", "strip")
    ),
)


def render_page(pairs: int, seed: int, tolerance: float, ledger: "Ledger") -> str:
    """The whole page."""
    compared, differed = sum(ledger.compared.values()), sum(ledger.differed.values())
    explained = sum(ledger.causes.values())
    blocks = [
        "# Agreement with the other scorers",
        f"`python -m benchmarks differential --pairs {pairs} --seed {seed} --peers PEERS`",
        f"{pairs:,} generated document pairs; counts and scores of every document by every measure "
        f"compared, tolerance {tolerance:g}. {compared:,} comparisons, {differed:,} differences: "
        f"{explained:,} with a known cause, {len(ledger.unexplained):,} unexplained.",
        "Perl is asked through its own functions, document by document, with all digits; its "
        "counter of repeated mentions is set back between documents, as the program would refuse "
        "the eleventh. Counts are compared for Perl and coval, which show them; corefud-scorer and "
        "the UA scorer show scores. The row *its own tests* has the files of the program's own test "
        "suite, read and scored by the program and by us.",
        *_totals(ledger),
        *_tables(ledger),
        *_causes(ledger),
    ]
    return "\n\n".join(blocks) + "\n"


def _totals(ledger: "Ledger") -> list[str]:
    if not ledger.totals:
        return []
    return [
        f"Run as users run it (`perl scorer.pl all KEY RESPONSE none`) over {len(ledger.totals)} "
        "files of the documents without repeated mentions, the Perl program prints totals that "
        f"differ from ours by at most {max(ledger.totals):.1e}."
    ]


def _tables(ledger: "Ledger") -> list[str]:
    """For each program: measures down, strata across; differences in parentheses."""
    blocks = []
    for oracle in _order(cell[0] for cell in ledger.compared):
        cells = [cell for cell in ledger.compared if cell[0] == oracle]
        strata, measures = _order(cell[2] for cell in cells), _order(cell[1] for cell in cells)
        rows = [[stratum, *(_cell(ledger, (oracle, measure, stratum)) for measure in measures)] for stratum in strata]
        total = [_sum(ledger, oracle, measure) for measure in measures]
        blocks += [f"## {oracle}", markdown_table(["stratum", *measures], [*rows, ["**all**", *total]])]
    return blocks


def _cell(ledger: "Ledger", cell: tuple[str, str, str]) -> str:
    return _shown(ledger.compared[cell], ledger.differed[cell])


def _sum(ledger: "Ledger", oracle: str, measure: str) -> str:
    compared, differed = (
        sum(n for cell, n in counter.items() if cell[:2] == (oracle, measure))
        for counter in (ledger.compared, ledger.differed)
    )
    return _shown(compared, differed)


def _shown(compared: int, differed: int) -> str:
    return f"{compared:,} ({differed:,} differ)" if differed else f"{compared:,}"


def _causes(ledger: "Ledger") -> list[str]:
    """What documents with repeated mentions were put down to, and how often."""
    counts_by_reason: dict[tuple[str, str], list[str]] = {}
    for (oracle, measure, reason), times in sorted(ledger.causes.items()):
        counts_by_reason.setdefault((reason, oracle), []).append(f"{measure} {times:,}")
    rows = [[reason, oracle, ", ".join(counts)] for (reason, oracle), counts in counts_by_reason.items()]
    note = (
        "A difference is put down to a cause where the document has what the cause needs; it is "
        "not proved document by document."
    )
    head = ["cause", "program", "documents"]
    return ["## Differences with a known cause", note, markdown_table(head, sorted(rows))] if rows else []


def _order(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


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
        "UA",
        ("blanc",),
        ("split antecedents",),
        "split antecedents that agree in part: the UA scorer weighs a coreferent link to one only if "
        "it stands first in a list made from a set, we weigh it always",
    ),
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
        (*_LINKED, "ceaf_e"),
        ("brackets without bars",),
        "brackets without a bar between them, (1(2: coval loses the opening",
    ),
    Cause(
        "coval",
        ("ceaf_e",),
        (*_ACROSS, "key inside", "response inside"),
        "repeated mention: in CEAFe coval counts every marking in the key chain, whichever chain was last",
    ),
    Cause(
        "coval",
        _LINKED,
        _ACROSS,
        "mention of two chains: which of them coval meets last depends on the order of brackets in a cell",
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

    def enter(self, oracle: Oracle, measure: str, case: Case, theirs: Reading, own: Reading) -> None:
        cell = (oracle.name, measure, case.stratum)
        self.compared[cell] += 1
        if same(theirs, own):
            return
        self.differed[cell] += 1
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


def compare(batch: Batch, oracle: Oracle, paths: PeerPaths, ledger: Ledger) -> None:
    """Enter one oracle's readings of a batch beside ours."""
    theirs, own = oracle.read(batch, paths), ours(batch, oracle)
    for measure, readings in theirs.items():
        for case, there, here in zip(batch.cases, readings, own[measure], strict=True):
            ledger.enter(oracle, measure, case, there, here)


def compare_totals(batch: Batch, oracle: Oracle, paths: PeerPaths) -> float:
    """The largest difference in what the Perl program prints for the whole batch.

    Without documents that repeat mentions, which it refuses. It prints fifteen digits of all but
    the F1 of BLANC, which is left out.
    """
    folder = batch.folder / "plain"
    folder.mkdir(exist_ok=True)
    plain = Batch(folder, [case for case in batch.cases if not case.repeats()])
    plain.write()
    theirs, own = perl_totals(plain, paths), our_totals(plain, oracle)
    return max(
        abs(a - b)
        for measure, printed in theirs.items()
        for a, b in zip(printed[: 2 if measure == "blanc" else 3], own[measure], strict=False)
    )


def batches(cases: Sequence[Case], folder: Path) -> Iterator[Batch]:
    """The documents in files of a few hundred."""
    for start in range(0, len(cases), _BATCH):
        batch = Batch(folder, cases[start : start + _BATCH])
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


def run(arguments: argparse.Namespace) -> Page:
    """Compare every document with every peer that is there."""
    paths = PeerPaths.of(arguments.peers, arguments.python, arguments.corefud_python)
    chosen = [oracle for oracle in ORACLES if arguments.only in oracle.name and (paths.peers / oracle.folder).is_dir()]
    cases, ledger = make_cases(arguments.pairs, arguments.seed), Ledger()
    with tempfile.TemporaryDirectory() as folder:
        for number, batch in enumerate(batches(cases, Path(folder)), start=1):
            for oracle in chosen:
                compare(batch, oracle, paths, ledger)
                if oracle.folder == "perl":
                    ledger.totals.append(compare_totals(batch, oracle, paths))
                _say(f"batch {number}: {oracle.name}: {sum(ledger.differed.values())} differences")
        for oracle in chosen:
            for files in own_tests(oracle, paths, Path(folder)):
                compare(files, oracle, paths, ledger)
    text = render_page(arguments.pairs, arguments.seed, TOLERANCE, ledger)
    for report in ledger.unexplained[: arguments.show]:
        _say(f"{report}\n")
    passed = not ledger.unexplained and max(ledger.totals, default=0.0) <= TOLERANCE
    return Page("differential", text, passed=passed)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pairs", type=int, default=10_500)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--peers", default="", help="folder of the peers, else COREFBENCH_PEERS")
    parser.add_argument("--python", default="", help="interpreter with NumPy and SciPy, for coval")
    parser.add_argument("--corefud-python", default="", help="interpreter with udapi")
    parser.add_argument("--only", default="", help="oracles whose name has this in it")
    parser.add_argument("--show", type=int, default=5, help="unexplained differences to print")
