"""A comparison put together from what was resampled."""

from collections.abc import Callable, Mapping

from corefbench.analysis.comparison.decisions import Decisions
from corefbench.analysis.comparison.pairs import compared_pairs
from corefbench.analysis.comparison.records import Comparison, Estimate, System, mark
from corefbench.analysis.comparison.resampled import Resampled, resample
from corefbench.analysis.comparison.sampled import Part, Sampled
from corefbench.analysis.comparison.settings import Settings
from corefbench.judging.success import Rate
from corefbench.profiles.profile import Rounding
from corefbench.record import Record


class About(Record, frozen=True):
    """What does not depend on the tests."""

    title: str
    titles: dict[str, str]
    """Of the scores."""
    signatures: dict[str, str]
    """Of the systems."""
    cites: tuple[str, ...]
    rounding: Rounding = "half-up"


def assembled(
    systems: Mapping[str, Sampled],
    settings: Settings,
    about: About,
    decisions: Mapping[str, Decisions],
    advance: Callable[[int], None] | None = None,
) -> Comparison:
    """Resample the systems and say all that there is to say about them."""
    names, seen = list(systems), list(systems.values())
    found = resample(seen, settings, advance)
    scores = dict.fromkeys(figure.score for figure in seen[0].figures)
    mcnemar = any(decisions.values())
    return Comparison(
        title=about.title,
        settings=settings,
        exact=found.exact,
        documents=seen[0].documents,
        titles={score: about.titles.get(score, score) for score in scores},
        systems=tuple(
            _system(number, name, about.signatures[name], seen[number], found, decisions.get(name))
            for number, name in enumerate(names)
        ),
        pairs=compared_pairs(names, seen, found, settings, decisions if mcnemar else {}),
        cites=tuple(
            dict.fromkeys([*about.cites, *settings.cites, *(["mcnemar1947"] if mcnemar else [])])
        ),
        rounding=about.rounding,
    )


def _system(
    number: int,
    name: str,
    signature: str,
    seen: Sampled,
    found: Resampled,
    decisions: Decisions | None,
) -> System:
    by_figure = zip(seen.figures, found.estimates(number), strict=True)
    scores: dict[str, dict[Part, Estimate]] = {}
    for figure, estimate in by_figure:
        scores.setdefault(figure.score, {})[figure.part] = estimate
    return System(
        name=name,
        mark=mark(number),
        signature=signature,
        scores=scores,
        by_document={
            figure.score: tuple(column)
            for figure, column in zip(seen.figures, seen.by_document.T.tolist(), strict=True)
            if figure.part == "f1"
        },
        pronouns=Rate(hits=sum(decisions.values()), total=len(decisions)) if decisions else None,
    )
