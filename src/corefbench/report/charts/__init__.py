"""Charts: one specification each, drawn as SVG, PNG or a page of its own."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from corefbench.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    import altair

    AnyChart: TypeAlias = (
        altair.Chart
        | altair.FacetChart
        | altair.LayerChart
        | altair.HConcatChart
        | altair.VConcatChart
        | altair.ConcatChart
    )

COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#999999", "#f0e442"]
"""Told apart by colour-blind readers too (Okabe & Ito)."""
ENDINGS = (".svg", ".png", ".html")


def require_charts(path: Path) -> None:
    """Say, before any work is done, that a chart of that name cannot be drawn."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(
            "a chart is SVG, PNG or HTML",
            found=path.name,
            expected="FILE.svg, FILE.png or FILE.html",
        )
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        raise MissingExtra("altair", "charts")


def write_chart(chart: "AnyChart", path: Path) -> None:
    """Draw a chart in the format that the ending of its path names; HTML works offline."""
    require_charts(path)
    import vl_convert

    specification = styled(chart).to_json()
    path.parent.mkdir(parents=True, exist_ok=True)
    match path.suffix.lower():
        case ".svg":
            path.write_text(vl_convert.vegalite_to_svg(specification), encoding="utf-8")
        case ".html":
            path.write_text(
                vl_convert.vegalite_to_html(specification, bundle=True), encoding="utf-8"
            )
        case _:
            path.write_bytes(vl_convert.vegalite_to_png(specification, scale=2))


def styled(chart: "AnyChart") -> "AnyChart":
    """The look that all charts share."""
    made: AnyChart = (
        chart.configure_view(stroke=None)
        .configure_axis(grid=True, gridColor="#e5e5e5", labelFontSize=12, titleFontSize=12)
        .configure_axisX(grid=False)
        .configure_title(fontSize=16, subtitleFontSize=12, subtitleColor="#555")
    )
    return made
