"""What is resampled of one system: its tallies, and the figures they add up to.

A figure is recall, precision or F1 of one score. Under a micro average figures are functions of
summed tallies. Under a macro average the figures of the documents are themselves what adds up, and
the mean is their sum ÷ documents.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np

from corefbench.bench.result import Bench, Performance
from corefbench.judging.verdict import Verdict
from corefbench.measures import Measure, Tally
from corefbench.measures.tally import scores_of_ratios
from corefbench.record import Columns, Floats, Record
from corefbench.scoring.result import Result
from corefbench.stats.significance import Statistic

Part: TypeAlias = Literal["recall", "precision", "f1"]
PARTS: tuple[Part, ...] = ("recall", "precision", "f1")
CONLL = "conll"
PRONOUNS = "pronouns"


class Figure(Record, frozen=True):
    """One number of a report."""

    score: str
    part: Part


class Sampled(Columns, frozen=True, eq=False):
    """A system as the tests see it."""

    documents: tuple[str, ...]
    figures: tuple[Figure, ...]
    tallies: Floats
    """Documents × columns."""
    statistic: Statistic
    """From sums (rows × columns) to figures (rows × figures)."""
    by_document: Floats
    """The figures of every document."""


def sampled(result: Result) -> Sampled:
    """A result, with the CoNLL average where it has one."""
    scored = _Scored(result.measures, result.tallies, result.profile.conll if result.conll else ())
    tallies = np.concatenate([tally.values for tally in result.tallies.values()], axis=1)
    by_document = scored(tallies)
    macro = result.profile.average == "macro"
    count = max(len(tallies), 1)
    return Sampled(
        documents=result.documents,
        figures=scored.figures,
        tallies=by_document if macro else tallies,
        statistic=(lambda sums: sums / count) if macro else scored,
        by_document=by_document,
    )


class _Scored:
    """The figures of sums of all the columns that the scores of a result count."""

    def __init__(
        self, measures: Mapping[str, Measure], tallies: Mapping[str, Tally], conll: tuple[str, ...]
    ) -> None:
        self._measures = [(measures[name], tally.columns) for name, tally in tallies.items()]
        names = list(tallies)
        self._averaged = [names.index(name) * len(PARTS) + PARTS.index("f1") for name in conll]
        self.figures = tuple(Figure(score=name, part=part) for name in names for part in PARTS)
        if conll:
            self.figures += (Figure(score=CONLL, part="f1"),)

    def __call__(self, sums: Floats) -> Floats:
        made, first = [], 0
        for measure, columns in self._measures:
            totals = {name: sums[:, first + n] for n, name in enumerate(columns)}
            scores = measure.scores(totals)
            made += [scores.recall, scores.precision, scores.f1]
            first += len(columns)
        if self._averaged:
            made.append(np.mean([made[figure] for figure in self._averaged], axis=0))
        return np.stack(made, axis=1)


def sampled_performance(bench: Bench, performance: Performance) -> Sampled:
    """A resolver of a bench run: recall C/G, which is its success rate, and precision C/A."""
    place = {document: number for number, document in enumerate(bench.documents)}
    tallies = np.zeros((len(place), 4))
    for verdict in performance.verdicts:
        tallies[place[verdict.document]] += _counts(verdict)
    return Sampled(
        documents=bench.documents,
        figures=tuple(Figure(score=PRONOUNS, part=part) for part in PARTS),
        tallies=tallies,
        statistic=_pronoun_figures,
        by_document=_pronoun_figures(tallies),
    )


def _counts(verdict: Verdict) -> tuple[bool, bool, bool, bool]:
    right = verdict.anaphoric and verdict.correct
    return right, verdict.anaphoric, right, verdict.attempted


def _pronoun_figures(sums: Floats) -> Floats:
    columns = ("recall_hits", "recall_total", "precision_hits", "precision_total")
    scores = scores_of_ratios({name: sums[:, n] for n, name in enumerate(columns)})
    return np.stack([scores.recall, scores.precision, scores.f1], axis=1)
