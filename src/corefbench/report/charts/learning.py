"""A learning curve with the words that training lacks beside it (Chen et al. 2018, Figure 5)."""

from typing import TYPE_CHECKING

from corefbench.report.charts.curves import Point, curve_chart
from corefbench.training.curve import Curve

if TYPE_CHECKING:
    import altair


def learning_chart(curve: Curve) -> "altair.VConcatChart":
    """Above, the score on each development corpus; below, the rates of unknown and rare words."""
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
    made: altair.VConcatChart = altair.vconcat(
        curve_chart(scores), curve_chart(rates, measure="Development words")
    ).resolve_scale(color="independent", shape="independent")
    return made
