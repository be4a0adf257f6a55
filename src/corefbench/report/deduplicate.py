"""Near-duplicate documents: table, JSON and chart."""

from typing import TYPE_CHECKING, Any

from corefbench.analysis.deduplicate import Deduplication
from corefbench.report.charts import PALETTE, chart_title
from corefbench.report.renderers import ReportFormat, render_json, render_tables
from corefbench.report.table import Table, tabulate

if TYPE_CHECKING:
    import altair

_BINS = 10


def report_deduplication(result: Deduplication, format: ReportFormat = "table", *, more: str = "") -> str:
    """Render the dropped documents; ``more`` is HTML for the end of a page."""
    if format == "json":
        return render_json(deduplication_to_dict(result))
    return render_tables([dropped_table(result)], format, more=more)


def dropped_table(result: Deduplication) -> Table:
    """Tabulate the dropped documents."""
    count = len(result.dropped)
    target = f" that duplicate one of {result.between}" if result.between else ""
    return tabulate(
        f"{count:,} of {result.documents:,} documents dropped{target}; {result.documents - count:,} kept",
        result.dropped,
        {
            "Dropped": "document",
            "Words": "words",
            "Duplicate of": "duplicate_of",
            "Its words": "other_words",
            "Shared": "shared",
            "Ratio": lambda duplicate: f"{duplicate.ratio:.4f}",
        },
        [f"ratio > {result.threshold:g}; bag: {result.bag}"],
    )


def deduplication_to_dict(result: Deduplication) -> dict[str, Any]:
    """Return the report as a dictionary for JSON; programs may rely on the keys."""
    return {
        "documents": result.documents,
        "kept": result.documents - len(result.dropped),
        "threshold": result.threshold,
        "bag": result.bag,
        "between": result.between or None,
        "dropped": list(result.dropped),
    }


def ratio_rows(result: Deduplication) -> list[dict[str, object]]:
    """Count dropped documents in ten bins from the threshold to 1."""
    width = (1 - result.threshold) / _BINS
    counts = [0] * _BINS
    for duplicate in result.dropped:
        counts[min(int((duplicate.ratio - result.threshold) / width), _BINS - 1)] += 1
    return [
        {
            "from": round(100 * (result.threshold + width * number), 2),
            "to": round(100 * (result.threshold + width * (number + 1)), 2),
            "documents": count,
        }
        for number, count in enumerate(counts)
    ]


def deduplicate_chart(result: Deduplication) -> "altair.Chart":
    """Draw a histogram of the shared words of dropped documents."""
    import altair

    low = 100 * result.threshold
    about = f"{len(result.dropped):,} of {result.documents:,} documents dropped"
    chart: altair.Chart = (
        altair.Chart(altair.InlineData(ratio_rows(result)))
        .mark_bar(color=PALETTE[0], stroke="white")
        .encode(
            x=altair.X("from:Q", bin="binned", title="Shared words of the shorter document (%)").scale(
                domain=[low, 100], nice=False
            ),
            x2="to:Q",
            y=altair.Y("documents:Q", title="Dropped documents").axis(tickMinStep=1, domain=False),
            tooltip=["from:Q", "to:Q", "documents:Q"],
        )
        .properties(width=460, height=220, title=chart_title("Duplicates", about))
    )
    return chart
