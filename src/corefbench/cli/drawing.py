"""Charts that a command draws: into a file where one is named, and into a page."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefbench.report.charts import AnyChart


def require_drawing(chart: Path | None) -> None:
    """Say, before any work is done, that a chart cannot be drawn."""
    if chart is not None:
        from corefbench.report.charts import require_charts

        require_charts(chart)


def draw(make: "Callable[[], AnyChart]", chart: Path | None, shape: str) -> str:
    """Write the chart to its file, and give it as HTML where the report is a page.

    A page is without it where the extra ``charts`` is not installed.
    """
    if chart is not None:
        from corefbench.report.charts import write_chart

        write_chart(make(), chart)
    if shape != "html":
        return ""
    from corefbench.report.charts.inline import can_draw, inline_svg

    return inline_svg(make()) if can_draw() else ""
