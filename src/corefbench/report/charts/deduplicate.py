"""How much of each dropped document stands in the one that is kept."""

from typing import TYPE_CHECKING

from corefbench.analysis.deduplicate import Deduplication
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair

_BINS = 10


def ratio_rows(made: Deduplication) -> list[dict[str, object]]:
    """How many dropped documents there are in each tenth from the threshold to 1."""
    width = (1 - made.threshold) / _BINS
    counts = [0] * _BINS
    for one in made.dropped:
        counts[min(int((one.ratio - made.threshold) / width), _BINS - 1)] += 1
    return [
        {
            "from": round(100 * (made.threshold + width * number), 2),
            "to": round(100 * (made.threshold + width * (number + 1)), 2),
            "documents": count,
        }
        for number, count in enumerate(counts)
    ]


def deduplicate_chart(made: Deduplication) -> "altair.Chart":
    """A histogram of the ratios."""
    import altair

    low = 100 * made.threshold
    about = f"{len(made.dropped):,} of {made.documents:,} documents dropped"
    chart: altair.Chart = (
        altair.Chart(altair.InlineData(ratio_rows(made)))
        .mark_bar(color=COLOURS[0], stroke="white")
        .encode(
            x=altair.X(
                "from:Q", bin="binned", title="Shared words of the shorter document (%)"
            ).scale(domain=[low, 100], nice=False),
            x2="to:Q",
            y=altair.Y("documents:Q", title="Dropped documents").axis(tickMinStep=1, domain=False),
            tooltip=["from:Q", "to:Q", "documents:Q"],
        )
        .properties(
            width=460,
            height=220,
            title=altair.TitleParams("Duplicates", subtitle=about, anchor="start", offset=12),
        )
    )
    return chart
