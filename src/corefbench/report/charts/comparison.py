"""Systems side by side: F1 of every measure with its confidence interval.

A small chart a measure, a line a system; the bar is the percentile interval of a paired bootstrap
over documents. Intervals of two systems may overlap where their difference is significant: the
tests are paired, the bars are not.
"""

from typing import TYPE_CHECKING

from corefbench.analysis.comparison import Comparison
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair


def comparison_chart(comparison: Comparison) -> "altair.FacetChart":
    """The specification."""
    import altair

    names = [system.name for system in comparison.systems]
    titles = list(comparison.titles.values())
    system = altair.Y("system:N", sort=names, title=None).axis(domain=False, ticks=False)
    colour = altair.Color("system:N", sort=names, legend=None).scale(range=COLOURS[:7])
    tips: list[str | altair.Tooltip] = ["system:N", "measure:N"]
    tips += [altair.Tooltip(f"{name}:Q", format=".2f") for name in ("F1", "low", "high")]
    scale = altair.Scale(zero=False, nice=True)
    base = altair.Chart().encode(y=system, color=colour, tooltip=tips)
    bars = base.mark_rule(strokeWidth=2.5).encode(
        x=altair.X("low:Q", title="F1 (%)", scale=scale), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=altair.X("F1:Q", title="F1 (%)", scale=scale)
    )
    facet = altair.Facet("measure:N", sort=titles).title(None)
    facet = facet.header(labelFontSize=12, labelFontWeight="bold", labelPadding=4)
    layers = altair.layer(bars, points, data=altair.InlineData(_rows(comparison)))
    drawn = layers.properties(width=180, height=max(40, 22 * len(names)))
    # Else Vega draws the axis once a column, under cells that the last row leaves empty too.
    made: altair.FacetChart = (
        drawn.facet(facet, columns=4)
        .resolve_axis(x="independent")
        .properties(title=_title(comparison))
    )
    return made


def _rows(comparison: Comparison) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for system in comparison.systems:
        for score, title in comparison.titles.items():
            found = system.scores[score]["f1"]
            low = found.value if found.low is None else found.low
            high = found.value if found.high is None else found.high
            named = {"system": system.name, "measure": title}
            rows.append({**named, "F1": 100 * found.value, "low": 100 * low, "high": 100 * high})
    return rows


def _title(comparison: Comparison) -> "altair.TitleParams":
    import altair

    count = len(comparison.documents)
    level = f"{100 * comparison.settings.confidence:g} % intervals, bootstrap over documents"
    about = level if comparison.is_tested else "one document: no intervals"
    head = f"{comparison.title}; {count:,} document{'' if count == 1 else 's'}"
    return altair.TitleParams(head, subtitle=about, anchor="start", offset=12)
