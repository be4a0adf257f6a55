"""What scoring costs, ours and the peers' in one run: ``python -m benchmarks.speed``.

Processor time (user and system) and peak memory of child processes, the cheapest of several runs.
Prints progress, and writes docs/results/speed.md.
"""

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.inputs import INPUTS
from benchmarks.measure import Limits, Usage, cheapest, run, run_all
from benchmarks.pages import RESULTS
from benchmarks.peers import OURS, PEERS, Peer, Places, corefbench_command
from benchmarks.speed_page import Costs, Extras, page
from benchmarks.writing import input_path

CORPORA = ("S", "L", "XL1k", "XL3k", "XL", "XLx")
DOUBLING = (("S", "S2", "S4", "S8"), ("XL8k", "XL16k", "XL32k", "XL64k"))
_ONE_DOCUMENT = ("XL1k", "XL3k", "XL", "XLx")
_LONG = 20.0
"""Seconds after which a run is not repeated: it is long enough to be measured once."""


@dataclass(frozen=True)
class Plan:
    """What was asked for on the command line."""

    places: Places
    inputs: Path
    corpora: tuple[str, ...]
    runs: int
    limits: Limits


def main() -> None:
    arguments = _arguments()
    plan = Plan(
        Places.of(arguments.peers, arguments.python, arguments.corefud_python),
        arguments.inputs,
        tuple(arguments.corpora.split(",")),
        arguments.runs,
        Limits(arguments.timeout, int(arguments.memory * (1 << 30))),
    )
    peers = [peer for peer in PEERS if arguments.only in peer.name and peer.present(plan.places)]
    _generate(plan, peers, doubling=arguments.doubling)
    costs = {peer.name: _costs(plan, peer) for peer in (OURS, *peers)}
    extras = _extras(plan, arguments)
    command = shlex.join(["python", "-m", "benchmarks.speed", *_shown(sys.argv[1:])])
    text = page(plan.corpora, costs, extras, command, plan.runs, plan.limits)
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    arguments.page.write_text(text, encoding="utf-8")
    print(text)


def _costs(plan: Plan, peer: Peer) -> Costs:
    """The peer's cost on every input; once a document was too large, larger ones are not tried."""
    costs: Costs = {}
    for name in plan.corpora:
        larger = _ONE_DOCUMENT[_ONE_DOCUMENT.index(name) :] if name in _ONE_DOCUMENT else ()
        if name in costs:
            continue
        usage = _repeated(plan, partial(peer.for_input, plan.places, plan.inputs, name))
        scores = peer.scores(usage.output) if usage.outcome == "done" else {}
        costs[name] = (usage, scores)
        _say(peer.name, name, usage)
        if usage.outcome in ("too slow", "out of memory"):
            costs |= {skipped: (None, {}) for skipped in larger[1:] if skipped in plan.corpora}
    return costs


def _repeated(plan: Plan, commands: "partial[list[list[str]]]") -> Usage:
    usages: list[Usage] = []
    for _ in range(plan.runs):
        usages.append(run_all(commands(), plan.limits))
        if usages[-1].outcome != "done" or usages[-1].processor > _LONG:
            break
    return cheapest(usages) if usages[-1].outcome == "done" else usages[-1]


def _single(plan: Plan, command: Sequence[str]) -> Usage:
    usage = cheapest([run(command, plan.limits) for _ in range(plan.runs)])
    _say(command[0].rpartition("/")[2], " ".join(" ".join(command[1:3]).split())[:40], usage)
    return usage


def _extras(plan: Plan, arguments: argparse.Namespace) -> Extras:
    """The rows that are not one tool on one corpus."""
    names = [name for series in DOUBLING for name in series] if arguments.doubling else []
    names += ["L", "L2"] if arguments.doubling else []
    ours = {
        name: _repeated(plan, partial(OURS.for_input, plan.places, plan.inputs, name))
        for name in dict.fromkeys(names)
    }
    for name, usage in ours.items():
        _say(OURS.name, name, usage)
    return Extras(
        nothing=_single(plan, ["true"]),
        bare_python=_single(plan, [sys.executable, "-c", "pass"]),
        help=_single(plan, corefbench_command("--help")),
        passes={name: _trivial_passes(plan, name) for name in plan.corpora},
        ours=ours,
        doubling=DOUBLING if arguments.doubling else (),
        in_memory=_in_memory(plan, arguments.in_memory) if arguments.in_memory else {},
        in_memory_input=arguments.in_memory,
    )


def _trivial_passes(plan: Plan, name: str) -> dict[str, Usage]:
    """Looking at the same bytes without understanding them: what no scorer can undercut."""
    files = [str(input_path(plan.inputs, name, side, "conll")) for side in ("key", "response")]
    read = "import sys\nfor path in sys.argv[1:]:\n open(path, 'rb', buffering=0).read()"
    return {
        "`wc -l`": _single(plan, ["wc", "-l", *files]),
        "Python `read()`": _single(plan, [sys.executable, "-c", read, *files]),
    }


def _in_memory(plan: Plan, name: str) -> dict[str, list[Usage]]:
    files = [str(input_path(plan.inputs, name, side, "jsonl")) for side in ("key", "response")]
    tools = {
        "corefbench": [sys.executable, "corefbench"],
        "coreference_eval (PyPI)": [plan.places.python, "coreference_eval"],
    }
    allennlp = plan.places.peers / "allennlp-models"
    if allennlp.is_dir():
        tools["allennlp-models' evaluator"] = [plan.places.python, "allennlp"]
    usages: dict[str, list[Usage]] = {}
    for title, (python, tool) in tools.items():
        command = [python, "-m", "benchmarks.in_memory", tool, *files, str(allennlp)]
        usages[title] = [run(command, plan.limits) for _ in range(plan.runs)]
        _say(title, f"{name} in memory", usages[title][-1])
    return usages


def _generate(plan: Plan, peers: Sequence[Peer], *, doubling: bool) -> None:
    """Make the inputs in a process of their own, so that this one stays small."""
    formats = sorted({"conll", "jsonl", *(peer.reads for peer in peers)})
    wanted = [(name, formats) for name in plan.corpora]
    if doubling:
        wanted += [(name, ["conll"]) for series in DOUBLING for name in series]
        wanted += [("L", ["conll"]), ("L2", ["conll"])]
    for name, formats in wanted:
        options = ["--formats", ",".join(formats), "--folder", str(plan.inputs)]
        made = run([sys.executable, "-m", "benchmarks.generate", name, *options])
        if made.outcome != "done":
            raise SystemExit(f"{name} could not be made: {made.complaint}")


def _say(tool: str, what: str, usage: Usage) -> None:
    cost = f"{usage.processor:8.2f} s {usage.peak / (1 << 20):8.0f} MB"
    print(f"{tool:32} {what:40} {usage.outcome:14} {cost}", file=sys.stderr, flush=True)


def _shown(arguments: Sequence[str]) -> list[str]:
    """The command line without the places of this machine."""
    hidden = {"--peers": "PEERS", "--python": "PYTHON", "--corefud-python": "COREFUD_PYTHON"}
    hidden |= {"--inputs": "INPUTS", "--page": "PAGE"}
    shown: list[str] = []
    for argument in arguments:
        option = shown[-1] if shown else ""
        shown.append(hidden.get(option, argument))
    return shown


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default="", help="folder of the peers, else COREFBENCH_PEERS")
    parser.add_argument("--python", default="", help="interpreter with scorch and coreference_eval")
    parser.add_argument("--corefud-python", default="", help="interpreter with udapi")
    parser.add_argument("--inputs", type=Path, default=INPUTS)
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--only", default="", help="peers whose name has this in it")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=900.0, help="processor seconds of a run")
    parser.add_argument("--memory", type=float, default=9.0, help="GB a run may address")
    parser.add_argument("--no-doubling", dest="doubling", action="store_false")
    parser.add_argument("--in-memory", default="L", help="input of the in-memory rows; empty: none")
    parser.add_argument("--page", type=Path, default=RESULTS / "speed.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
