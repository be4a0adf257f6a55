"""All pairs of systems: differences, p-values adjusted within their family, pronouns."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from corefbench.analysis.comparison.decisions import Decisions
from corefbench.analysis.comparison.records import Difference, Estimate, Pair, PronounTest
from corefbench.analysis.comparison.resampled import Resampled
from corefbench.analysis.comparison.sampled import Figure, Part, Sampled
from corefbench.analysis.comparison.settings import Settings
from corefbench.record import Floats
from corefbench.stats.corrections import Correction, adjusted
from corefbench.stats.mcnemar import mcnemar
from corefbench.stats.significance import ROUNDING

Row = list[float | None]


def compared_pairs(
    names: Sequence[str],
    systems: Sequence[Sampled],
    found: Resampled,
    settings: Settings,
    decisions: Mapping[str, Decisions],
) -> tuple[Pair, ...]:
    """Every system with every later one."""
    numbers = list(combinations(range(len(names)), 2))
    figures = systems[0].figures
    raw: list[Row] = [[None] * len(figures) for _ in numbers]
    if found.p_values is not None:
        raw = [list(row) for row in found.p_values.tolist()]
    corrected = _adjusted(raw, figures, settings)
    tests = _pronoun_tests([(names[a], names[b]) for a, b in numbers], decisions, settings)
    made = []
    for number, (a, b) in enumerate(numbers):
        scores: dict[str, dict[Part, Difference]] = {}
        gaps = systems[a].by_document - systems[b].by_document
        for column, estimate in enumerate(found.differences(a, b)):
            figure = figures[column]
            scores.setdefault(figure.score, {})[figure.part] = _difference(
                estimate, raw[number][column], corrected[number][column], gaps[:, column]
            )
        made.append(Pair(first=names[a], second=names[b], scores=scores, pronouns=tests[number]))
    return tuple(made)


def _difference(
    estimate: Estimate, p: float | None, corrected: float | None, gaps: Floats
) -> Difference:
    wins, losses = int((gaps > ROUNDING).sum()), int((gaps < -ROUNDING).sum())
    return Difference(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        p=p,
        adjusted=corrected,
        wins=wins,
        ties=len(gaps) - wins - losses,
        losses=losses,
    )


def _adjusted(raw: list[Row], figures: Sequence[Figure], settings: Settings) -> list[Row]:
    """The p-values (pairs × figures) adjusted within each family."""
    made: list[Row] = [list(row) for row in raw]
    families: dict[object, list[tuple[int, int]]] = {}
    for column, figure in enumerate(figures):
        family = figure.part if settings.family == "all" else figure
        families.setdefault(family, []).extend((pair, column) for pair in range(len(raw)))
    for places in families.values():
        values = adjusted([raw[pair][column] for pair, column in places], settings.correction)
        for (pair, column), value in zip(places, values, strict=True):
            made[pair][column] = value
    return made


def _pronoun_tests(
    pairs: Sequence[tuple[str, str]], decisions: Mapping[str, Decisions], settings: Settings
) -> list[PronounTest | None]:
    """McNemar's test of every pair, on the pronouns that both decided; all pairs are its family."""
    if not decisions:
        return [None] * len(pairs)
    found = []
    for first, second in pairs:
        one, two = decisions.get(first, {}), decisions.get(second, {})
        found.append(mcnemar((right, two[place]) for place, right in one.items() if place in two))
    correction: Correction = settings.correction
    values = adjusted([test.p for test in found], correction)
    return [
        PronounTest(
            only_first=test.only_first,
            only_second=test.only_second,
            p=test.p,
            adjusted=value if value is not None else test.p,
        )
        for test, value in zip(found, values, strict=True)
    ]
