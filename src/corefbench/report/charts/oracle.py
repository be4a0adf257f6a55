"""F1 by the mentions that resolvers were given, a small chart a measure."""

from typing import TYPE_CHECKING

from corefbench.analysis.oracle.study import Oracle
from corefbench.analysis.singletons.words import title
from corefbench.report.charts.multiples import Bar, bars_by_measure

if TYPE_CHECKING:
    import altair


def oracle_chart(made: Oracle) -> "altair.FacetChart":
    """A group of bars for each set of mentions, a colour a resolver."""
    return bars_by_measure(
        chart_bars(made), f"F1 by the mentions given: {made.corpus}", columns=4, width=130
    )


def chart_bars(made: Oracle) -> list[Bar]:
    """What is drawn: every measure, and the CoNLL average."""
    bars = []
    for resolver, results in made.results.items():
        for given, result in results.items():
            figures = {title(result, name): score.f1 for name, score in result.scores.items()}
            if result.conll is not None:
                figures["CoNLL"] = result.conll.f1
            bars += [
                Bar(measure=measure, setting=given, series=resolver, f1=value)
                for measure, value in figures.items()
            ]
    return bars
