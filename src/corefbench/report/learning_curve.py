"""Learning curves: table and charts."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from corefbench.analysis.learning_curve import LearningCurve
from corefbench.errors import FormatError, Place
from corefbench.records import Record
from corefbench.report.charts import PALETTE
from corefbench.report.table import Table, make_table

if TYPE_CHECKING:
    import altair

_LOG_RATIO = 20
"""Ratio of the largest to the smallest size from which the axis is logarithmic."""


class Point(Record, frozen=True):
    """Score of a system trained on some amount of data."""

    system: str
    size: float
    """Size of the training data, such as documents."""
    score: float
    """From 0 to 1."""
    low: float | None = None
    """Confidence interval, if known."""
    high: float | None = None


def curve_table(curve: LearningCurve) -> Table:
    """Tabulate scores by share of the training data."""
    names = list(dict.fromkeys(name for point in curve.points for name in point.scores))
    note = "CoNLL F1 on development data; OOV: development words that training lacks; "
    note += "Rare: those it has fewer than 10 times."
    return make_table(
        f"Learning curve of {curve.kind}, seed {curve.seed}",
        ["Share", "Documents", "Tokens", *names, "OOV", "Rare"],
        (
            [
                f"{point.share:g}",
                point.documents,
                point.tokens,
                *(point.scores.get(name, 0.0) for name in names),
                point.unknown,
                point.rare,
            ]
            for point in curve.points
        ),
        [note],
    )


def read_points(path: Path) -> tuple[Point, ...]:
    """Read points from a CSV or JSON file with the columns of ``Point``."""
    try:
        content = path.read_text(encoding="utf-8")
        if content.lstrip().startswith("["):
            points = msgspec.json.decode(content, type=tuple[Point, ...])
        else:
            rows = [{name: cell for name, cell in row.items() if cell} for row in csv.DictReader(io.StringIO(content))]
            points = msgspec.convert(rows, tuple[Point, ...], strict=False)
    except (msgspec.MsgspecError, UnicodeDecodeError, csv.Error, OSError) as error:
        raise _points_error(path, str(error)) from error
    wrong = [point for point in points if not (point.size > 0 and 0 <= point.score <= 1)]
    if wrong or not points:
        raise _points_error(path, str(wrong[0]) if wrong else "no points")
    return points


def curve_chart(
    points: Sequence[Point], *, measure: str = "CoNLL F1", unit: str = "Training documents"
) -> "altair.LayerChart":
    """Draw a line and a confidence band per system, with points of different shapes."""
    import altair

    systems = list(dict.fromkeys(point.system for point in points))
    sizes = [point.size for point in points]
    wide = max(sizes) / min(sizes) >= _LOG_RATIO
    axis = altair.X("size:Q", title=unit + (", logarithmic" if wide else ""))
    axis = axis.scale(type="log" if wide else "linear", zero=False, nice=not wide)
    axis = axis.axis(values=sorted(set(sizes)), labelOverlap="greedy", labelFlush=False)
    score = altair.Y("score:Q", title=f"{measure} (%)").scale(zero=False, nice=True)
    colours = (PALETTE * (len(systems) // len(PALETTE) + 1))[: len(systems)]
    legend = None if len(systems) == 1 else altair.Legend(title=None, orient="right", symbolOpacity=1)
    colour = altair.Color("system:N", sort=systems, legend=legend)
    colour = colour.scale(domain=systems, range=colours)
    shape = altair.Shape("system:N", sort=systems, legend=legend).scale(domain=systems)
    base = altair.Chart(altair.InlineData([_point_row(point) for point in points])).encode(x=axis)
    band = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
    band = band.mark_area(opacity=0.18).encode(y=altair.Y("low:Q"), y2="high:Q", color=colour)
    tips = ["system:N", "size:Q", altair.Tooltip("score:Q", format=".2f")]
    line = base.mark_line().encode(y=score, color=colour)
    dots = base.mark_point(filled=True, size=55, opacity=1)
    dots = dots.encode(y=score, color=colour, shape=shape, tooltip=tips)
    about = "band: confidence interval" if any(p.low is not None for p in points) else ""
    title = altair.TitleParams(f"Learning curve, {measure}", subtitle=about, anchor="start")
    chart: altair.LayerChart = band + line + dots
    return chart.properties(width=520, height=300, title=title)


def _point_row(point: Point) -> dict[str, str | float | None]:
    low, high = point.low, point.high
    return {
        "system": point.system,
        "size": point.size,
        "score": 100 * point.score,
        "low": None if low is None else 100 * low,
        "high": None if high is None else 100 * high,
    }


def _points_error(path: Path, found: str) -> FormatError:
    return FormatError(
        "this is not a table of points",
        code="CB111",
        place=Place(source=str(path)),
        found=found,
        expected="columns system, size (above 0), score (0 to 1) and, if known, low and high",
    )


def learning_chart(curve: LearningCurve) -> "altair.VConcatChart":
    """Draw development scores above the rates of unknown and rare words, as Chen et al. 2018."""
    import altair

    scores = [
        Point(system=name, size=point.documents, score=score)
        for point in curve.points
        for name, score in point.scores.items()
    ]
    rates = [
        Point(system=name, size=point.documents, score=rate)
        for name in ("not in training", "fewer than 10 times in training")
        for point in curve.points
        for rate in [point.unknown if name == "not in training" else point.rare]
    ]
    chart: altair.VConcatChart = altair.vconcat(
        curve_chart(scores), curve_chart(rates, measure="Development words")
    ).resolve_scale(color="independent", shape="independent")
    return chart
