"""The page of the speed benchmark: ratios first, then what they are ratios of."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from benchmarks.measure import Limits, Usage
from benchmarks.pages import table
from benchmarks.peers import Scores

Costs: TypeAlias = dict[str, tuple[Usage | None, Scores]]
"""By input: what it took (None: not tried, a smaller one was too large already) and its scores."""
OURS = "corefbench"
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


def page(
    corpora: Sequence[str],
    costs: Mapping[str, Costs],
    extras: Extras,
    command: str,
    runs: int,
    limits: Limits,
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
        table(
            ["tool", *corpora],
            [_ratios(name, c, costs[OURS], corpora) for name, c in costs.items()],
        ),
        "## Processor time and peak memory",
        table(["tool", *corpora], [_absolute(name, c, corpora) for name, c in costs.items()]),
        "`–`: not tried, as a smaller document already exceeded a limit. Peaks below "
        f"{_megabytes(extras.nothing)} cannot be told apart (the peak of `true`).",
        *_trivial(corpora, costs[OURS], extras),
        *_fixed(extras),
        *_doubling(extras),
        *_memory(extras),
        *_in_memory(extras),
        *_agreement(corpora, costs),
    ]
    return "\n\n".join(blocks) + "\n"


def _ratios(name: str, costs: Costs, ours: Costs, corpora: Sequence[str]) -> list[str]:
    return [
        name,
        *(_ratio(costs.get(c, (None, {}))[0], ours.get(c, (None, {}))[0]) for c in corpora),
    ]


def _ratio(usage: Usage | None, ours: Usage | None) -> str:
    if usage is None:
        return "–"
    if ours is None or ours.outcome != "done" or usage.outcome in ("out of memory", "failed"):
        return usage.outcome
    above = "> " if usage.outcome == "too slow" else ""
    return f"{above}{usage.processor / ours.processor:.1f} ×"


def _absolute(name: str, costs: Costs, corpora: Sequence[str]) -> list[str]:
    return [name, *(_cost(costs.get(corpus, (None, {}))[0]) for corpus in corpora)]


def _cost(usage: Usage | None) -> str:
    if usage is None:
        return "–"
    if usage.outcome in ("out of memory", "failed"):
        return usage.outcome
    above = "> " if usage.outcome == "too slow" else ""
    return f"{above}{usage.processor:.2f} s, {_megabytes(usage)}"


def _megabytes(usage: Usage) -> str:
    return f"{usage.peak / (1 << 20):.0f} MB"


def _trivial(corpora: Sequence[str], ours: Costs, extras: Extras) -> list[str]:
    """Our time beside passes over the same bytes that understand nothing."""
    names = list(next(iter(extras.passes.values()), {}))
    rows = [
        [name, *(f"{extras.passes[corpus][name].processor:.2f} s" for corpus in corpora)]
        for name in names
    ]
    ratios = [
        [f"corefbench ÷ {name}", *(_ratio(ours[c][0], extras.passes[c][name]) for c in corpora)]
        for name in names
    ]
    return ["## Against a pass over the same bytes", table(["pass", *corpora], [*ratios, *rows])]


def _fixed(extras: Extras) -> list[str]:
    rows = [
        [name, f"{usage.processor * 1000:.0f} ms", f"{usage.wall * 1000:.0f} ms", _megabytes(usage)]
        for name, usage in (
            ("`corefbench --help`", extras.help),
            ("`python -c pass`", extras.bare_python),
        )
    ]
    return ["## Start-up", table(["command", "processor", "wall", "peak"], rows)]


def _doubling(extras: Extras) -> list[str]:
    """Each input has twice the mentions of the one before."""
    rows = []
    for series in extras.doubling:
        for before, after in pairwise(series):
            smaller, larger = extras.ours[before], extras.ours[after]
            factor = larger.processor / smaller.processor if smaller.processor else 0.0
            verdict = "yes" if larger.outcome == "done" and factor <= 2.3 else "**no**"
            rows.append(
                [f"{before} → {after}", _cost(smaller), _cost(larger), f"{factor:.2f} ×", verdict]
            )
    head = ["input", "before", "after", "factor", "≤ 2.3"]
    return ["## Twice the input", table(head, rows)] if rows else []


def _memory(extras: Extras) -> list[str]:
    if "L2" not in extras.ours:
        return []
    once, twice = extras.ours["L"], extras.ours["L2"]
    rows = [["L", _megabytes(once)], ["twice L", _megabytes(twice)]]
    rows.append(["ratio", f"{twice.peak / once.peak:.2f} ×" if once.peak else "–"])
    return ["## Memory does not grow with the number of documents", table(["input", "peak"], rows)]


def _in_memory(extras: Extras) -> list[str]:
    """Scoring alone: clusters in memory on both sides, imports and reading not counted."""
    seconds = {
        name: min(json.loads(usage.output)["seconds"] for usage in usages)
        for name, usages in extras.in_memory.items()
        if all(usage.outcome == "done" for usage in usages)
    }
    failed = [[name, "failed", "–"] for name in extras.in_memory if name not in seconds]
    ours = seconds.get(OURS, 0.0)
    rows = [
        [name, f"{taken:.2f} s", f"{taken / ours:.1f} ×" if ours else "–"]
        for name, taken in seconds.items()
    ]
    title = f"## Clusters already in memory ({extras.in_memory_input})"
    head = ["library", "processor", "times corefbench"]
    return [title, table(head, [*rows, *failed])] if extras.in_memory else []


def _agreement(corpora: Sequence[str], costs: Mapping[str, Costs]) -> list[str]:
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
    return [f"## F1 on {first}, of the same runs", table(["tool", *_MEASURES], rows), note]
