"""F1 by setting, a small chart a measure: how far singletons alone move a score."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corefbench.analysis.singletons.study import SETTINGS, SingletonStudy
from corefbench.report.charts.multiples import Bar, bars_by_measure
from corefbench.report.singletons import measure_titles

if TYPE_CHECKING:
    import altair


def singleton_chart(study: SingletonStudy, name: str) -> "altair.VConcatChart":
    """The settings of gold and system above, what the response keeps below."""
    import altair

    against = "without" if study.key_singletons == "strip" else "with"
    drawn: altair.VConcatChart = altair.vconcat(
        bars_by_measure(
            chart_bars(study, tuple(SETTINGS)), "Singletons in the key (G) and in the response (S)"
        ),
        bars_by_measure(
            chart_bars(study, study.variants), f"What the response keeps, key {against} singletons"
        ),
        spacing=24,
    ).properties(
        title=altair.TitleParams(
            f"One response, scored in every setting: {name}", anchor="start", offset=12
        )
    )
    return drawn


def chart_bars(study: SingletonStudy, settings: Sequence[str]) -> list[Bar]:
    """What is drawn: F1 of every measure by setting, a colour a profile."""
    titles = measure_titles(study)
    return [
        Bar(
            measure=titles[measure],
            setting=setting,
            series=profile,
            f1=results[setting][measure].f1,
        )
        for profile, results in study.results.items()
        for setting in settings
        for measure in results[setting]
    ]
