"""The page of costs: what twice the input costs, for every reader, writer, measure and rule."""

import os
from collections.abc import Iterable, Sequence

from benchmarks.cost_row import GOAL, Row
from benchmarks.cost_shapes import HEADED, RELATED, SHAPES
from benchmarks.pages import table

_TITLES = {
    "read": "Reading",
    "write": "Writing",
    "measure": "Measures, from the matching on",
    "match": "Matching rules, with mention detection",
    "text": "Text in one line, without a full stop",
}
_HOW = (
    "Processor time of an input and of one twice as large, the least of up to three runs, more "
    "where the ratio seemed too high; the collector of garbage, which works by leaps, waits "
    "meanwhile. Work too short to say is given more. Where a doubling cost too much the next one "
    "was measured, which then counts: a step, as where data no longer fit the processor's memory, "
    "is made once, while growth goes on."
)
_BYTES = (
    "Some files grow faster than their mentions: those that repeat the words of a mention, or name "
    "each of them, when all mentions are nested in each other. There the cost is that of twice the "
    "bytes, marked *b*, and sizes are smaller."
)
_SIGNS = (
    "“–” is work too short to say; a code is the [error](../errors.md) with which the format or "
    "the rule refuses the shape: CB211 is a key without heads or trees, CB122 tags nested too deep."
)


def page(rows: Sequence[Row], largest: int, hard: int) -> str:
    """The whole page."""
    blocks = [
        "# Cost",
        "`python -m benchmarks.cost`",
        _verdict(rows),
        f"Readers, writers and measures go to {largest:,} mentions; files of other shapes than "
        f"*documents*, and *twice* and *heads*, go to {hard:,}, or to more where those were too "
        f"few to say. {_HOW}",
        _BYTES,
        _SIGNS,
        *_tables(rows),
        *_listed("Over the goal", [row for row in rows if row.over]),
        *_listed(
            "Dear once, not at the next doubling", [r for r in rows if r.before and not r.over]
        ),
        "Shapes: " + "; ".join(f"*{s.name}*, {s.title}" for s in (*SHAPES, RELATED, HEADED)) + ".",
        f"Load of the machine as it ended: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores.",
    ]
    return "\n\n".join(blocks) + "\n"


def _verdict(rows: Sequence[Row]) -> str:
    said = [row for row in rows if row.ratio]
    over = sum(row.over for row in rows)
    refused = sum(bool(row.refused) for row in rows)
    met = "The goal is not met" if over else "The goal is met"
    return (
        f"**{met}**: twice the input may cost {GOAL} times as much; of {len(said)} pieces of work "
        f"{over} cost more, and the dearest {max((row.ratio for row in said), default=0):.2f} "
        f"times. {refused} shapes were refused with a coded error, "
        f"{len(rows) - len(said) - refused} were too short to say."
    )


def _tables(rows: Sequence[Row]) -> Iterable[str]:
    for kind, title in _TITLES.items():
        some = [row for row in rows if row.kind == kind]
        if some:
            yield f"## {title}"
            yield _table(some)


def _table(rows: Sequence[Row]) -> str:
    """Names down, shapes across; the largest size of the first shape in the second column."""
    shapes = list(dict.fromkeys(row.shape for row in rows))
    cells = {(row.name, row.shape): row for row in rows}
    lines = []
    for name in dict.fromkeys(row.name for row in rows):
        first = cells.get((name, shapes[0]))
        spent = f"{first.costs[1].seconds:.2f} s" if first and first.costs else "–"
        lines.append([name, spent, *(_cell(cells.get((name, shape))) for shape in shapes)])
    return table(["", f"{shapes[0]}, largest", *shapes], lines)


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    if not row.ratio:
        return row.refused or "–"
    text = f"{row.ratio:.2f}" + (" *b*" if row.grown > 1 else "")
    return f"**{text}**" if row.over else text


def _listed(title: str, rows: Sequence[Row]) -> Iterable[str]:
    """The rows one by one, with their sizes."""
    if rows:
        yield f"## {title}"
        yield "\n".join(map(_item, rows))


def _item(row: Row) -> str:
    if row.costs is None:
        return f"- {row.kind} {row.name}, {row.shape}: {row.refused}"
    half, whole = row.costs
    return (
        f"- {row.kind} {row.name}, {row.shape}: ×{row.before:.2f}, then ×{row.ratio:.2f} from "
        f"{half.mentions:,} ({half.seconds:.2f} s) to {whole.mentions:,} ({whole.seconds:.2f} s)"
    )
