"""Small multiples of bars: a chart a measure, settings beside each other, series by colour."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from corefbench.record import Record
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair


class Bar(Record, frozen=True):
    """One bar."""

    measure: str
    setting: str
    series: str
    f1: float
    """As a fraction; drawn in per cent."""


def bars_by_measure(
    bars: Sequence[Bar], title: str, *, columns: int = 4, width: int = 150
) -> "altair.FacetChart":
    """The specification; measures, settings and series keep the order in which they come."""
    import altair

    series = list(dict.fromkeys(bar.series for bar in bars))
    settings = list(dict.fromkeys(bar.setting for bar in bars))
    measures = list(dict.fromkeys(bar.measure for bar in bars))
    rows = [{**msgspec.to_builtins(bar), "f1": 100 * bar.f1} for bar in bars]
    colours = [COLOURS[number % len(COLOURS)] for number in range(len(series))]
    axis = altair.Axis(labelAngle=-90, ticks=False, title=None, labelPadding=6, labelLimit=220)
    drawn = (
        altair.Chart(altair.InlineData(rows))
        .mark_bar()
        .encode(
            x=altair.X("setting:N", sort=settings).axis(axis),
            xOffset=altair.XOffset("series:N", sort=series),
            y=altair.Y("f1:Q", title="F1 (%)", scale=altair.Scale(domain=[0, 100])).axis(
                tickCount=5, domain=False, ticks=False
            ),
            color=altair.Color("series:N", title=None, sort=series)
            .scale(domain=series, range=colours)
            .legend(orient="top", labelFontSize=12, symbolType="square", labelLimit=400),
            tooltip=[
                "series:N",
                "setting:N",
                "measure:N",
                altair.Tooltip("f1:Q", format=".2f", title="F1"),
            ],
        )
    )
    facet = altair.Facet("measure:N", sort=measures).title(None)
    facet = facet.header(labelFontSize=12, labelFontWeight="bold", labelPadding=4)
    made: altair.FacetChart = (
        drawn.properties(width=width, height=120)
        .facet(facet, columns=columns)
        # Else Vega draws the axis once a column, under cells that the last row leaves empty too.
        .resolve_axis(x="independent")
        .properties(title=altair.TitleParams(title, fontSize=13, anchor="start"))
    )
    return made
