"""Speed and memory of scoring, beside other scorers.

Processor time (user and system) and peak memory of child processes, the cheapest of several runs.
Prints progress, and writes docs/results/speed.md.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from benchmarks.data import INPUTS
from benchmarks.page import Page, markdown_table
from benchmarks.peers import OURS, PEERS, Peer, PeerPaths, Scores, corefbench_command
from benchmarks.process import Limits, Usage, cheapest, run_command, run_commands
from benchmarks.render import input_path

Costs: TypeAlias = dict[str, tuple[Usage | None, Scores]]
"""By input: what it took (None: not tried, a smaller one was too large already) and its scores."""
_OURS_NAME = "corefbench"
_MEASURES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")


@dataclass(frozen=True)
class Extras:
    """What was measured beside the corpora."""

    nothing: Usage
    bare_python: Usage
    help: Usage
    passes: Mapping[str, Mapping[str, Usage]]
    ours: Mapping[str, Usage]
    """Our cost on the inputs of the doubling series and on L and L2."""
    doubling: Sequence[Sequence[str]]
    in_memory: Mapping[str, Sequence[Usage]] = field(default_factory=dict)
    in_memory_input: str = ""


def render_page(
    corpora: Sequence[str], costs: Mapping[str, Costs], extras: Extras, command: str, runs: int, limits: Limits
) -> str:
    """The whole page."""
    blocks = [
        "# Speed and memory",
        f"`{command}`",
        f"Processor time (user + system) and peak memory of each process, the cheapest of {runs} "
        "runs (one run where it took over 20 s), 2 cores, all tools in the same session. "
        f"Limits: {limits.seconds:.0f} s of processor time, {limits.bytes / (1 << 30):.0f} GB of "
        "addresses. "
        "Inputs: `benchmarks/generate.py`. corefbench computes seven measures in each run; the "
        "peers' measures are in their names.",
        "## Times the cost of corefbench",
        markdown_table(["tool", *corpora], [_ratios(name, c, costs[_OURS_NAME], corpora) for name, c in costs.items()]),
        "## Processor time and peak memory",
        markdown_table(["tool", *corpora], [_absolute(name, c, corpora) for name, c in costs.items()]),
        "`–`: not tried, as a smaller document already exceeded a limit. Peaks below "
        f"{_megabytes(extras.nothing)} cannot be told apart (the peak of `true`).",
        *_passes_section(corpora, costs[_OURS_NAME], extras),
        *_startup_section(extras),
        *_doubling_section(extras),
        *_memory_section(extras),
        *_in_memory_section(extras),
        *_agreement_section(corpora, costs),
    ]
    return "\n\n".join(blocks) + "\n"


def _ratios(name: str, costs: Costs, ours: Costs, corpora: Sequence[str]) -> list[str]:
    return [name, *(_ratio(costs.get(c, (None, {}))[0], ours.get(c, (None, {}))[0]) for c in corpora)]


def _ratio(usage: Usage | None, ours: Usage | None) -> str:
    if usage is None:
        return "–"
    if ours is None or ours.outcome != "done" or usage.outcome in ("out of memory", "failed"):
        return usage.outcome
    above = "> " if usage.outcome == "too slow" else ""
    return f"{above}{usage.processor / ours.processor:.1f} ×"


def _absolute(name: str, costs: Costs, corpora: Sequence[str]) -> list[str]:
    return [name, *(_cost_cell(costs.get(corpus, (None, {}))[0]) for corpus in corpora)]


def _cost_cell(usage: Usage | None) -> str:
    if usage is None:
        return "–"
    if usage.outcome in ("out of memory", "failed"):
        return usage.outcome
    above = "> " if usage.outcome == "too slow" else ""
    return f"{above}{usage.processor:.2f} s, {_megabytes(usage)}"


def _megabytes(usage: Usage) -> str:
    return f"{usage.peak / (1 << 20):.0f} MB"


def _passes_section(corpora: Sequence[str], ours: Costs, extras: Extras) -> list[str]:
    """Our time beside passes over the same bytes that understand nothing."""
    names = list(next(iter(extras.passes.values()), {}))
    rows = [[name, *(f"{extras.passes[corpus][name].processor:.2f} s" for corpus in corpora)] for name in names]
    ratios = [
        [f"corefbench ÷ {name}", *(_ratio(ours[c][0], extras.passes[c][name]) for c in corpora)] for name in names
    ]
    return ["## Against a pass over the same bytes", markdown_table(["pass", *corpora], [*ratios, *rows])]


def _startup_section(extras: Extras) -> list[str]:
    rows = [
        [name, f"{usage.processor * 1000:.0f} ms", f"{usage.wall * 1000:.0f} ms", _megabytes(usage)]
        for name, usage in (("`corefbench --help`", extras.help), ("`python -c pass`", extras.bare_python))
    ]
    return ["## Start-up", markdown_table(["command", "processor", "wall", "peak"], rows)]


def _doubling_section(extras: Extras) -> list[str]:
    """Each input has twice the mentions of the one before."""
    rows = []
    for series in extras.doubling:
        for before, after in pairwise(series):
            smaller, larger = extras.ours[before], extras.ours[after]
            factor = larger.processor / smaller.processor if smaller.processor else 0.0
            verdict = "yes" if larger.outcome == "done" and factor <= 2.3 else "**no**"
            rows.append([f"{before} → {after}", _cost_cell(smaller), _cost_cell(larger), f"{factor:.2f} ×", verdict])
    head = ["input", "before", "after", "factor", "≤ 2.3"]
    return ["## Twice the input", markdown_table(head, rows)] if rows else []


def _memory_section(extras: Extras) -> list[str]:
    if "L2" not in extras.ours:
        return []
    once, twice = extras.ours["L"], extras.ours["L2"]
    rows = [["L", _megabytes(once)], ["twice L", _megabytes(twice)]]
    rows.append(["ratio", f"{twice.peak / once.peak:.2f} ×" if once.peak else "–"])
    return ["## Memory does not grow with the number of documents", markdown_table(["input", "peak"], rows)]


def _in_memory_section(extras: Extras) -> list[str]:
    """Scoring alone: clusters in memory on both sides, imports and reading not counted."""
    seconds = {
        name: min(json.loads(usage.output)["seconds"] for usage in usages)
        for name, usages in extras.in_memory.items()
        if all(usage.outcome == "done" for usage in usages)
    }
    failed = [[name, "failed", "–"] for name in extras.in_memory if name not in seconds]
    ours = seconds.get(_OURS_NAME, 0.0)
    rows = [[name, f"{taken:.2f} s", f"{taken / ours:.1f} ×" if ours else "–"] for name, taken in seconds.items()]
    title = f"## Clusters already in memory ({extras.in_memory_input})"
    head = ["library", "processor", "times corefbench"]
    return [title, markdown_table(head, [*rows, *failed])] if extras.in_memory else []


def _agreement_section(corpora: Sequence[str], costs: Mapping[str, Costs]) -> list[str]:
    """F1 on the first input, from the same runs."""
    first = corpora[0]
    rows = [
        [name, *(f"{100 * scores[m][2]:.2f}" if m in scores else "" for m in _MEASURES)]
        for name, cost in costs.items()
        for scores in [cost[first][1]]
        if scores
    ]
    note = (
        "The UA format cannot write crossing mentions, so that scorer sees a few fewer. scorch "
        "adds spurious mentions to the key and averages over documents. Perl cuts BLANC to two "
        "digits; UA and CorefUD leave out a half of BLANC only where neither side has it."
    )
    return [f"## F1 on {first}, of the same runs", markdown_table(["tool", *_MEASURES], rows), note]


CORPORA = ("S", "L", "XL1k", "XL3k", "XL", "XLx")
DOUBLING = (("S", "S2", "S4", "S8"), ("XL8k", "XL16k", "XL32k", "XL64k"))
_ONE_DOCUMENT = ("XL1k", "XL3k", "XL", "XLx")
_LONG = 20.0
"""Seconds after which a run is not repeated: it is long enough to be measured once."""


@dataclass(frozen=True)
class Plan:
    """What was asked for on the command line."""

    paths: PeerPaths
    inputs: Path
    corpora: tuple[str, ...]
    runs: int
    limits: Limits


def run(arguments: argparse.Namespace) -> Page:
    """Measure corefbench and its peers."""
    plan = Plan(
        PeerPaths.of(arguments.peers, arguments.python, arguments.corefud_python),
        arguments.inputs,
        tuple(arguments.corpora.split(",")),
        arguments.runs,
        Limits(arguments.timeout, int(arguments.memory * (1 << 30))),
    )
    peers = [peer for peer in PEERS if arguments.only in peer.name and peer.present(plan.paths)]
    _generate(plan, peers, doubling=arguments.doubling)
    costs = {peer.name: _costs(plan, peer) for peer in (OURS, *peers)}
    extras = _extras(plan, arguments)
    command = shlex.join(["python", "-m", "benchmarks", "speed", *_shown(arguments.words)])
    text = render_page(plan.corpora, costs, extras, command, plan.runs, plan.limits)
    return Page("speed", text)


def _costs(plan: Plan, peer: Peer) -> Costs:
    """The peer's cost on every input; once a document was too large, larger ones are not tried."""
    costs: Costs = {}
    for name in plan.corpora:
        larger = _ONE_DOCUMENT[_ONE_DOCUMENT.index(name) :] if name in _ONE_DOCUMENT else ()
        if name in costs:
            continue
        usage = _repeated(plan, partial(peer.for_input, plan.paths, plan.inputs, name))
        scores = peer.scores(usage.output) if usage.outcome == "done" else {}
        costs[name] = (usage, scores)
        _say(peer.name, name, usage)
        if usage.outcome in ("too slow", "out of memory"):
            costs |= {skipped: (None, {}) for skipped in larger[1:] if skipped in plan.corpora}
    return costs


def _repeated(plan: Plan, commands: "partial[list[list[str]]]") -> Usage:
    usages: list[Usage] = []
    for _ in range(plan.runs):
        usages.append(run_commands(commands(), plan.limits))
        if usages[-1].outcome != "done" or usages[-1].processor > _LONG:
            break
    return cheapest(usages) if usages[-1].outcome == "done" else usages[-1]


def _single(plan: Plan, command: Sequence[str]) -> Usage:
    usage = cheapest([run_command(command, plan.limits) for _ in range(plan.runs)])
    _say(command[0].rpartition("/")[2], " ".join(" ".join(command[1:3]).split())[:40], usage)
    return usage


def _extras(plan: Plan, arguments: argparse.Namespace) -> Extras:
    """The rows that are not one tool on one corpus."""
    names = [name for series in DOUBLING for name in series] if arguments.doubling else []
    names += ["L", "L2"] if arguments.doubling else []
    ours = {
        name: _repeated(plan, partial(OURS.for_input, plan.paths, plan.inputs, name)) for name in dict.fromkeys(names)
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
        "coreference_eval (PyPI)": [plan.paths.python, "coreference_eval"],
    }
    allennlp = plan.paths.peers / "allennlp-models"
    if allennlp.is_dir():
        tools["allennlp-models' evaluator"] = [plan.paths.python, "allennlp"]
    usages: dict[str, list[Usage]] = {}
    for title, (python, tool) in tools.items():
        command = [python, "-m", "benchmarks.in_memory", tool, *files, str(allennlp)]
        usages[title] = [run_command(command, plan.limits) for _ in range(plan.runs)]
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
        generated = run_command([sys.executable, "-m", "benchmarks", "generate", name, *options])
        if generated.outcome != "done":
            raise SystemExit(f"{name} could not be made: {generated.errors}")


def _say(tool: str, what: str, usage: Usage) -> None:
    cost = f"{usage.processor:8.2f} s {usage.peak / (1 << 20):8.0f} MB"
    print(f"{tool:32} {what:40} {usage.outcome:14} {cost}", file=sys.stderr, flush=True)


def _shown(arguments: Sequence[str]) -> list[str]:
    """The command line without the paths of this machine."""
    hidden = {"--peers": "PEERS", "--python": "PYTHON", "--corefud-python": "COREFUD_PYTHON"}
    hidden |= {"--inputs": "INPUTS", "--page": "PAGE"}
    words: list[str] = []
    for argument in arguments:
        option = words[-1] if words else ""
        words.append(hidden.get(option, argument))
    return words


def add_arguments(parser: argparse.ArgumentParser) -> None:
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


if __name__ == "__main__":
    from benchmarks.runner import run_subject

    run_subject("speed", sys.argv[1:])
