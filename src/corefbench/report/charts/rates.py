"""Resolvers side by side: success rate and precision on pronouns with their confidence intervals.

A small chart a rate, a line a resolver; the bar is the percentile interval of a paired bootstrap
over documents.
"""

from typing import TYPE_CHECKING

from corefbench.analysis.comparison import Comparison, Part
from corefbench.report.charts.intervals import interval, interval_chart

if TYPE_CHECKING:
    import altair

_TITLES: dict[Part, str] = {"recall": "Success rate", "precision": "Precision", "f1": "F1"}


def rate_rows(comparison: Comparison) -> list[dict[str, object]]:
    """What is drawn: resolver, rate, value and interval, in per cent."""
    return [
        {"resolver": system.name, "rate": _TITLES[part], **interval(found, "value")}
        for system in comparison.systems
        for figures in system.scores.values()
        for part, found in figures.items()
    ]


def rate_chart(comparison: Comparison) -> "altair.FacetChart":
    """The specification."""
    return interval_chart(
        comparison,
        rate_rows(comparison),
        list(_TITLES.values()),
        line="resolver",
        quantity="rate",
        value="value",
        unit="%",
        head="Pronouns",
        width=240,
        columns=3,
    )
