"""The page of costs: what twice the input costs, for every reader, writer, measure and rule."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from benchmarks.cost_shapes import RELATED, SHAPES
from benchmarks.pages import table

if TYPE_CHECKING:
    from benchmarks.cost import Row

_TITLES = {
    "read": "Reading",
    "write": "Writing",
    "measure": "Measures, from the matching on",
    "match": "Matching rules, with mention detection",
    "text": "Text in one line, without a full stop",
}


def page(rows: "Sequence[Row]", goal: float, largest: int, hard: int) -> str:
    """The whole page."""
    over = [row for row in rows if row.worst > goal]
    done = [row for row in rows if row.seconds]
    blocks = [
        "# Cost",
        "`python -m benchmarks.cost`",
        f"Processor time of inputs of sizes each twice the one before, the largest of "
        f"{largest:,} mentions (writing, and hard shapes, {hard:,}); the least of up to three "
        f"runs, more where the ratio seemed too high. Twice the input may cost {goal} times as "
        f"much. {len(done)} pieces of work, {len(over)} over the goal. Load of the machine as it "
        f"ended: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores.",
        "A ratio is the largest of those at hand; “–” is work too short to say; a code is an error "
        "with which the format refuses the shape; “not run” is work that the time given to the "
        "program was too short for.",
        *_tables(rows),
        "Shapes: " + "; ".join(f"*{s.name}*, {s.title}" for s in (*SHAPES, RELATED)) + ".",
    ]
    return "\n\n".join(blocks) + "\n"


def _tables(rows: "Sequence[Row]") -> Iterable[str]:
    for kind, title in _TITLES.items():
        some = [row for row in rows if row.kind == kind]
        if some:
            yield f"## {title}"
            yield _table(some)


def _table(rows: "Sequence[Row]") -> str:
    """Names down, shapes across; seconds at the largest size in the second column."""
    shapes = list(dict.fromkeys(row.shape for row in rows))
    cells = {(row.name, row.shape): row for row in rows}
    lines = []
    for name in dict.fromkeys(row.name for row in rows):
        first = cells.get((name, shapes[0]))
        spent = f"{first.seconds[-1]:.2f} s" if first and first.seconds else "–"
        lines.append([name, spent, *(_cell(cells.get((name, shape))) for shape in shapes)])
    return table(["", f"{shapes[0]}, largest", *shapes], lines)


def _cell(row: "Row | None") -> str:
    if row is None:
        return ""
    return row.refused or (f"{row.worst:.2f}" if row.worst else "–")
