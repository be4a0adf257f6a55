"""The programs that people score with today: how each is run and how its scores are read.

They lie outside the project, in one folder given by ``--peers`` or ``COREFBENCH_PEERS``:

perl/                        reference-coreference-scorers v8.01
coval/                       ns-moosavi/coval
corefud-scorer/              ufal/corefud-scorer (needs udapi: give its interpreter)
universal-anaphora-scorer/   juntaoy/universal-anaphora-scorer
allennlp-models/             the unpacked wheel of allennlp-models 2.10.1, for its evaluator

scorch and coreference_eval come from PyPI, installed beside the interpreter that is given.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from benchmarks.render import input_path

Triple: TypeAlias = tuple[float, float, float]
"""Recall, precision, F1 as fractions."""
Scores: TypeAlias = dict[str, Triple]

_NAMES = {"bcub": "b_cubed", "B³": "b_cubed", "ceafe": "ceaf_e", "ceafm": "ceaf_m"}
_NAMES |= {"MUC": "muc", "CEAF_m": "ceaf_m", "CEAF_e": "ceaf_e", "BLANC": "blanc"}
_FRACTION = r"\(([-\d.e]+) / ([-\d.e]+)\) [-\d.]+%"
_PERL = re.compile(rf"Recall: {_FRACTION}\s+Precision: {_FRACTION}\s+F1: ([\d.]+)%")
_COVAL = re.compile(r"(\w+)\s+Recall: ([\d.]+)\s+Precision: ([\d.]+)\s+F1: ([\d.]+)")
_SCORCH = re.compile(r"^(\S+):\tR=(\S+)\tP=(\S+)\tF₁=(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class PeerPaths:
    """Where the peers are, and the interpreters that run them."""

    peers: Path
    python: str = sys.executable
    corefud_python: str = sys.executable

    @classmethod
    def of(cls, peers: str = "", python: str = "", corefud_python: str = "") -> "PeerPaths":
        """From options; an empty one means the environment or this interpreter."""
        folder = peers or os.environ.get("COREFBENCH_PEERS", "")
        if not folder:
            raise SystemExit("say where the peers are: --peers FOLDER or COREFBENCH_PEERS")
        return cls(Path(folder).resolve(), python or sys.executable, corefud_python or sys.executable)


Commands: TypeAlias = Callable[[PeerPaths, Path, Path], list[list[str]]]


@dataclass(frozen=True)
class Peer:
    """One program: its commands for KEY RESPONSE, the format it reads, how its output is read."""

    name: str
    commands: Commands
    scores: Callable[[str], Scores]
    reads: str = "conll"
    folder: str = ""
    """Its folder under the peers' folder; empty for a package."""

    def present(self, paths: PeerPaths) -> bool:
        return not self.folder or (paths.peers / self.folder).is_dir()

    def for_input(self, paths: PeerPaths, inputs: Path, name: str) -> list[list[str]]:
        key, response = (input_path(inputs, name, side, self.reads) for side in ("key", "response"))
        return self.commands(paths, key, response)


def corefbench_command(*arguments: str) -> list[str]:
    """Our own console script, or the module where there is none."""
    script = Path(sys.executable).parent / "corefbench"
    start = [str(script)] if script.exists() else [sys.executable, "-m", "corefbench"]
    return [*start, *arguments]


def _corefbench(paths: PeerPaths, key: Path, response: Path) -> list[list[str]]:
    return [corefbench_command("score", str(key), str(response), "--format", "json")]


def _perl(metric: str) -> Commands:
    def commands(paths: PeerPaths, key: Path, response: Path) -> list[list[str]]:
        scorer = str(paths.peers / "perl" / "scorer.pl")
        return [["perl", scorer, metric, str(key), str(response), "none"]]

    return commands


def _coval(paths: PeerPaths, key: Path, response: Path) -> list[list[str]]:
    return [[paths.python, str(paths.peers / "coval" / "scorer.py"), str(key), str(response)]]


def _ua(paths: PeerPaths, key: Path, response: Path) -> list[list[str]]:
    scorer = paths.peers / "universal-anaphora-scorer" / "ua-scorer.py"
    return [[paths.python, str(scorer), str(key), str(response)]]


def _corefud(paths: PeerPaths, key: Path, response: Path) -> list[list[str]]:
    scorer = str(paths.peers / "corefud-scorer" / "corefud-scorer.py")
    return [[paths.corefud_python, scorer, "-s", "-x", str(key), str(response)]]


def _scorch(paths: PeerPaths, key: Path, response: Path) -> list[list[str]]:
    """scorch reads JSON: its own converter writes a file a document, which is part of the cost."""
    folders = [path.with_suffix(".scorch") for path in (key, response)]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    convert = [
        [paths.python, "-m", "scorch.conll", str(path), str(folder)]
        for path, folder in zip((key, response), folders, strict=True)
    ]
    return [*convert, [paths.python, "-m", "scorch.main", *map(str, folders)]]


def read_corefbench(output: str) -> Scores:
    """Ours: ``score --format json``."""
    scores = json.loads(output)["scores"]
    return {name: (s["recall"], s["precision"], s["f1"]) for name, s in scores.items()}


def read_perl(output: str) -> Scores:
    """The totals of one metric or of ``all``; F1 from the unrounded fractions, but for BLANC."""
    scores: Scores = {}
    for block in re.split(r"^METRIC ", output, flags=re.MULTILINE):
        metric = block.partition(":")[0]
        line = block.rpartition("BLANC: ")[2] if "BLANC: " in block else block.rpartition("Coreference: ")[2]
        match = _PERL.search(line)
        if match and "TOTALS" in block:
            name = metric if metric in ("muc", "bcub", "ceafm", "ceafe", "blanc") else ""
            scores[_NAMES.get(name, name)] = _perl_triple(match, is_blanc="BLANC: " in block)
    return scores


def _perl_triple(match: re.Match[str], *, is_blanc: bool) -> Triple:
    hits, whole, precise, answered, printed = map(float, match.groups())
    recall = hits / whole if whole else 0.0
    precision = precise / answered if answered else 0.0
    if is_blanc:
        return recall, precision, printed / 100
    return recall, precision, 2 * recall * precision / (recall + precision or 1.0)


def read_coval(output: str) -> Scores:
    """coval prints one line a metric; UA and CorefUD print the name on a line of its own."""
    return {
        _NAMES.get(name, name): (float(r) / 100, float(p) / 100, float(f) / 100)
        for name, r, p, f in _COVAL.findall(output)
    }


def read_scorch(output: str) -> Scores:
    """scorch prints unrounded fractions."""
    return {_NAMES.get(name, name): (float(r), float(p), float(f)) for name, r, p, f in _SCORCH.findall(output)}


def _named(metric: str) -> Callable[[str], Scores]:
    """The totals of a Perl run of one metric, which does not print its name."""

    def read(output: str) -> Scores:
        return read_perl(f"METRIC {metric}:\n{output}")

    return read


OURS = Peer("corefbench", _corefbench, read_corefbench)
PEERS: tuple[Peer, ...] = (
    Peer("Perl v8.01, all five metrics", _perl("all"), read_perl, folder="perl"),
    *(
        Peer(f"Perl v8.01, {title} only", _perl(metric), _named(metric), folder="perl")
        for metric, title in (
            ("muc", "MUC"),
            ("bcub", "B³"),
            ("ceafm", "CEAFm"),
            ("ceafe", "CEAFe"),
            ("blanc", "BLANC"),
        )
    ),
    Peer("coval (MUC B³ CEAFe LEA)", _coval, read_coval, folder="coval"),
    Peer("scorch, with conversion", _scorch, read_scorch),
    Peer("UA scorer", _ua, read_coval, reads="ua", folder="universal-anaphora-scorer"),
    Peer("corefud-scorer, exact", _corefud, read_coval, reads="conllu", folder="corefud-scorer"),
)
