"""Compare systems document by document: differences, their intervals, and what is chance.

Documents are resampled. Intervals are percentiles of a paired bootstrap, whatever the test;
p-values are those of the test, adjusted within their family. With one document nothing can be
resampled: there are no intervals and no p-values.

What is resampled of a system are its tallies. A figure is recall, precision or F1 of one score.
Under a micro average, figures are functions of summed tallies. Under a macro average, the figures
of the documents are themselves what adds up, and the mean is their sum ÷ documents.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeAlias, TypeVar

import numpy as np
from msgspec.structs import asdict

from corefbench.analysis.significance import (
    CORRECTIONS,
    TOLERANCE,
    Correction,
    McNemar,
    Statistic,
    adjust_p_values,
    bootstrap_figures,
    bootstrap_p,
    is_enumerable,
    mcnemar,
    percentile_interval,
    randomisation_p,
)
from corefbench.analysis.statistics.counts import Rate
from corefbench.analysis.statistics.pronouns import Decisions
from corefbench.analysis.studies import column_letters, measure_title
from corefbench.display import as_html
from corefbench.errors import MismatchError, UnknownName, UsageError
from corefbench.records import Columns, Floats, Record
from corefbench.scoring.profiles.profile import Rounding
from corefbench.scoring.result import Result
from corefbench.version import __version__

Part: TypeAlias = Literal["recall", "precision", "f1"]
PARTS: tuple[Part, ...] = ("recall", "precision", "f1")
CONLL = "conll"
PRONOUNS = "pronouns"
Test: TypeAlias = Literal["randomization", "bootstrap"]
TESTS: tuple[Test, ...] = ("randomization", "bootstrap")
Family: TypeAlias = Literal["measure", "all"]
FAMILIES: tuple[Family, ...] = ("measure", "all")

_CITES = {
    "randomization": ("yeh2000", "efron1979"),
    "bootstrap": ("efron1979", "koehn2004", "berg-kirkpatrick2012"),
    "holm": ("holm1979",),
    "bh": ("benjamini1995",),
}
_T = TypeVar("_T")
_PValues = list[float | None]


class Settings(Record, frozen=True):
    """Settings of the tests and intervals."""

    test: Test = "randomization"
    samples: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    """The share of resamples within an interval."""
    alpha: float = 0.05
    """A difference is significant where its adjusted p is no more than this."""
    correction: Correction = "holm"
    family: Family = "measure"
    """``measure``: each figure over all pairs. ``all``: all measures and pairs, R, P, F1 apart."""

    def check(self) -> None:
        """Raise if a setting is invalid."""
        for kind, name, choices in (
            ("test", self.test, TESTS),
            ("correction", self.correction, CORRECTIONS),
            ("family", self.family, FAMILIES),
        ):
            if name not in choices:
                raise UnknownName(kind, name, list(choices))
        if self.samples < 1 or self.seed < 0:
            raise UsageError(
                "resampling needs a number of samples and a seed",
                found=f"{self.samples} samples, seed {self.seed}",
                expected="at least 1 sample, a seed from 0 upwards",
            )
        for level in ("confidence", "alpha"):
            if not 0 < getattr(self, level) < 1:
                raise UsageError(
                    f"invalid {level}",
                    found=f"{getattr(self, level):g}",
                    expected="between 0 and 1, such as 0.95 for confidence or 0.05 for alpha",
                )

    @property
    def cites(self) -> tuple[str, ...]:
        """Citation keys of the test and the correction."""
        return _CITES[self.test] + _CITES.get(self.correction, ())


class Estimate(Record, frozen=True):
    """A score and its confidence interval, as fractions."""

    value: float
    low: float | None = None
    high: float | None = None


class Difference(Estimate, frozen=True):
    """First system minus second, with interval and p-value."""

    p: float | None = None
    """None if no test is possible: one document."""
    adjusted: float | None = None
    wins: int = 0
    """Documents in which the first scores higher …"""
    ties: int = 0
    losses: int = 0
    """… and in which the second does."""


class PronounTest(McNemar, frozen=True):
    """McNemar's test on the pronouns that both systems decided."""

    adjusted: float


class System(Record, frozen=True):
    """The scores of one system."""

    name: str
    mark: str
    """Its letters in tables."""
    signature: str
    scores: dict[str, dict[Part, Estimate]]
    by_document: dict[str, tuple[float, ...]]
    """F1 of each score by document."""
    pronouns: Rate | None = None


class Pair(Record, frozen=True):
    """The differences of two systems."""

    first: str
    second: str
    scores: dict[str, dict[Part, Difference]]
    pronouns: PronounTest | None = None


class Comparison(Record, frozen=True):
    """Systems and all pairs of them."""

    title: str
    """The title of the profile."""
    settings: Settings
    exact: bool
    """Whether all ways to swap documents were tested."""
    documents: tuple[str, ...]
    titles: dict[str, str]
    """Titles of the scores."""
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    cites: tuple[str, ...]
    """Citation keys of profile, measures and tests."""
    rounding: Rounding = "half-up"
    version: str = __version__

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def signature(self) -> str:
        """The settings that the tests depend on, in one line."""
        settings = self.settings
        fields = {
            "test": settings.test,
            "samples": "all" if self.exact else str(settings.samples),
            "seed": str(settings.seed),
            "confidence": f"{settings.confidence:g}",
            "alpha": f"{settings.alpha:g}",
            "correction": settings.correction,
            "family": settings.family,
            "systems": str(len(self.systems)),
            "documents": str(len(self.documents)),
            "version": self.version,
        }
        return "|".join(["comparison", *(f"{name}:{value}" for name, value in fields.items())])

    @property
    def is_tested(self) -> bool:
        """Whether there were enough documents to resample."""
        return len(self.documents) > 1

    def __getitem__(self, name: str) -> System:
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    def pair(self, first: str, second: str) -> Pair:
        """Return the pair of two systems, in the order in which they were given."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
        raise KeyError((first, second))

    def beaten(self, name: str, score: str, part: Part = "f1") -> tuple[str, ...]:
        """Return the systems that this one is significantly better than."""
        return tuple(
            pair.second if pair.first == name else pair.first
            for pair in self.pairs
            if name in (pair.first, pair.second)
            and self.is_significant(pair.scores[score][part])
            and (pair.scores[score][part].value > 0) == (pair.first == name)
        )

    def is_significant(self, difference: Difference | PronounTest) -> bool:
        """Whether the adjusted p is no more than α."""
        return difference.adjusted is not None and difference.adjusted <= self.settings.alpha


def compare(
    results: Mapping[str, Result],
    *,
    test: Test = "randomization",
    samples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    alpha: float = 0.05,
    correction: Correction = "holm",
    family: Family = "measure",
    decisions: Mapping[str, Decisions] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare results of one key and one profile, document by document.

    ``decisions`` are those of ``pronoun_decisions``, for McNemar's test; ``advance`` is called
    with the number of resamples done.

    >>> from corefbench.scoring.api import score_clusters
    >>> key = {"a": [[(0, 0), (1, 1)]], "b": [[(0, 0), (1, 1)]]}
    >>> results = {"all": score_clusters(key, key), "none": score_clusters(key, {"a": [], "b": []})}
    >>> difference = compare(results).pair("all", "none").scores["lea"]["f1"]
    >>> difference.value, difference.p, difference.wins
    (1.0, 0.5, 2)
    """
    settings = Settings(
        test=test, samples=samples, seed=seed, confidence=confidence, alpha=alpha, correction=correction, family=family
    )
    settings.check()
    _check_comparable(results)
    first = next(iter(results.values()))
    of_measures = [key for measure in first.measures.values() for key in measure.card.cites]
    return compare_samples(
        [_sample_result(name, result, (decisions or {}).get(name, {})) for name, result in results.items()],
        settings,
        title=first.profile.title,
        titles={name: measure_title(first, name) for name in first} | {CONLL: "CoNLL"},
        cites=(*first.profile.cites, *of_measures),
        rounding=first.profile.rounding,
        advance=advance,
    )


def _check_comparable(results: Mapping[str, Result]) -> None:
    """Raise if results cannot be paired document by document."""
    if not results:
        raise UsageError("there is nothing to compare", expected="at least one system")
    (name, first), *others = results.items()
    for other, result in others:
        both = f"{name} and {other}"
        different = _different_choices(first, result)
        if different:
            raise MismatchError(
                f"{both} were not scored alike",
                code="CB220",
                found="; ".join(dict.fromkeys(different)),
                expected="one profile with the same choices",
                remedy="score both again with the same profile and choices",
            )
        first_hash, other_hash = (r.signature.key.rpartition("@")[2] for r in (first, result))
        if first_hash != other_hash:
            raise MismatchError(
                f"{both} were scored against different keys",
                code="CB221",
                found=f"{first.signature.key} and {result.signature.key}",
                expected="keys with the same content",
                remedy="score both against the same key",
            )
        # Results of one key have the same documents in its order, but results may be built
        # otherwise: rows of one would be paired with those of other documents.
        if first.documents != result.documents:
            differing = sorted({*first.documents} ^ {*result.documents})
            raise MismatchError(
                f"{both} do not have the same documents",
                code="CB222",
                found=f"only one has {differing[0]}" if differing else "another order",
                expected="the same documents in the same order",
                remedy="score both against the same key",
            )


def _different_choices(first: Result, second: Result) -> list[str]:
    ours, theirs = first.signature.choices, second.signature.choices
    different = [
        f"{choice} {ours.get(choice, '–')} and {theirs.get(choice, '–')}"
        for choice in {**ours, **theirs}
        if ours.get(choice) != theirs.get(choice)
    ]
    profiles = first.signature.profile, second.signature.profile
    if profiles[0] != profiles[1]:
        different.insert(0, f"profile {profiles[0]} and {profiles[1]}")
    if list(first.tallies) != list(second.tallies):
        different.append(f"measures {'+'.join(first.tallies)} and {'+'.join(second.tallies)}")
    return different


class Figure(Record, frozen=True):
    """One number: a part of a score."""

    score: str
    part: Part


class SystemSample(Columns, frozen=True, eq=False):
    """The tallies of one system, and the figures computed from them."""

    name: str
    signature: str
    documents: tuple[str, ...]
    figures: tuple[Figure, ...]
    tallies: Floats
    """Documents × columns."""
    statistic: Statistic
    """From sums (rows × columns) to figures (rows × figures)."""
    by_document: Floats
    """The figures of every document."""
    decisions: Decisions
    """The pronouns that it resolved correctly and wrongly; empty if there are none."""


def _sample_result(name: str, result: Result, decisions: Decisions) -> SystemSample:
    """Sample a result, with the CoNLL average if it has one."""
    averaged = result.profile.conll if result.conll else ()
    figures = [Figure(score=score, part=part) for score in result.tallies for part in PARTS]
    conll = [figures.index(Figure(score=score, part="f1")) for score in averaged]
    if conll:
        figures.append(Figure(score=CONLL, part="f1"))
    measures = [(result.measures[score], tally.columns) for score, tally in result.tallies.items()]

    def compute_figures(sums: Floats) -> Floats:
        columns, first = [], 0
        for measure, names in measures:
            scores = measure.scores({name: sums[:, first + n] for n, name in enumerate(names)})
            columns += [scores.recall, scores.precision, scores.f1]
            first += len(names)
        if conll:
            columns.append(np.mean([columns[figure] for figure in conll], axis=0))
        return np.stack(columns, axis=1)

    tallies = np.concatenate([tally.values for tally in result.tallies.values()], axis=1)
    by_document = compute_figures(tallies)
    # Figures of documents add up to a macro average as tallies do to a micro average.
    macro = result.profile.average == "macro"
    count = max(len(tallies), 1)
    return SystemSample(
        name=name,
        signature=str(result.signature),
        documents=result.documents,
        figures=tuple(figures),
        tallies=by_document if macro else tallies,
        statistic=(lambda sums: sums / count) if macro else compute_figures,
        by_document=by_document,
        decisions=decisions,
    )


def compare_samples(
    samples: Sequence[SystemSample],
    settings: Settings,
    *,
    title: str,
    titles: Mapping[str, str],
    cites: Sequence[str],
    rounding: Rounding = "half-up",
    advance: Callable[[int], None] | None = None,
) -> Comparison:
    """Resample systems with the same documents and figures, and test every pair of them."""
    figures, tallies, statistic = samples[0].figures, [sample.tallies for sample in samples], samples[0].statistic
    observed = [statistic(values.sum(axis=0, keepdims=True))[0] for values in tallies]
    documents, randomised = len(tallies[0]), settings.test == "randomization"
    indices = list(combinations(range(len(samples)), 2))
    draws: list[Floats] | None = None
    p_values: list[_PValues] = [[None] * len(figures) for _ in indices]
    if documents > 1:
        draws = bootstrap_figures(tallies, statistic, settings.samples, settings.seed)
        if randomised and indices:
            p_values = randomisation_p(tallies, indices, statistic, settings.samples, settings.seed, advance).tolist()
        else:
            p_values = [bootstrap_p(observed[a] - observed[b], draws[a] - draws[b]).tolist() for a, b in indices]
    adjusted = _adjust_families(p_values, figures, settings)
    tests = _test_pronouns([(samples[a], samples[b]) for a, b in indices], settings)

    systems, pairs = [], []
    for number, sample in enumerate(samples):
        estimates = _estimate(observed[number], None if draws is None else draws[number], settings.confidence)
        systems.append(_make_system(sample, column_letters(number), estimates))
    for number, (a, b) in enumerate(indices):
        gaps = samples[a].by_document - samples[b].by_document
        gap_draws = None if draws is None else draws[a] - draws[b]
        estimates = _estimate(observed[a] - observed[b], gap_draws, settings.confidence)
        columns = zip(estimates, p_values[number], adjusted[number], gaps.T, strict=True)
        scores = _by_score(figures, [_make_difference(*column) for column in columns])
        pairs.append(Pair(first=samples[a].name, second=samples[b].name, scores=scores, pronouns=tests[number]))
    tested_pronouns = ["mcnemar1947"] if any(sample.decisions for sample in samples) else []
    return Comparison(
        title=title,
        settings=settings,
        exact=randomised and documents > 1 and is_enumerable(documents, settings.samples),
        documents=samples[0].documents,
        titles={figure.score: titles.get(figure.score, figure.score) for figure in figures},
        systems=tuple(systems),
        pairs=tuple(pairs),
        cites=tuple(dict.fromkeys([*cites, *settings.cites, *tested_pronouns])),
        rounding=rounding,
    )


def _estimate(values: Floats, draws: Floats | None, confidence: float) -> list[Estimate]:
    """Return figures with their intervals; ``draws`` are those of resamples."""
    if draws is None:
        return [Estimate(value=value) for value in values.tolist()]
    low, high = percentile_interval(draws, confidence)
    rows = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    return [Estimate(value=value, low=a, high=b) for value, a, b in rows]


def _by_score(figures: Sequence[Figure], values: Sequence[_T]) -> dict[str, dict[Part, _T]]:
    scores: dict[str, dict[Part, _T]] = {}
    for figure, value in zip(figures, values, strict=True):
        scores.setdefault(figure.score, {})[figure.part] = value
    return scores


def _make_system(sample: SystemSample, mark: str, estimates: Sequence[Estimate]) -> System:
    by_document = _by_score(sample.figures, sample.by_document.T.tolist())
    decisions = sample.decisions
    return System(
        name=sample.name,
        mark=mark,
        signature=sample.signature,
        scores=_by_score(sample.figures, estimates),
        by_document={score: tuple(parts["f1"]) for score, parts in by_document.items()},
        pronouns=Rate(hits=sum(decisions.values()), total=len(decisions)) if decisions else None,
    )


def _make_difference(estimate: Estimate, p: float | None, adjusted: float | None, gaps: Floats) -> Difference:
    wins, losses = int((gaps > TOLERANCE).sum()), int((gaps < -TOLERANCE).sum())
    return Difference(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        p=p,
        adjusted=adjusted,
        wins=wins,
        ties=len(gaps) - wins - losses,
        losses=losses,
    )


def _adjust_families(p_values: Sequence[_PValues], figures: Sequence[Figure], settings: Settings) -> list[_PValues]:
    """Adjust the p-values (pairs × figures) within each family."""
    adjusted = [list(row) for row in p_values]
    families: dict[object, list[tuple[int, int]]] = {}
    for column, figure in enumerate(figures):
        family = figure.part if settings.family == "all" else figure
        families.setdefault(family, []).extend((pair, column) for pair in range(len(p_values)))
    for cells in families.values():
        values = adjust_p_values([p_values[pair][column] for pair, column in cells], settings.correction)
        for (pair, column), value in zip(cells, values, strict=True):
            adjusted[pair][column] = value
    return adjusted


def _test_pronouns(
    pairs: Sequence[tuple[SystemSample, SystemSample]], settings: Settings
) -> list[PronounTest] | list[None]:
    """Test every pair on the pronouns that both decided; all pairs are one family."""
    if not any(sample.decisions for pair in pairs for sample in pair):
        return [None] * len(pairs)
    tests = [mcnemar(first.decisions, second.decisions) for first, second in pairs]
    adjusted = adjust_p_values([test.p for test in tests], settings.correction)
    return [
        PronounTest(**asdict(test), adjusted=test.p if p is None else p)
        for test, p in zip(tests, adjusted, strict=True)
    ]
