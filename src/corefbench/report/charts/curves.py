"""Learning curves: the score against the size of the training data, with its confidence band."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from corefbench.errors import FormatError, Place
from corefbench.record import Record
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair

_WIDE = 20
"""Where the largest size is so many times the smallest, sizes are drawn by their logarithm."""


class Point(Record, frozen=True):
    """A system trained on so much data."""

    system: str
    size: float
    """Documents, or whatever the training data is counted in."""
    score: float
    """From 0 to 1."""
    low: float | None = None
    """The confidence interval, where it is known."""
    high: float | None = None


def read_points(path: Path) -> tuple[Point, ...]:
    """Points from a CSV or JSON file with the columns of ``Point``; low and high may be empty."""
    try:
        content = path.read_text(encoding="utf-8")
        rows: list[dict[str, str]] | None = None
        if not content.lstrip().startswith("["):
            given = csv.DictReader(io.StringIO(content))
            rows = [{name: cell for name, cell in row.items() if cell} for row in given]
        points = (
            msgspec.json.decode(content, type=tuple[Point, ...])
            if rows is None
            else msgspec.convert(rows, tuple[Point, ...], strict=False)
        )
    except (msgspec.MsgspecError, UnicodeDecodeError, csv.Error, OSError) as error:
        raise _not_points(path, str(error)) from error
    wrong = [point for point in points if not (point.size > 0 and 0 <= point.score <= 1)]
    if wrong or not points:
        raise _not_points(path, str(wrong[0]) if wrong else "no points")
    return points


def curve_chart(
    points: Sequence[Point], *, measure: str = "CoNLL F1", unit: str = "Training documents"
) -> "altair.LayerChart":
    """A line and a band a system; systems are told apart by the shape of their points, too."""
    import altair

    systems = list(dict.fromkeys(point.system for point in points))
    sizes = [point.size for point in points]
    wide = max(sizes) / min(sizes) >= _WIDE
    axis = altair.X("size:Q", title=unit + (", logarithmic" if wide else ""))
    axis = axis.scale(type="log" if wide else "linear", zero=False, nice=not wide)
    axis = axis.axis(values=sorted(set(sizes)), labelOverlap="greedy", labelFlush=False)
    score = altair.Y("score:Q", title=f"{measure} (%)").scale(zero=False, nice=True)
    colours = (COLOURS * (len(systems) // len(COLOURS) + 1))[: len(systems)]
    legend = (
        None if len(systems) == 1 else altair.Legend(title=None, orient="right", symbolOpacity=1)
    )
    colour = altair.Color("system:N", sort=systems, legend=legend)
    colour = colour.scale(domain=systems, range=colours)
    shape = altair.Shape("system:N", sort=systems, legend=legend).scale(domain=systems)
    base = altair.Chart(altair.InlineData([_row(point) for point in points])).encode(x=axis)
    band = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
    band = band.mark_area(opacity=0.18).encode(y=altair.Y("low:Q"), y2="high:Q", color=colour)
    tips = ["system:N", "size:Q", altair.Tooltip("score:Q", format=".2f")]
    line = base.mark_line().encode(y=score, color=colour)
    dots = base.mark_point(filled=True, size=55, opacity=1)
    dots = dots.encode(y=score, color=colour, shape=shape, tooltip=tips)
    about = "band: confidence interval" if any(p.low is not None for p in points) else ""
    title = altair.TitleParams(f"Learning curve, {measure}", subtitle=about, anchor="start")
    drawn: altair.LayerChart = band + line + dots
    return drawn.properties(width=520, height=300, title=title)


def _row(point: Point) -> dict[str, str | float | None]:
    low, high = point.low, point.high
    return {
        "system": point.system,
        "size": point.size,
        "score": 100 * point.score,
        "low": None if low is None else 100 * low,
        "high": None if high is None else 100 * high,
    }


def _not_points(path: Path, found: str) -> FormatError:
    return FormatError(
        "this is not a table of points",
        code="CB111",
        place=Place(source=str(path)),
        found=found,
        expected="columns system, size (above 0), score (0 to 1) and, if known, low and high",
    )
