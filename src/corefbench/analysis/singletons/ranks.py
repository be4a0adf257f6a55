"""Whether the best of several responses stays the best when singletons come and go."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from corefbench.analysis.movement import listed, named, shown
from corefbench.analysis.singletons.words import FOUR, title

if TYPE_CHECKING:
    from corefbench.analysis.singletons.study import SingletonStudy

Studies = Mapping[str, "SingletonStudy"]


def rank_changes(studies: Studies) -> tuple[str, ...]:
    """A sentence for each profile and measure by which different responses lead in different
    settings of key and response; a response leads only where it is ahead of all others."""
    if len(studies) < 2:
        return ()
    first = next(iter(studies.values()))
    return tuple(
        sentence
        for profile, settings in first.results.items()
        for measure in next(iter(settings.values()))
        for sentence in _change(studies, profile, measure)
    )


def _change(studies: Studies, profile: str, measure: str) -> Iterator[str]:
    led: dict[str, list[str]] = {}
    for setting in FOUR:
        figures = {
            name: _figure(study, profile, setting, measure) for name, study in studies.items()
        }
        top = max(figures.values())
        leaders = [name for name, figure in figures.items() if figure == top]
        if len(leaders) == 1:
            led.setdefault(leaders[0], []).append(f"{setting} ({top:.2f})")
    if len(led) > 1:
        name = title(next(iter(studies.values())).results[profile][FOUR[0]], measure)
        (best, where), *others = led.items()
        rest = "".join(f", and {other} in {listed(some)}" for other, some in others)
        yield f"By {named(name)} under {profile}, {best} leads in {listed(where)}{rest}."


def _figure(study: "SingletonStudy", profile: str, setting: str, measure: str) -> float:
    result = study.results[profile][setting]
    return shown(result[measure].f1, result.profile.rounding)
