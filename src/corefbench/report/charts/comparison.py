"""Systems side by side: F1 of every measure with its confidence interval.

A small chart a measure, a line a system; the bar is the percentile interval of a paired bootstrap
over documents. Intervals of two systems may overlap where their difference is significant: the
tests are paired, the bars are not.
"""

from typing import TYPE_CHECKING

from corefbench.analysis.comparison import Comparison
from corefbench.report.charts.intervals import interval, interval_chart

if TYPE_CHECKING:
    import altair


def comparison_chart(comparison: Comparison) -> "altair.FacetChart":
    """The specification."""
    return interval_chart(
        comparison,
        _rows(comparison),
        list(comparison.titles.values()),
        line="system",
        quantity="measure",
        value="F1",
        unit="F1 (%)",
        head=comparison.title,
        width=180,
        columns=4,
    )


def _rows(comparison: Comparison) -> list[dict[str, object]]:
    return [
        {"system": system.name, "measure": title, **interval(system.scores[score]["f1"], "F1")}
        for system in comparison.systems
        for score, title in comparison.titles.items()
    ]
