"""Resample all systems together, and test every pair of them.

What is resampled of a system are its tallies. A figure is recall, precision or F1 of one score.
Under a micro average, figures are functions of summed tallies. Under a macro average, the figures
of the documents are themselves what adds up, and the mean is their sum ÷ documents.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np

from corefbench.analysis.comparison.pronoun_decisions import Decisions
from corefbench.analysis.comparison.result import (
    CONLL,
    PARTS,
    PRONOUNS,
    Difference,
    Estimate,
    Pair,
    Part,
    PronounTest,
    Settings,
)
from corefbench.analysis.significance import (
    TOLERANCE,
    Correction,
    Statistic,
    adjust_p_values,
    bootstrap_figures,
    bootstrap_p,
    is_enumerable,
    mcnemar,
    percentile_interval,
    randomisation_p,
)
from corefbench.bench.judge import Verdict
from corefbench.bench.run import Bench, Performance
from corefbench.records import Columns, Floats, Record
from corefbench.scoring.measures import Measure, Tally
from corefbench.scoring.measures.tally import scores_of_ratios
from corefbench.scoring.result import Result


class Figure(Record, frozen=True):
    """One number: a part of a score."""

    score: str
    part: Part


class SystemSample(Columns, frozen=True, eq=False):
    """The tallies of one system, and the figures computed from them."""

    documents: tuple[str, ...]
    figures: tuple[Figure, ...]
    tallies: Floats
    """Documents × columns."""
    statistic: Statistic
    """From sums (rows × columns) to figures (rows × figures)."""
    by_document: Floats
    """The figures of every document."""


def sample_result(result: Result) -> SystemSample:
    """Sample a result, with the CoNLL average if it has one."""
    scored = _ScoreFigures(result.measures, result.tallies, result.profile.conll if result.conll else ())
    tallies = np.concatenate([tally.values for tally in result.tallies.values()], axis=1)
    by_document = scored(tallies)
    # Figures of documents add up to a macro average as tallies do to a micro average.
    macro = result.profile.average == "macro"
    count = max(len(tallies), 1)
    return SystemSample(
        documents=result.documents,
        figures=scored.figures,
        tallies=by_document if macro else tallies,
        statistic=(lambda sums: sums / count) if macro else scored,
        by_document=by_document,
    )


class _ScoreFigures:
    """Statistic: the figures of a result from sums of its tally columns."""

    def __init__(self, measures: Mapping[str, Measure], tallies: Mapping[str, Tally], conll: tuple[str, ...]) -> None:
        self._measures = [(measures[name], tally.columns) for name, tally in tallies.items()]
        names = list(tallies)
        self._averaged = [names.index(name) * len(PARTS) + PARTS.index("f1") for name in conll]
        self.figures = tuple(Figure(score=name, part=part) for name in names for part in PARTS)
        if conll:
            self.figures += (Figure(score=CONLL, part="f1"),)

    def __call__(self, sums: Floats) -> Floats:
        columns, first = [], 0
        for measure, names in self._measures:
            totals = {name: sums[:, first + n] for n, name in enumerate(names)}
            scores = measure.scores(totals)
            columns += [scores.recall, scores.precision, scores.f1]
            first += len(names)
        if self._averaged:
            columns.append(np.mean([columns[figure] for figure in self._averaged], axis=0))
        return np.stack(columns, axis=1)


def sample_performance(bench: Bench, performance: Performance) -> SystemSample:
    """Sample a resolver of a bench run: recall C/G, its success rate, and precision C/A."""
    row = {document: number for number, document in enumerate(bench.documents)}
    tallies = np.zeros((len(row), 4))
    for verdict in performance.verdicts:
        tallies[row[verdict.document]] += _verdict_counts(verdict)
    return SystemSample(
        documents=bench.documents,
        figures=tuple(Figure(score=PRONOUNS, part=part) for part in PARTS),
        tallies=tallies,
        statistic=_pronoun_figures,
        by_document=_pronoun_figures(tallies),
    )


def _verdict_counts(verdict: Verdict) -> tuple[bool, bool, bool, bool]:
    right = verdict.anaphoric and verdict.correct
    return right, verdict.anaphoric, right, verdict.attempted


def _pronoun_figures(sums: Floats) -> Floats:
    columns = ("recall_hits", "recall_total", "precision_hits", "precision_total")
    scores = scores_of_ratios({name: sums[:, n] for n, name in enumerate(columns)})
    return np.stack([scores.recall, scores.precision, scores.f1], axis=1)


class ResampledFigures(Columns, frozen=True, eq=False):
    """Resampled figures of all systems; without draws and p-values if there is one document."""

    confidence: float
    exact: bool
    """Whether the p-values cover all ways to swap documents."""
    observed: list[Floats]
    """The figures of each system …"""
    draws: list[Floats] | None
    """… and those of its resamples: resamples × figures."""
    p_values: Floats | None
    """Pairs × figures."""

    def estimates(self, system: int) -> list[Estimate]:
        """Return the figures of one system with their intervals."""
        draws = None if self.draws is None else self.draws[system]
        return self._with_intervals(self.observed[system], draws)

    def differences(self, first: int, second: int) -> list[Estimate]:
        """Return the differences of two systems with their intervals."""
        draws = None if self.draws is None else self.draws[first] - self.draws[second]
        return self._with_intervals(self.observed[first] - self.observed[second], draws)

    def _with_intervals(self, values: Floats, draws: Floats | None) -> list[Estimate]:
        if draws is None:
            return [Estimate(value=value) for value in values.tolist()]
        low, high = percentile_interval(draws, self.confidence)
        rows = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
        return [Estimate(value=value, low=a, high=b) for value, a, b in rows]


def resample(
    systems: Sequence[SystemSample], settings: Settings, advance: Callable[[int], None] | None = None
) -> ResampledFigures:
    """Resample and test systems with the same documents and figures."""
    tallies, statistic = [system.tallies for system in systems], systems[0].statistic
    observed = [statistic(values.sum(axis=0, keepdims=True))[0] for values in tallies]
    documents = len(tallies[0])
    if documents < 2:
        return ResampledFigures(
            confidence=settings.confidence, exact=False, observed=observed, draws=None, p_values=None
        )
    draws = bootstrap_figures(tallies, statistic, settings.samples, settings.seed)
    pairs = list(combinations(range(len(systems)), 2))
    randomised = settings.test == "randomization"
    if not pairs:
        p_values = None
    elif randomised:
        p_values = randomisation_p(tallies, pairs, statistic, settings.samples, settings.seed, advance)
    else:
        p_values = np.array([bootstrap_p(observed[a] - observed[b], draws[a] - draws[b]) for a, b in pairs])
    return ResampledFigures(
        confidence=settings.confidence,
        exact=randomised and is_enumerable(documents, settings.samples),
        observed=observed,
        draws=draws,
        p_values=p_values,
    )


_PValues = list[float | None]


def compare_pairs(
    names: Sequence[str],
    systems: Sequence[SystemSample],
    resampled: ResampledFigures,
    settings: Settings,
    decisions: Mapping[str, Decisions],
) -> tuple[Pair, ...]:
    """Compare every system with every later one."""
    indices = list(combinations(range(len(names)), 2))
    figures = systems[0].figures
    raw: list[_PValues] = [[None] * len(figures) for _ in indices]
    if resampled.p_values is not None:
        raw = [list(row) for row in resampled.p_values.tolist()]
    corrected = _adjust_families(raw, figures, settings)
    tests = _pronoun_tests([(names[a], names[b]) for a, b in indices], decisions, settings)
    pairs = []
    for index, (a, b) in enumerate(indices):
        scores: dict[str, dict[Part, Difference]] = {}
        gaps = systems[a].by_document - systems[b].by_document
        for column, estimate in enumerate(resampled.differences(a, b)):
            figure = figures[column]
            scores.setdefault(figure.score, {})[figure.part] = _make_difference(
                estimate, raw[index][column], corrected[index][column], gaps[:, column]
            )
        pairs.append(Pair(first=names[a], second=names[b], scores=scores, pronouns=tests[index]))
    return tuple(pairs)


def _make_difference(estimate: Estimate, p: float | None, corrected: float | None, gaps: Floats) -> Difference:
    wins, losses = int((gaps > TOLERANCE).sum()), int((gaps < -TOLERANCE).sum())
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


def _adjust_families(raw: list[_PValues], figures: Sequence[Figure], settings: Settings) -> list[_PValues]:
    """Adjust the p-values (pairs × figures) within each family."""
    adjusted: list[_PValues] = [list(row) for row in raw]
    families: dict[object, list[tuple[int, int]]] = {}
    for column, figure in enumerate(figures):
        family = figure.part if settings.family == "all" else figure
        families.setdefault(family, []).extend((pair, column) for pair in range(len(raw)))
    for cells in families.values():
        values = adjust_p_values([raw[pair][column] for pair, column in cells], settings.correction)
        for (pair, column), value in zip(cells, values, strict=True):
            adjusted[pair][column] = value
    return adjusted


def _pronoun_tests(
    pairs: Sequence[tuple[str, str]], decisions: Mapping[str, Decisions], settings: Settings
) -> list[PronounTest | None]:
    """Test every pair on the pronouns that both decided; all pairs are one family."""
    if not decisions:
        return [None] * len(pairs)
    tests = []
    for first, second in pairs:
        first_decisions, second_decisions = decisions.get(first, {}), decisions.get(second, {})
        tests.append(
            mcnemar(
                (is_correct, second_decisions[pronoun])
                for pronoun, is_correct in first_decisions.items()
                if pronoun in second_decisions
            )
        )
    correction: Correction = settings.correction
    values = adjust_p_values([test.p for test in tests], correction)
    return [
        PronounTest(
            only_first=test.only_first,
            only_second=test.only_second,
            p=test.p,
            adjusted=value if value is not None else test.p,
        )
        for test, value in zip(tests, values, strict=True)
    ]
