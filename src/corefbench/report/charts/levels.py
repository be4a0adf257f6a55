"""F1 by scoring level, with and without singletons, a small chart a measure."""

from typing import TYPE_CHECKING

from corefbench.analysis.levels.study import LevelStudy
from corefbench.analysis.singletons.words import title as title_of
from corefbench.report.charts.multiples import Bar, bars_by_measure

if TYPE_CHECKING:
    import altair


def level_chart(study: LevelStudy) -> "altair.FacetChart":
    """A group of bars a level, a colour a response with its mentions."""
    title = "F1 by level, with (+S) and without (−S) singletons"
    return bars_by_measure(chart_bars(study), title, columns=3, width=240)


def chart_bars(study: LevelStudy) -> list[Bar]:
    """What is drawn: every measure of the chains, and the CoNLL average."""
    bars = []
    for row in study.rows:
        figures = {
            title_of(row.result, name): score.f1
            for name, score in row.result.scores.items()
            if name != "mentions"
        }
        if row.result.conll is not None:
            figures["CoNLL"] = row.result.conll.f1
        bars += [
            Bar(
                measure=measure,
                setting=f"{row.level} {'+' if row.singletons else '−'}S",
                series=f"{row.response}, {row.mentions} mentions",
                f1=value,
            )
            for measure, value in figures.items()
        ]
    return bars
