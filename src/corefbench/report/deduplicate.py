"""What was dropped and why, as a table and as plain values."""

from typing import Any

import msgspec

from corefbench.analysis.deduplicate import Deduplication
from corefbench.report import ReportFormat, render_tables
from corefbench.report.table import Table


def report_deduplication(
    made: Deduplication, format: ReportFormat = "table", *, more: str = ""
) -> str:
    """The report as text; ``more`` is HTML for the end of a page."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(made)), indent=2).decode()
    return render_tables([dropped_table(made)], format, more=more)


def dropped_table(made: Deduplication) -> Table:
    """A row a dropped document."""
    count = len(made.dropped)
    of = f" that duplicate one of {made.between}" if made.between else ""
    return Table(
        caption=f"{count:,} of {made.documents:,} documents dropped{of}; "
        f"{made.documents - count:,} kept",
        headers=("Dropped", "Words", "Duplicate of", "Its words", "Shared", "Ratio"),
        rows=tuple(
            (
                one.document,
                str(one.words),
                one.duplicate_of,
                str(one.other_words),
                str(one.shared),
                f"{one.ratio:.4f}",
            )
            for one in made.dropped
        ),
        notes=(f"ratio > {made.threshold:g}; bag: {made.bag}",),
    )


def as_object(made: Deduplication) -> dict[str, Any]:
    """The report in plain values; programs may rely on the keys."""
    return {
        "documents": made.documents,
        "kept": made.documents - len(made.dropped),
        "threshold": made.threshold,
        "bag": made.bag,
        "between": made.between or None,
        "dropped": [msgspec.to_builtins(one) for one in made.dropped],
    }
