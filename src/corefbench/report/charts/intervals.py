"""Values with their confidence intervals: a small chart a quantity, a line a system.

The bar is the percentile interval of a paired bootstrap over documents.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corefbench.analysis.comparison import Comparison
from corefbench.analysis.comparison.records import Estimate
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair


def interval_chart(
    comparison: Comparison,
    rows: Sequence[Mapping[str, object]],
    titles: Sequence[str],
    *,
    line: str,
    quantity: str,
    value: str,
    unit: str,
    head: str,
    width: int,
    columns: int,
) -> "altair.FacetChart":
    """The specification; ``line``, ``quantity`` and ``value`` are the names of columns of the rows,
    which have ``low`` and ``high`` too."""
    import altair

    names = [system.name for system in comparison.systems]
    lines = altair.Y(f"{line}:N", sort=names, title=None).axis(domain=False, ticks=False)
    colour = altair.Color(f"{line}:N", sort=names, legend=None).scale(range=COLOURS[:7])
    tips: list[str | altair.Tooltip] = [f"{line}:N", f"{quantity}:N"]
    tips += [altair.Tooltip(f"{name}:Q", format=".2f") for name in (value, "low", "high")]
    scale = altair.Scale(zero=False, nice=True)
    base = altair.Chart().encode(y=lines, color=colour, tooltip=tips)
    bars = base.mark_rule(strokeWidth=2.5).encode(
        x=altair.X("low:Q", title=unit, scale=scale), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=altair.X(f"{value}:Q", title=unit, scale=scale)
    )
    facet = altair.Facet(f"{quantity}:N", sort=list(titles)).title(None)
    facet = facet.header(labelFontSize=12, labelFontWeight="bold", labelPadding=4)
    layers = altair.layer(bars, points, data=altair.InlineData(list(rows)))
    drawn = layers.properties(width=width, height=max(40, 22 * len(names)))
    # Else Vega draws the axis once a column, under cells that the last row leaves empty too.
    made: altair.FacetChart = (
        drawn.facet(facet, columns=columns)
        .resolve_axis(x="independent")
        .properties(title=_title(comparison, head))
    )
    return made


def interval(found: Estimate, value: str) -> dict[str, object]:
    """Value and interval in per cent; without an interval, the value alone."""
    low = found.value if found.low is None else found.low
    high = found.value if found.high is None else found.high
    return {value: 100 * found.value, "low": 100 * low, "high": 100 * high}


def _title(comparison: Comparison, head: str) -> "altair.TitleParams":
    import altair

    count = len(comparison.documents)
    level = f"{100 * comparison.settings.confidence:g} % intervals, bootstrap over documents"
    about = level if comparison.is_tested else "one document: no intervals"
    whole = f"{head}; {count:,} document{'' if count == 1 else 's'}"
    return altair.TitleParams(whole, subtitle=about, anchor="start", offset=12)
