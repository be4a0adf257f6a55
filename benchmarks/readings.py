"""What each oracle, and what we, say of every document of a batch."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.peers import Places, Scores, Triple
from benchmarks.peers import read_perl as perl_scores
from benchmarks.strata import Case
from benchmarks.writing import SIDES, conll, corefud

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
"""By measure, a reading a document."""


@dataclass(frozen=True)
class Batch:
    """Documents written to one pair of files a format."""

    folder: Path
    cases: Sequence[Case]

    def path(self, side: str, extension: str) -> str:
        return str(self.folder / f"{side}.{extension}")

    def write(self) -> None:
        for side in SIDES:
            plain = (conll(case.pair, side) for case in self.cases)
            Path(self.path(side, "conll")).write_text("".join(plain), encoding="utf-8")
            headed = (
                corefud(case.pair, side, case.key_heads if side == "key" else case.response_heads)
                for case in self.cases
            )
            Path(self.path(side, "conllu")).write_text("".join(headed), encoding="utf-8")


@dataclass(frozen=True)
class Oracle:
    """A program to agree with: how it is read, and our profile that should say the same."""

    name: str
    folder: str
    reads: str
    profile: str
    read: Callable[[Batch, Places], Readings]
    choices: dict[str, Any] = field(default_factory=dict)


def score(batch: Batch, oracle: Oracle) -> "Result":
    """Our result, by the profile that reproduces the oracle."""
    import corefbench

    return corefbench.score(
        batch.path("key", oracle.reads),
        batch.path("response", oracle.reads),
        oracle.profile,
        format=None,
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
        shown = wanted if set(wanted) <= set(tally.columns) else ()
        columns = [tally[column].tolist() for column in shown]
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


def perl_totals(batch: Batch, places: Places) -> Scores:
    """What the Perl program prints for the whole batch, run as users run it."""
    files = [batch.path("key", "conll"), batch.path("response", "conll")]
    return perl_scores(
        _run(["perl", str(places.peers / "perl" / "scorer.pl"), "all", *files, "none"])
    )


def read_perl(batch: Batch, places: Places) -> Readings:
    """The reference scorer's own functions, called document by document."""
    library = places.peers / "perl" / "lib"
    files = [batch.path("key", "conll"), batch.path("response", "conll")]
    lines = _run(["perl", f"-I{library}", str(_SCRIPTS / "perl_counts.pl"), *files]).splitlines()
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


def read_coval(singletons: str) -> Callable[[Batch, Places], Readings]:
    """coval's counts, document by document."""

    def read(batch: Batch, places: Places) -> Readings:
        out = batch.folder / "coval.json"
        files = [batch.path("key", "conll"), batch.path("response", "conll")]
        script = [places.python, str(_SCRIPTS / "coval_counts.py"), str(places.peers / "coval")]
        _run([*script, *files, singletons, str(out)])
        return {
            _NAMES.get(metric, metric): [Reading(ratios(row), tuple(row)) for row in rows]
            for metric, rows in json.loads(out.read_text(encoding="utf-8")).items()
        }

    return read


def read_corefud(match: str, singletons: str) -> Callable[[Batch, Places], Readings]:
    """corefud-scorer's scores, document by document; it does not show what it counts."""

    def read(batch: Batch, places: Places) -> Readings:
        out, setting = batch.folder / "corefud.json", f"{match}:{singletons}"
        files = [batch.path("key", "conllu"), batch.path("response", "conllu")]
        script = [str(_SCRIPTS / "corefud_scores.py"), str(places.peers / "corefud-scorer")]
        _run([places.corefud_python, *script, *files, str(out), setting])
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
    Oracle("Perl v8.01", "perl", "conll", "conll-2012", read_perl),
    Oracle("coval", "coval", "conll", "coval-keep", read_coval("keep")),
    Oracle(
        "coval, singletons removed",
        "coval",
        "conll",
        "coval-remove",
        read_coval("strip"),
    ),
    *(
        Oracle(
            f"corefud-scorer, {match}, singletons {'kept' if singletons == 'keep' else 'removed'}",
            "corefud-scorer",
            "conllu",
            "corefud",
            read_corefud(match, singletons),
            {"match": match, "singletons": singletons},
        )
        for match in ("exact", "head", "partial")
        for singletons in ("keep", "strip")
    ),
)
