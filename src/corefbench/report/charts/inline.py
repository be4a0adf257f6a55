"""A chart within an HTML page."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from corefbench.report.charts import styled

if TYPE_CHECKING:
    from corefbench.report.charts import AnyChart


def can_draw() -> bool:
    """Whether the extra ``charts`` is installed."""
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def inline_svg(chart: "AnyChart") -> str:
    """The chart as SVG on white, whatever the colours of the page."""
    import vl_convert

    svg = vl_convert.vegalite_to_svg(styled(chart).to_json())
    return f'<div class="wide" style="background: white">{svg}</div>'
