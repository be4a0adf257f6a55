"""Resolvers side by side: success rate and precision on pronouns with their confidence intervals.

A small chart a rate, a line a resolver; the bar is the percentile interval of a paired bootstrap
over documents.
"""

from typing import TYPE_CHECKING

from corefbench.analysis.comparison import Comparison, Part
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair

_TITLES: dict[Part, str] = {"recall": "Success rate", "precision": "Precision", "f1": "F1"}


def rate_rows(comparison: Comparison) -> list[dict[str, object]]:
    """What is drawn: resolver, rate, value and interval, in per cent."""
    rows: list[dict[str, object]] = []
    for system in comparison.systems:
        for figures in system.scores.values():
            for part, found in figures.items():
                low = found.value if found.low is None else found.low
                high = found.value if found.high is None else found.high
                row = {"value": 100 * found.value, "low": 100 * low, "high": 100 * high}
                rows.append({"resolver": system.name, "rate": _TITLES[part], **row})
    return rows


def rate_chart(comparison: Comparison) -> "altair.FacetChart":
    """The specification."""
    import altair

    names = [system.name for system in comparison.systems]
    resolver = altair.Y("resolver:N", sort=names, title=None).axis(domain=False, ticks=False)
    colour = altair.Color("resolver:N", sort=names, legend=None).scale(range=COLOURS[:7])
    tips: list[str | altair.Tooltip] = ["resolver:N", "rate:N"]
    tips += [altair.Tooltip(f"{name}:Q", format=".2f") for name in ("value", "low", "high")]
    scale = altair.Scale(zero=False, nice=True)
    base = altair.Chart().encode(y=resolver, color=colour, tooltip=tips)
    bars = base.mark_rule(strokeWidth=2.5).encode(
        x=altair.X("low:Q", title="%", scale=scale), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=altair.X("value:Q", title="%", scale=scale)
    )
    facet = altair.Facet("rate:N", sort=list(_TITLES.values())).title(None)
    facet = facet.header(labelFontSize=12, labelFontWeight="bold", labelPadding=4)
    layers = altair.layer(bars, points, data=altair.InlineData(rate_rows(comparison)))
    drawn = layers.properties(width=240, height=max(40, 22 * len(names))).facet(facet, columns=3)
    made: altair.FacetChart = drawn.resolve_axis(x="independent").properties(
        title=_title(comparison)
    )
    return made


def _title(comparison: Comparison) -> "altair.TitleParams":
    import altair

    count = len(comparison.documents)
    level = f"{100 * comparison.settings.confidence:g} % intervals, bootstrap over documents"
    about = level if comparison.is_tested else "one document: no intervals"
    head = f"Pronouns; {count:,} document{'' if count == 1 else 's'}"
    return altair.TitleParams(head, subtitle=about, anchor="start", offset=12)
