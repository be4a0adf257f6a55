"""Draw Altair charts as SVG, PNG or HTML; bars and intervals that several charts share."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from corefbench.errors import MissingExtra, UsageError
from corefbench.records import Record
from corefbench.report.table import count_noun

if TYPE_CHECKING:
    import altair

    from corefbench.analysis.comparison import Comparison, Estimate

    AnyChart: TypeAlias = (
        altair.Chart
        | altair.FacetChart
        | altair.LayerChart
        | altair.HConcatChart
        | altair.VConcatChart
        | altair.ConcatChart
    )

PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#999999", "#f0e442"]
"""Distinguishable for colour-blind readers (Okabe & Ito 2008)."""
SUFFIXES = (".svg", ".png", ".html")


def require_charts(path: Path) -> None:
    """Raise if a chart of that name cannot be drawn, before any work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError("a chart is SVG, PNG or HTML", found=path.name, expected="FILE.svg, FILE.png or FILE.html")
    if not can_draw():
        raise MissingExtra("altair", "charts")


def write_chart(chart: "AnyChart", path: Path) -> None:
    """Draw a chart in the format given by the suffix of its path; HTML works offline."""
    require_charts(path)
    import vl_convert

    specification = apply_style(chart).to_json()
    path.parent.mkdir(parents=True, exist_ok=True)
    match path.suffix.lower():
        case ".svg":
            path.write_text(vl_convert.vegalite_to_svg(specification), encoding="utf-8")
        case ".html":
            path.write_text(vl_convert.vegalite_to_html(specification, bundle=True), encoding="utf-8")
        case _:
            path.write_bytes(vl_convert.vegalite_to_png(specification, scale=2))


def apply_style(chart: "AnyChart") -> "AnyChart":
    """Apply the style that all charts share."""
    styled: AnyChart = (
        chart.configure_view(stroke=None)
        .configure_axis(grid=True, gridColor="#e5e5e5", labelFontSize=12, titleFontSize=12)
        .configure_axisX(grid=False)
        .configure_title(fontSize=16, subtitleFontSize=12, subtitleColor="#555")
    )
    return styled


def can_draw() -> bool:
    """Whether the extra ``charts`` is installed."""
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def inline_svg(chart: "AnyChart") -> str:
    """Return the chart as SVG on white, whatever the colours of the page."""
    import vl_convert

    svg = vl_convert.vegalite_to_svg(apply_style(chart).to_json())
    return f'<div class="wide" style="background: white">{svg}</div>'


class Bar(Record, frozen=True):
    """A bar of a grouped bar chart."""

    measure: str
    setting: str
    series: str
    f1: float
    """As a fraction; drawn in per cent."""


def bars_by_measure(bars: Sequence[Bar], title: str, *, columns: int = 4, width: int = 150) -> "altair.FacetChart":
    """Draw a bar chart per measure; measures, settings and series keep their order."""
    import altair

    series = list(dict.fromkeys(bar.series for bar in bars))
    settings = list(dict.fromkeys(bar.setting for bar in bars))
    measures = list(dict.fromkeys(bar.measure for bar in bars))
    rows = [{**msgspec.to_builtins(bar), "f1": 100 * bar.f1} for bar in bars]
    colours = [PALETTE[number % len(PALETTE)] for number in range(len(series))]
    axis = altair.Axis(labelAngle=-90, ticks=False, title=None, labelPadding=6, labelLimit=220)
    panels = (
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
            tooltip=["series:N", "setting:N", "measure:N", altair.Tooltip("f1:Q", format=".2f", title="F1")],
        )
    )
    chart: altair.FacetChart = (
        panels.properties(width=width, height=120)
        .facet(facet_by("measure", measures), columns=columns)
        # Otherwise Vega draws an axis per column, also below empty cells of the last row.
        .resolve_axis(x="independent")
        .properties(title=altair.TitleParams(title, fontSize=13, anchor="start"))
    )
    return chart


def chart_title(head: str, about: str = "") -> "altair.TitleParams":
    """Return a title on the left with a line about the data below it."""
    import altair

    return altair.TitleParams(head, subtitle=about, anchor="start", offset=12)


def facet_by(field: str, order: Sequence[str]) -> "altair.Facet":
    """Return a facet with one small chart per value, in this order."""
    import altair

    facet = altair.Facet(f"{field}:N", sort=list(order)).title(None)
    return facet.header(labelFontSize=12, labelFontWeight="bold", labelPadding=4)


def interval_chart(
    comparison: "Comparison",
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
    """Draw a small chart per quantity, a line per system, with percentile intervals.

    ``line``, ``quantity`` and ``value`` name columns of the rows, which have ``low`` and ``high``.
    """
    import altair

    names = [system.name for system in comparison.systems]
    lines = altair.Y(f"{line}:N", sort=names, title=None).axis(domain=False, ticks=False)
    colour = altair.Color(f"{line}:N", sort=names, legend=None).scale(range=PALETTE[:7])
    tips: list[str | altair.Tooltip] = [f"{line}:N", f"{quantity}:N"]
    tips += [altair.Tooltip(f"{name}:Q", format=".2f") for name in (value, "low", "high")]
    scale = altair.Scale(zero=False, nice=True)
    base = altair.Chart().encode(y=lines, color=colour, tooltip=tips)
    bars = base.mark_rule(strokeWidth=2.5).encode(x=altair.X("low:Q", title=unit, scale=scale), x2="high:Q")
    points = base.mark_point(filled=True, size=70, opacity=1).encode(x=altair.X(f"{value}:Q", title=unit, scale=scale))
    layers = altair.layer(bars, points, data=altair.InlineData(list(rows)))
    panels = layers.properties(width=width, height=max(40, 22 * len(names)))
    # Otherwise Vega draws an axis per column, also below empty cells of the last row.
    chart: altair.FacetChart = (
        panels.facet(facet_by(quantity, titles), columns=columns)
        .resolve_axis(x="independent")
        .properties(title=_interval_title(comparison, head))
    )
    return chart


def interval_row(estimate: "Estimate", value: str) -> dict[str, object]:
    """Return value and interval in per cent; the value as both bounds if there is no interval."""
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    return {value: 100 * estimate.value, "low": 100 * low, "high": 100 * high}


def _interval_title(comparison: "Comparison", head: str) -> "altair.TitleParams":
    level = f"{100 * comparison.settings.confidence:g} % intervals, bootstrap over documents"
    about = level if comparison.is_tested else "one document: no intervals"
    return chart_title(f"{head}; {count_noun(len(comparison.documents), 'document')}", about)
